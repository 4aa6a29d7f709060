"""The embedded back end: a pool of worker processes, watched from a thread of the web process.

A worker's death is noticed at once, because the pipe from it ends. Its run goes on from its last checkpoint;
after the third death there it is given up. All decisions are taken under one lock; only the supervisor's own
thread starts processes: Linux ends a child with the *thread* that made it (see core.service.workers.process).
"""

import logging
import threading
import time
from typing import Any

from core.service.files.disk import RESTS, disk_has_room
from core.service.files.file_store import FileStore
from core.service.files.locks import FileLock
from core.service.presence import Presence
from core.service.queue import QueueFullError
from core.service.settings import Settings
from core.service.store import ClaimedError, RunState, StoreError, wants_more
from core.service.workers.compute import Progress
from core.service.workers.dispatcher import NOT_WATCHED, STOPPED, Dispatcher
from core.service.workers.process import WorkerProcess
from core.service.workers.waiting import Waiting
from core.service.workers.watchdog import too_long

STOP_SECONDS = 0.6
"""A worker that has not stopped by then is killed; what it had saved remains."""
SHUTDOWN_SECONDS = 5.0
GRACE_SECONDS = 10.0
"""Beyond the limit of a step: the worker's own alarm comes first where there is one."""
STARTUP_FAILURES = 5
NOT_READY = 2
"""A worker that still compiles is as far away as one with so many runs."""
_TICK_SECONDS = 0.2

log = logging.getLogger(__name__)


