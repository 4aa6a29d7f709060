"""Submit, raise, stop, poll, pause, work and death in any order and between each other's steps, over both
back ends with their real queues: nothing acknowledged is lost, and nothing that was stopped is revived."""

import random
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

import pytest
from hypothesis import settings as effort
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from core.config.run_config import RunConfig
from core.service import lifecycle
from core.service.accounts import Client
from core.service.cluster.redis_backend import RedisPresence
from core.service.cluster.redis_connection import connection, key
from core.service.cluster.redis_queue import REAPER, RedisQueue, Tasks
from core.service.cluster.redis_store import RedisStore
from core.service.files.unsaved import PatientFileStore
from core.service.lifecycle import LateError
from core.service.presence import MemoryPresence
from core.service.run_record import ENDED, Record, RunState
from core.service.service import RunService
from core.service.settings import Settings
from core.service.store import Claim, ClaimedError
from core.service.workers.compute import Progress
from core.service.workers.local_runs import LocalRuns
from core.service.workers.pool import WorkerPool
from tests.effort import cases
from tests.service.interleaved import Interleaving, Stepped
from tests.service.services import backend_over

SHORT = RunConfig.from_query("target=five&method=gd&epochs=100")
RUN = SHORT.run_id
ALICE, VIEWER = Client("alice", "alice"), Client("viewer", "viewer")
STEPS = 20
EXAMPLES = cases(6, of=130)


class Worker(Protocol):
    """One worker and the queue that it takes runs from."""

    @property
    def service(self) -> RunService: ...

    def begin(self) -> None:
        """Take the run, if it waits."""

    def end(self) -> None:
        """Compute to the end of the budget, or give the run back if there is a command."""

    def die(self) -> None:
        """Be gone, and be noticed."""

    def close(self) -> None: ...


def ended(record: Record) -> RunState:
    """What a worker says of a run that it has computed as far as it may."""
    if record.state.command:
        return RunState("running", epoch=1.0)
    epochs = record.request.epochs
    return RunState("finished", reason="Done.", outcome="budget", epochs=epochs, epoch=epochs)


class AtWork:
    """A claim, and the attempt that was begun with it."""

    def __init__(self, store: Any) -> None:
        self._store = store
        self._claim: Claim | None = None
        self._attempt = 0

    def begin(self) -> None:
        claim: Claim = self._store.claim(RUN)
        try:
            self._attempt = claim.change(lifecycle.start_attempt).state.attempt
            self._claim = claim
        except LateError:
            claim.release()

    def end(self) -> bool:
        """Whether there was anything to end."""
        claim, self._claim = self._claim, None
        if claim is None:
            return False
        record = self._store.record(RUN)
        with claim:
            claim.change(lambda now: lifecycle.end_attempt(now, self._attempt, ended(record)))
        return True

    def vanish(self) -> Claim | None:
        claim, self._claim = self._claim, None
        return claim


class Process:
    """What the scheduler knows of a worker process."""

    def __init__(self) -> None:
        self.kind = "run"
        self.jobs: dict[str, Progress] = {}
        self.turn, self.ready, self.answers, self.overdue, self.left = "", True, True, False, False
        self.is_interpreted = False
        self.ending, self.heard = "signal 9", 0.0
        self.stopping: dict[str, float] = {}

    def send(self, command: dict[str, object]) -> None: ...


class Embedded:
    """See Worker: the scheduler, with a process that is none."""

    def __init__(self, home: Path, interleaving: Interleaving) -> None:
        settings = Settings(home=home, library=home / "none", deaths=10**6, workers=1)
        store: Any = Stepped(PatientFileStore(home), interleaving, inside=False)
        presence = MemoryPresence()
        self._pool = WorkerPool(settings)
        self._scheduler = LocalRuns(settings, store, presence, self._pool)
        self.service = RunService(
            settings, backend_over(settings, self._pool, store, presence, self._scheduler)
        )
        self._work = AtWork(store)
        self._process = self._renewed()

    def _renewed(self) -> Process:
        process = Process()
        self._pool._workers["run"].append(process)  # type: ignore[arg-type]
        return process

    def begin(self) -> None:
        self._pool.assign(self._scheduler)
        if RUN in self._process.jobs and self._work._claim is None:
            record = self.service._store.record(RUN)
            if record is not None and record.status == "queued":
                self._work.begin()
            if self._work._claim is None:
                self._say("ended")

    def end(self) -> None:
        if self._work.end():
            self._say("ended")

    def _say(self, event: str) -> None:
        self._pool.on_message(self._process, {"event": event, "job": RUN})  # type: ignore[arg-type]

    def die(self) -> None:
        claim, dead = self._work.vanish(), self._process
        if claim is not None:
            claim.release()
        self._process = self._renewed()
        self._pool.on_exit(dead)  # type: ignore[arg-type]

    def close(self) -> None:
        self.service._store.close()


