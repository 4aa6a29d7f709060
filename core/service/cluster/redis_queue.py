"""Runs on several machines: who has which, which goes to whom next, and what keeps that going.

A run that waits is handed to Celery when a worker has nothing to do: a task that names the run. A worker
that has runs already takes others itself, since a Celery task cannot pause for another one (celery_runs).
Both are the same step of the queue (shared_queue); quotas and turns are those of core.service.queue.

A worker that holds a run renews its lease. When it has been silent for longer, the tick of anybody else
counts a death (core.service.workers.deaths) and puts the run back to the front of the queue. A message that
is lost leaves a run without a lease as well; one that comes twice or late finds nothing to do.
"""

import json
import logging
import socket
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...config import NUMERICS_VERSION
from .. import lifecycle
from ..presence import Presence
from ..records import DamageError
from ..run_record import Record
from ..settings import Settings
from ..store import ClaimedError, StoreError
from ..workers.compute import Progress
from ..workers.deaths import Death, is_guilty
from ..workers.run_scheduler import RunScheduler, act_on_newest
from . import redis_scripts as scripts
from .redis_connection import PREFIX, add_once, key
from .redis_people import RedisPeople
from .redis_store import RedisStore
from .shared_queue import HANDED, QueueState, SharedQueue

WORKERS, REAPER = f"{PREFIX}workers-{NUMERICS_VERSION}", f"{PREFIX}reaper-{NUMERICS_VERSION}"
AT_STUDIES = f"{PREFIX}at-studies-{NUMERICS_VERSION}"
"""Workers that compute for a study."""
TURN = f"{PREFIX}turn:"
"""Whose turn it is on a worker, or was when it died."""
DONE = f"{PREFIX}done"
_WORKER_SECONDS = 10
_TURN_SECONDS = 24 * 3600
_FRESH_SECONDS = 5
"""A worker reports twice a second; the rate of one that has been silent for so long is not what it was."""
_AWAY_LEASES = 4
"""A Redis that has been up for fewer leases than this may have kept workers from renewing theirs."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Tasks:
    """What Celery does with a run."""

    send: Callable[[str, str], None]
    """Have a worker begin with it: the id of the task, and the run."""
    revoke: Callable[[str], None]
    """No worker need begin with the task of this id."""


def task_id(run_id: str, record: Record | None) -> str:
    """What the task is called that carries a run, in every process: by the attempt, and by when the run was
    asked for, since a run that was removed and is asked for again counts its attempts anew."""
    if record is None:
        return f"{run_id}-0"
    return f"{run_id}-{record.state.attempt}-{1e3 * record.request.placed:.0f}"


class RedisQueue(RunScheduler):
    """See RunScheduler. Shared by web processes and workers."""

    def __init__(self, settings: Settings, store: RedisStore, presence: Presence, tasks: Tasks) -> None:
        self._settings, self._store, self._presence, self._tasks = settings, store, presence, tasks
        self._client = store.client
        self._queue = SharedQueue(store.client, settings.limits)
        self._lease = int(1_000 * settings.lease_seconds)

    def enqueue(self, run_id: str, quota: str) -> None:
        """See RunScheduler. It is handed out when there is a record: `follow` comes after that."""
        self._queue.change(lambda state: state.enqueue(run_id, quota))

    def charge(self, run_id: str, quota: str) -> None:
        """See RunScheduler."""
        self._queue.change(lambda state: state.charge(run_id, quota))

    def follow(self, run_id: str, record: Record | None = None) -> Record | None:
        """See RunScheduler: workers look at the record themselves for a command."""
        record = act_on_newest(self._store, run_id, record, self._act)
        if record is not None and record.status == "queued":
            self.hand_out()
        return record

    def _act(self, run_id: str, record: Record | None, *, back: bool = False) -> None:
        """`back`: whoever had the run gives it up, in one go with what else there is to do."""
        status = record.status if record else None
        quota = record.request.quota if record else ""
        if status == "running" and not back and not self._queue.read().has(run_id):
            # It says that it is running and nobody has it: its lease runs out unless somebody renews it.
            self.keep(run_id)

        def followed(state: QueueState) -> bool:
            was_handed = state.running.get(run_id) == HANDED
            if back:
                state.running.pop(run_id, None)
            if status == "queued":
                state.put_back(run_id, quota)
            elif status == "running" and not back:
                state.running.setdefault(run_id, HANDED)
            else:
                state.leave(run_id)
            return was_handed and not state.has(run_id)

        if self._queue.change(followed):
            self._tasks.revoke(task_id(run_id, record))

    def give_up(self, run_id: str) -> None:
        """The worker that had the run, or whoever found it dead, is done with it; it waits again if its
        record says so."""
        self._act(run_id, record := self._store.record(run_id), back=True)
        self.follow(run_id, record)

    def hand_out(self) -> None:
        """Give runs to the workers that have nothing to do."""
        limit = self._settings.limits.running_per_client
        at_studies = self._client.smembers(AT_STUDIES)
        workers = [name.decode() for name in self._alive() if name not in at_studies]
        while workers:
            run_id = self._queue.change(
                lambda state: self._taken(state, HANDED, limit) if state.idle(workers) > 0 else None
            )
            if run_id is None:
                return
            self._tasks.send(task_id(run_id, self._store.record(run_id)), run_id)

    def begin(self, run_id: str, worker: str) -> bool:
        """A message has reached a worker; whether the run is its own from now on."""
        self.keep(run_id)
        return self._queue.change(lambda state: state.begin(run_id, worker))

    def take(self, worker: str, limit: int = 0, suits: Callable[[str], bool] = lambda _: True) -> str | None:
        """The next run in turn that suits this worker, from now on its own; of lines with fewer than `limit`
        under way."""
        limit = limit or self._settings.limits.running_per_client
        return self._queue.change(lambda state: self._taken(state, worker, limit, suits))

    def _taken(
        self, state: QueueState, worker: str, limit: int, suits: Callable[[str], bool] = lambda _: True
    ) -> str | None:
        """The next run, with its lease: there is one before others see who has the run."""
        run_id = state.take(worker, limit, suits)
        if run_id is not None:
            self.keep(run_id)
        return run_id

    def keep(self, run_id: str) -> None:
        """Whoever has the run is alive; so is, for a moment, the message that names it."""
        self._client.set(key(run_id, "taken"), 1, px=self._lease)

    def turn(self, worker: str, run_id: str) -> None:
        """Of the runs of a worker this one is computed now."""
        self._client.set(TURN + worker, run_id, ex=_TURN_SECONDS)

    def leave(self, run_id: str) -> None:
        """The worker that had the run is done with it."""
        self._queue.change(lambda state: state.leave(run_id))

    def has(self, run_id: str) -> bool:
        """See RunScheduler."""
        return self._queue.read().has(run_id)

    def waiting(self) -> int:
        """Runs that wait for a worker."""
        return len(self._queue.read())

    def under_way(self) -> list[str]:
        """Runs that workers have, and that wait for one."""
        state = self._queue.read()
        return [*state.running, *state.runs()]

    def position(self, run_id: str) -> int | None:
        """Runs that go first."""
        return self._queue.read().position(run_id)

    def report(self, run_id: str, progress: Progress) -> None:
        """How far a run is."""
        document = json.dumps([progress.epoch, progress.rate, progress.is_interpreted])
        self._client.set(key(run_id, "progress"), document, ex=_FRESH_SECONDS)
        add_once(self._client, DONE, {"frames": progress.frames, "epochs": progress.epochs})

    def progress(self, run_id: str) -> Progress | None:
        """How far it is; None when no worker has it."""
        found = self._client.get(key(run_id, "progress"))
        if found:
            return Progress(*json.loads(found))
        return Progress(0.0, 0.0) if run_id in self._queue.read().running else None

    def done(self) -> tuple[float, int]:
        """See RunScheduler: since Redis has been there, the same in every web process."""
        epochs, frames = self._client.hmget(DONE, "epochs", "frames")
        return float(epochs or 0.0), int(frames or 0)

    def greet(self, worker: str, *, at_study: bool) -> None:
        """A worker is alive."""
        self._eval(scripts.SEE, [WORKERS], [worker, 0])
        (self._client.sadd if at_study else self._client.srem)(AT_STUDIES, worker)

    def say_goodbye(self, worker: str) -> None:
        """A worker takes no more runs."""
        self._client.zrem(WORKERS, worker)

    def workers(self) -> int:
        """Workers that have been alive lately."""
        return int(self._eval(scripts.SINCE, [WORKERS], [_WORKER_SECONDS]))

    def _alive(self) -> list[bytes]:
        """Their names; those who have been silent for long are forgotten."""
        self._eval(scripts.FORGET, [WORKERS], [_WORKER_SECONDS])
        return list(self._client.zrange(WORKERS, 0, -1))

    def tick(self) -> None:
        """Once a second: revive, pause, hand out. One process at a time does it for all."""
        if not self._client.set(REAPER, socket.gethostname(), nx=True, px=900):
            return
        running = self._queue.read().running
        self._revive_silent(running)
        for run_id in running:
            if self._presence.idle(run_id) > self._settings.pause_after_seconds:
                self._store.change(run_id, lambda run: lifecycle.pause(run) if run else None)
        self.hand_out()
        if gone := self._client.smembers(AT_STUDIES) - set(self._alive()):
            self._client.srem(AT_STUDIES, *gone)
        RedisPeople(self._client).forget()

    def _revive_silent(self, running: dict[str, str]) -> None:
        """The leases of these have run out: the worker is dead, or so slow that it must not go on."""
        silent = [run for run in running if not self._client.exists(key(run, "taken"), key(run, "lease"))]
        if not silent:
            return
        # Nobody is to blame where nobody could renew a lease because Redis itself was away.
        away = self._client.info("server")["uptime_in_seconds"] < _AWAY_LEASES * self._settings.lease_seconds
        for run_id in silent:
            turn = (self._client.get(TURN + running[run_id]) or b"").decode()
            death = Death("it fell silent", not away and is_guilty(run_id, turn))
            try:
                self._revive(run_id, death)
            except StoreError as error:
                # One run that cannot be read, or a Redis without memory, must not keep the others waiting.
                log.warning("run %s cannot go on: %s", run_id, error)
                if isinstance(error.__cause__, DamageError):
                    self.leave(run_id)

    def _revive(self, run_id: str, death: Death) -> None:
        record = self._store.record(run_id)
        if record is not None and record.status == "running":
            try:
                with self._store.claim(run_id) as claim:
                    log.warning("a worker fell silent that had run %s", run_id)
                    claim.change(lambda known: death.of_run(known, self._settings))
            except ClaimedError:
                return
        self.give_up(run_id)

    def _eval(self, script: str, keys: list[str], arguments: list[Any]) -> Any:
        return self._client.eval(script, len(keys), *keys, *arguments)