class Supervisor(Dispatcher):
    """See Dispatcher."""

    def __init__(self, settings: Settings, store: FileStore, presence: Presence) -> None:
        self._settings, self._store, self._presence = settings, store, presence
        self._home = FileLock(settings.home / "lock")
        self._queue = Waiting(settings.limits, presence.people, self._running)
        self._pool: list[WorkerProcess] = []
        self._states: dict[str, RunState] = {}
        self._failures, self._failed, self._closing = 0, 0.0, False
        self._done = 0.0, 0
        self._wake = threading.Condition(threading.RLock())
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        with self._wake:
            if self._thread is None:
                if not self._home.acquire():
                    raise StoreError(f"Another server is using the directory {self._settings.home}.")
                self._store.tidy()
                self._recover()
                self._thread = threading.Thread(target=self._supervise, name="supervisor", daemon=True)
                self._thread.start()

    def close(self) -> None:
        with self._wake:
            self._closing = True
            self._wake.notify_all()
        if self._thread is not None:
            self._thread.join()
            self._home.release()

    def enqueue(self, run_id: str, quota: str, *, again: bool = False) -> None:
        with self._wake:
            if self._worker_of(run_id) is not None or run_id in self._queue:
                return
            if self._closing:
                raise QueueFullError("The server is shutting down.", 10)
            if not again:
                self._queue.check_room(quota)
            self._store.note(run_id, has_ended=False)
            self._states.pop(run_id, None)
            self._queue.push(run_id, quota, front=again)
            self._assign()

    def charge(self, run_id: str, quota: str) -> None:
        with self._wake:
            self._queue.check_room(quota)
            self._queue.charge(run_id, quota)

    def stop(self, run_id: str) -> None:
        with self._wake:
            if self._queue.remove(run_id):
                self._settle(run_id, self._store.state(run_id).but(status="stopped", reason=STOPPED))
            elif (worker := self._worker_of(run_id)) is not None:
                patience = STOP_SECONDS * (len(worker.stopping) + 1)
                worker.stopping.setdefault(run_id, time.monotonic() + patience)
                worker.send({"do": "stop", "run": run_id, "reason": STOPPED})
                self._wake.notify_all()

    def position(self, run_id: str) -> int | None:
        with self._wake:
            return self._queue.position(run_id)

    def progress(self, run_id: str) -> Progress | None:
        with self._wake:
            worker = self._worker_of(run_id)
            return worker.runs[run_id] if worker else None

    def last_word(self, run_id: str) -> RunState | None:
        return self._states.get(run_id)

    def under_way(self) -> list[str]:
        with self._wake:
            return [*self._running(), *self._queue.runs()]

    def busy(self) -> int:
        return len(self.under_way())

    def done(self) -> tuple[float, int]:
        """See Dispatcher: since the start."""
        return self._done

    def workers(self) -> int:
        """See Dispatcher. Without the lock: health never waits."""
        return sum(worker.ready for worker in tuple(self._pool))

    def _recover(self) -> None:
        """Queue what an earlier process of this server left unfinished, in the order of asking."""
        unfinished = []
        for run_id in self._store.unfinished():
            order, state = self._store.order(run_id), self._store.state(run_id)
            if order is None:
                continue
            if state.status in ("queued", "running") or wants_more(order, state):
                unfinished.append((order.placed, run_id, order, state))
            else:
                self._store.note(run_id, has_ended=True)
        for _, run_id, order, state in sorted(unfinished, key=lambda each: each[:2]):
            if order.wanted == "run":
                self._queue.push(run_id, order.quota)
            else:
                self._settle(run_id, state.but(status="stopped", reason=STOPPED))

    def _supervise(self) -> None:
        """The supervisor's thread: keep the pool full, end what must end."""
        while True:
            with self._wake:
                if self._closing:
                    break
                self._refill()
                for run_id in self._queue.fed(self._settings.home):
                    self._states.pop(run_id, None)
                self._assign()
                self._check()
                self._wake.wait(_TICK_SECONDS)
        self._shut_down()

    def _refill(self) -> None:
        if self._failures >= STARTUP_FAILURES and time.monotonic() - self._failed < 10:
            return
        while len(self._pool) < self._settings.workers:
            self._pool.append(WorkerProcess(self._settings, self._hear, self._bury))

    def _assign(self) -> None:
        """Give runs to the workers that have the fewest; one that still compiles may have them in advance.
        Who has nothing under way need not wait for others: a worker takes as many again for them."""
        most = self._settings.runs_per_worker
        while free := [worker for worker in self._pool if len(worker.runs) < 2 * most]:
            full = all(len(worker.runs) >= most for worker in free)
            run_id = self._queue.pop(1 if full else self._settings.limits.running_per_client)
            if run_id is None:
                return
            worker = min(free, key=lambda one: len(one.runs) + (0 if one.ready else NOT_READY))
            worker.heard = worker.heard if worker.runs else time.monotonic()
            worker.runs[run_id] = Progress(0.0, 0.0)
            worker.send({"do": "run", "run": run_id})

    def _check(self) -> None:
        now = time.monotonic()
        for worker in (one for one in self._pool if one.runs):
            if worker.stopping:
                if now > min(worker.stopping.values()):
                    worker.kill()
            elif worker.ready and now - worker.heard > self._settings.limits.step_seconds + GRACE_SECONDS:
                log.warning("a worker has not been heard of for %.0f s and is ended", now - worker.heard)
                worker.kill(hung=True)
            elif worker.ready:
                for run_id in worker.runs:
                    if self._presence.idle(run_id) > self._settings.pause_after_seconds:
                        worker.send({"do": "pause", "run": run_id, "reason": NOT_WATCHED})

    def _hear(self, worker: WorkerProcess, event: dict[str, Any]) -> None:
        """Called from the worker's reader thread."""
        with self._wake:
            kind, worker.heard = event["event"], time.monotonic()
            if kind == "ready":
                worker.ready, self._failures = True, 0
            elif kind == "turn":
                worker.turn = event["run"]
            elif kind == "progress" and event["run"] in worker.runs:
                worker.runs[event["run"]] = Progress(event["epoch"], event["rate"])
                self._done = self._done[0] + event["epochs"], self._done[1] + event["frames"]
            elif kind in ("starved", "ended", "refused"):
                self._take_back(worker, event)
            self._assign()
            self._wake.notify_all()

    def _take_back(self, worker: WorkerProcess, event: dict[str, Any]) -> None:
        """A worker has done with a run, or there is no room for the run's frames, and none for its state."""
        kind, run_id = event["event"], event["run"]
        worker.runs.pop(run_id, None)
        worker.stopping.pop(run_id, None)
        stored = self._store.state(run_id)
        if kind == "ended":
            state = RunState(**event["state"])
            if stored.status != state.status:
                self._states[run_id] = state
            self._go_on(run_id, state)
        elif kind == "starved" or not disk_has_room(self._settings.home):
            self._states[run_id] = stored.but(status="paused", reason=RESTS)
            self._queue.starve(run_id)
        else:
            self._settle(run_id, stored.but(status="failed", reason=event["reason"]))

    def _go_on(self, run_id: str, state: RunState) -> None:
        """A budget that was raised in the very moment in which the old one was used up."""
        order = self._store.order(run_id)
        if order is not None and wants_more(order, state):
            self._queue.push(run_id, order.quota, front=True)
        else:
            self._store.note(run_id, has_ended=state.status != "queued")

    def _bury(self, worker: WorkerProcess) -> None:
        """Called from the worker's reader thread when the process has ended."""
        with self._wake:
            self._pool = [one for one in self._pool if one is not worker]
            if not worker.ready:
                self._failures, self._failed = self._failures + 1, time.monotonic()
            for run_id in worker.runs:
                self._revive(worker, run_id)
            self._wake.notify_all()

    def _revive(self, worker: WorkerProcess, run_id: str) -> None:
        """What becomes of a dead worker's run; only the one whose turn it was has cost the worker. One that
        left by itself had been given it in that very moment."""
        guilty = not worker.left and (worker.turn not in worker.runs or worker.turn == run_id)
        state = self._store.state(run_id)
        order = self._store.order(run_id)
        if state.status in ("finished", "failed", "paused", "stopped"):  # dead before its last word
            self._go_on(run_id, state)
        elif order is None or order.wanted == "stop":
            self._settle(run_id, state.but(status="stopped", reason=STOPPED))
        elif self._closing:
            return
        elif guilty and (worker.overdue or state.deaths + 1 >= self._settings.deaths):
            lost = f"Its worker died {state.deaths + 1} times ({worker.ending}); it was given up."
            reason = too_long(self._settings.limits.step_seconds) if worker.overdue else lost
            self._settle(run_id, state.but(status="failed", reason=reason, deaths=state.deaths + 1))
        else:
            log.warning("a worker died (%s); run %s goes on from its checkpoint", worker.ending, run_id)
            self._settle(run_id, state.but(status="queued", deaths=state.deaths + guilty))
            self._queue.push(run_id, front=True)

    def _settle(self, run_id: str, state: RunState) -> None:
        """Write a state on behalf of a run that no worker has."""
        state = state.but(frames=self._store.count(run_id), updated=time.time())
        try:
            with self._store.claim(run_id) as claim:
                claim.write(state)
            self._store.note(run_id, has_ended=state.status != "queued")
        except (ClaimedError, StoreError) as error:
            log.warning("the state of run %s could not be stored: %s", run_id, error)
            self._states[run_id] = state

    def _shut_down(self) -> None:
        """Let every worker save its run, then end it."""
        with self._wake:
            for worker in self._pool:
                for run_id in worker.runs:
                    worker.send({"do": "exit", "run": run_id, "reason": ""})
            end = time.monotonic() + SHUTDOWN_SECONDS
            while time.monotonic() < end and any(w.runs and w.ready for w in self._pool):
                self._wake.wait(0.05)
            pool = list(self._pool)
        for worker in pool:
            worker.end()

    def _running(self) -> list[str]:
        return [run_id for worker in self._pool for run_id in worker.runs]

    def _worker_of(self, run_id: str) -> WorkerProcess | None:
        return next((worker for worker in self._pool if run_id in worker.runs), None)