class Cluster:
    """See Worker: the queue in Redis, and one process of a pool. Two web processes share it."""

    def __init__(self, home: Path, interleaving: Interleaving, url: str) -> None:
        settings = Settings(home=home, library=home / "none", deaths=10**6)
        client = connection(url)
        client.flushall()
        self._plain = RedisStore(client)
        store: Any = Stepped(self._plain, interleaving, inside=True)
        presence = RedisPresence(self._plain)
        self._queue = RedisQueue(settings, store, presence, Tasks(print, print))
        self._webs = [
            RunService(settings, backend_over(settings, WorkerPool(settings), store, presence, self._queue))
            for _ in range(2)
        ]
        self._work = AtWork(store)

    @property
    def service(self) -> RunService:
        """One web process after the other."""
        self._webs.reverse()
        return self._webs[0]

    def begin(self) -> None:
        if self._work._claim is None and self._queue.take("here") is not None:
            record = self._webs[0]._store.record(RUN)
            try:
                if record is not None and record.status == "queued":
                    self._work.begin()
            except ClaimedError:
                return
            if self._work._claim is None:
                self._queue.give_up(RUN)

    def end(self) -> None:
        if self._work.end():
            self._queue.give_up(RUN)

    def die(self) -> None:
        self._work.vanish()
        self._plain.client.delete(key(RUN, "lease"), key(RUN, "taken"), REAPER)
        self._queue.tick()

    def close(self) -> None:
        self._plain.close()


COUNTS: Counter[str] = Counter()


class Course(RuleBasedStateMachine):
    """What was acknowledged, beside what the record says."""

    def __init__(self, make: Callable[[Path, Interleaving], Worker]) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory()
        self._interleaving = Interleaving()
        self._worker = make(Path(self._folder.name), self._interleaving)
        self._budget = 0.0
        self._last = {"asked"}
        """What was acknowledged last: that it is asked for, that it is stopped; either, when both at once."""
        self._submit(100.0)

    def _submit(self, epochs: float) -> None:
        self._worker.service.submit(SHORT.with_epochs(epochs), ALICE)
        self._budget = max(self._budget, epochs)

    def _stop(self) -> None:
        assert self._worker.service.stop(RUN, ALICE) is not None

    def _poll(self) -> None:
        service = self._worker.service
        service._seen.clear()
        service.watch(RUN, VIEWER)
        assert service.info(RUN) is not None

    def _pause(self) -> None:
        self._worker.service._store.change(RUN, lambda known: lifecycle.pause(known) if known else None)

    def _record(self) -> Record:
        record = self._worker.service._store.record(RUN)
        assert record is not None
        return record

    @rule(
        asked=st.lists(st.sampled_from(["submit", "raise", "stop", "poll", "poll", "pause"]), max_size=3),
        work=st.sampled_from(["begin", "begin", "end", "die", ""]),
        seed=st.integers(0, 2**16),
    )
    def together(self, asked: list[str], work: str, seed: int) -> None:
        acts: dict[str, Callable[[], object]] = {
            # Less than a stopped run has passed already would not let it go on.
            "submit": lambda: self._submit(self._budget),
            "raise": lambda: self._submit(self._budget + 10.0),
            "stop": self._stop,
            "poll": self._poll,
            "pause": self._pause,
            "begin": self._worker.begin,
            "end": self._worker.end,
            "die": self._worker.die,
        }
        names = [*asked, *([work] if work else [])]
        self._was = self._record()
        self._interleaving.run([acts[name] for name in names], random.Random(seed).randrange)
        COUNTS["interleavings"] += len(names) > 1
        if {"submit", "raise"} & set(names):
            self._last = {"asked", "stopped"} if "stop" in names else {"asked"}
        elif "stop" in names:
            self._last = {"stopped"}

    @invariant()
    def nothing_is_lost_or_revived(self) -> None:
        record = self._record()
        state = record.state
        assert record.request.epochs == self._budget, "a budget was lost"
        gone = state.status == "stopped" or state.command == "stop"
        if "asked" not in self._last:
            assert gone or state.status in ENDED, "a stopped run was revived"
        if "stopped" not in self._last:
            assert not gone, "a run that was asked for after its stop was stopped"

    def teardown(self) -> None:
        """Whatever has happened, the run comes to the end that was asked for last."""
        for _ in range(6):
            for act in (self._poll, self._worker.begin, self._worker.end):
                act()
        state = self._record().state
        finished = state.status == "finished" and state.epochs == self._budget
        assert finished or ("stopped" in self._last and state.status in ENDED), state
        self._worker.close()
        self._folder.cleanup()


def explore(make: Callable[[Path, Interleaving], Worker]) -> None:
    COUNTS.clear()
    run_state_machine_as_test(
        lambda: Course(make),  # type: ignore[arg-type]
        settings=effort(max_examples=EXAMPLES, stateful_step_count=STEPS, deadline=None),
    )
    print(f"\n{COUNTS['interleavings']} interleavings: nothing lost, nothing revived")


@pytest.fixture(autouse=True)
def always_fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("core.service.service.SNAPSHOT_SECONDS", 0.0)
    monkeypatch.setattr("core.service.service.log_event", lambda *_, **__: None)
    yield


def test_any_course_on_one_machine() -> None:
    explore(Embedded)


@pytest.mark.redis
def test_any_course_of_two_web_processes_on_redis(redis_url: str) -> None:
    explore(lambda home, interleaving: Cluster(home, interleaving, redis_url))
