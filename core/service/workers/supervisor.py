"""The embedded back end: a pool of worker processes, watched from a thread of the web process.

A worker's death is noticed at once, because the pipe from it ends. Its run goes on from its last checkpoint;
after the third death there it is given up. What becomes of a run is decided by its record; the queue and the
workers follow (`follow`). Queue and pool are under one lock, which polls need: nothing is written under it.
Only the supervisor's own thread starts processes: Linux ends a child with the *thread* that made it (see
core.service.workers.process).
"""

import logging
import threading
import time
from typing import Any

from .. import lifecycle
from ..files.disk import disk_has_space
from ..files.locks import FileLock
from ..files.unsaved import PatientFileStore
from ..presence import Presence
from ..queue import QueueFullError
from ..run_record import Record
from ..settings import Settings
from ..store import StoreError
from .compute import Progress
from .dispatcher import Dispatcher
from .process import WorkerProcess
from .recording import Records
from .troubles import Troubles
from .waiting import Waiting
from .watchdog import too_long

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

    def __init__(self, settings: Settings, store: PatientFileStore, presence: Presence) -> None:
        self._settings, self._store, self._presence = settings, store, presence
        self._home = FileLock(settings.home / "lock")
        self._queue = Waiting(settings.limits, presence.people, self._running)
        self._pool: list[WorkerProcess] = []
        self._dead: list[WorkerProcess] = []
        """Those that have ended and whose runs nobody has been given yet."""
        self._records = Records(store, settings.home)
        self._failures, self._failed, self._closing = 0, 0.0, False
        self._done = 0.0, 0
        self._wake = threading.Condition(threading.RLock())
        self._thread: threading.Thread | None = None
        self.troubles = Troubles("scheduler of runs")

    def start(self) -> None:
        if self._thread is None:
            if not self._home.acquire():
                raise StoreError(f"Another server is using the directory {self._settings.home}.")
            self._store.tidy()
            self.recover()
            self._thread = threading.Thread(target=self._supervise, name="supervisor", daemon=True)
            self._thread.start()

    def close(self) -> None:
        with self._wake:
            self._closing = True
            self._wake.notify_all()
        if self._thread is not None:
            self._thread.join()
            self._home.release()

    def enqueue(self, run_id: str, quota: str) -> None:
        with self._wake:
            if self._worker_of(run_id) is not None or run_id in self._queue:
                return
            if self._closing:
                raise QueueFullError("The server is shutting down.", 10)
            self._queue.check_quota(quota)
            self._queue.push(run_id, quota)

    def charge(self, run_id: str, quota: str) -> None:
        with self._wake:
            self._queue.check_quota(quota)
            self._queue.charge(run_id, quota)

    def follow(self, run_id: str) -> None:
        self._act(run_id, record := self._store.record(run_id))
        # What was read may be old by the time it is acted on; then there is something newer to act on.
        while (newer := self._store.record(run_id)) != record:
            self._act(run_id, record := newer)

    def _act(self, run_id: str, record: Record | None) -> None:
        with self._wake:
            worker = self._worker_of(run_id)
            if record is None:
                self._queue.remove(run_id)
            elif record.status == "queued":
                self._records.park(run_id, False)
                if worker is None and not self._closing:
                    self._queue.push(run_id, record.request.quota, front=True)
                    self._assign()
            elif record.status == "running":
                if record.state.command and worker is not None:
                    self._tell(worker, run_id, record)
            else:
                self._queue.remove(run_id)
                self._records.park(run_id, record.state.parked)

    def _tell(self, worker: WorkerProcess, run_id: str, record: Record) -> None:
        """A worker has a command to obey, at this attempt alone; one that does not stop is killed."""
        if record.state.command == "stop":
            patience = STOP_SECONDS * (len(worker.stopping) + 1)
            worker.stopping.setdefault(run_id, time.monotonic() + patience)
            self._wake.notify_all()
        worker.send({"do": "give back", "run": run_id, "attempt": record.state.attempt})

    def has(self, run_id: str) -> bool:
        with self._wake:
            return run_id in self._queue or self._worker_of(run_id) is not None

    def position(self, run_id: str) -> int | None:
        with self._wake:
            return self._queue.position(run_id)

    def progress(self, run_id: str) -> Progress | None:
        with self._wake:
            worker = self._worker_of(run_id)
            return worker.progress(run_id) if worker else None

    def under_way(self) -> list[str]:
        with self._wake:
            return [*self._running(), *self._queue.runs(), *self._records.parked()]

    def busy(self) -> int:
        return len(self.under_way())

    def done(self) -> tuple[float, int]:
        """See Dispatcher: since the start."""
        return self._done

    def workers(self) -> int:
        """See Dispatcher. Without the lock: health never waits."""
        return sum(worker.ready and worker.answers for worker in tuple(self._pool))

    def recover(self) -> None:
        """Queue what an earlier process of this server left unfinished, in the order of asking."""
        left = self._records.left_over()
        with self._wake:
            for record, run_id in left:
                self._queue.push(run_id, record.request.quota)

    def _supervise(self) -> None:
        """The supervisor's thread: keep the pool full, end what must end."""
        while True:
            with self._wake:
                if self._closing:
                    break
                self.troubles.comes_round()
                self.troubles.attempt("start workers", self._refill)
                self.troubles.attempt("hand out runs", self._assign)
                self.troubles.attempt("look after workers", self._check)
            self.troubles.attempt("pause runs that nobody looks at", self._pause_unwatched)
            self.troubles.attempt("look for space on the disk", self._unpark)
            with self._wake:
                if not self._closing:
                    self._wake.wait(_TICK_SECONDS)
        self.troubles.ends()
        self._shut_down()

    def _pause_unwatched(self) -> None:
        """Runs that nobody looks at give way."""
        with self._wake:
            running = [run for worker in self._pool if worker.ready for run in worker.runs]
        for run_id in running:
            idle = self._presence.idle(run_id) > self._settings.pause_after_seconds
            if idle and self._records.paused(run_id):
                self.follow(run_id)

    def _unpark(self) -> None:
        for run_id in self._records.unparked():
            self.follow(run_id)

    def _refill(self) -> None:
        if self._failures >= STARTUP_FAILURES and time.monotonic() - self._failed < 10:
            return
        while len(self._pool) < self._settings.workers:
            self._pool.append(WorkerProcess(self._settings, self.troubles, self.on_message, self.on_exit))

    def _assign(self) -> None:
        """Give runs to the workers that have the fewest; one that still compiles may have them in advance.
        Who has nothing under way need not wait for others: a worker takes as many again for them."""
        most = self._settings.runs_per_worker
        while free := [worker for worker in self._pool if len(worker.runs) < 2 * most]:
            full = all(len(worker.runs) >= most for worker in free)
            run_id = self._queue.pop(1 if full else self._settings.limits.running_per_client)
            if run_id is None:
                return
            worker = min(free, key=lambda one: len(one.runs) + NOT_READY * (not (one.ready and one.answers)))
            worker.heard = worker.heard if worker.runs else time.monotonic()
            worker.runs[run_id] = Progress(0.0, 0.0)
            worker.send({"do": "run", "run": run_id})

    def _check(self) -> None:
        now, limit = time.monotonic(), self._settings.limits.step_seconds + GRACE_SECONDS
        for worker in self._pool:
            worker.end_if_stuck()
            if worker.stopping:
                if now > min(worker.stopping.values()):
                    worker.kill()
            elif worker.runs and worker.ready and now - worker.heard > limit:
                log.warning("a worker has not been heard of for %.0f s and is ended", now - worker.heard)
                worker.kill(hung=True)

    def on_message(self, worker: WorkerProcess, event: dict[str, Any]) -> None:
        """Called from the worker's reader thread."""
        kind, worker.heard = event["event"], time.monotonic()
        if kind in ("parked", "ended", "refused"):
            self._take_back(worker, event)
        with self._wake:
            if kind == "ready":
                worker.ready, self._failures = True, 0
            elif kind == "turn":
                worker.turn = event["run"]
            elif kind == "progress" and event["run"] in worker.runs:
                worker.runs[event["run"]] = Progress(event["epoch"], event["rate"])
                self._done = self._done[0] + event["epochs"], self._done[1] + event["frames"]
            self._assign()
            self._wake.notify_all()

    def _take_back(self, worker: WorkerProcess, event: dict[str, Any]) -> None:
        """A worker has done with a run, or nothing that the run makes can be written."""
        kind, run_id = event["event"], event["run"]
        if kind == "parked" or (kind == "refused" and not disk_has_space(self._settings.home)):
            self._records.insist(run_id, lifecycle.park)
        elif kind == "refused":
            self._records.insist(run_id, lambda record: lifecycle.fail(record, event["reason"]))
        with self._wake:
            self._records.park(run_id, kind != "ended")
            worker.runs.pop(run_id, None)
            worker.stopping.pop(run_id, None)
        self.follow(run_id)

    def on_exit(self, worker: WorkerProcess) -> None:
        """Called from the worker's reader thread when the process has ended, and again if that fails."""
        with self._wake:
            if worker in self._pool:
                self._pool.remove(worker)
                self._dead.append(worker)
                if not worker.ready:
                    self._failures, self._failed = self._failures + 1, time.monotonic()
        # The one whose turn it was comes last: as long as it is there, the others are not to blame.
        for run_id in sorted(worker.runs, key=lambda run: run == worker.turn):
            self._revive(worker, run_id)
        with self._wake:
            self._dead.remove(worker)
            self._wake.notify_all()

    def _revive(self, worker: WorkerProcess, run_id: str) -> None:
        """What becomes of a dead worker's run; only the one whose turn it was has cost the worker. One that
        left by itself had been given it in that very moment."""
        guilty = not worker.left and (worker.turn not in worker.runs or worker.turn == run_id)
        most = 1 if worker.overdue else self._settings.deaths
        reason = f"Its worker died {{deaths}} times ({worker.ending}); it was given up."
        if worker.overdue:
            reason = too_long(self._settings.limits.step_seconds)

        if not self._closing:
            log.warning("a worker died (%s) that had run %s", worker.ending, run_id)
            self._records.worker_died(run_id, guilty=guilty, most=most, reason=reason)
        with self._wake:
            # Only now may another worker have it: until here its attempt was the dead one's.
            worker.runs.pop(run_id, None)
        self.follow(run_id)

    def _shut_down(self) -> None:
        """Let every worker save its run, then end it."""
        with self._wake:
            for worker in self._pool:
                for run_id in worker.runs:
                    worker.send({"do": "give back", "run": run_id, "attempt": None})
            end = time.monotonic() + SHUTDOWN_SECONDS
            while time.monotonic() < end and any(w.runs and w.ready for w in self._pool):
                self._wake.wait(0.05)
            pool = list(self._pool)
        for worker in pool:
            self.troubles.attempt("end a worker", worker.end)

    def _running(self) -> list[str]:
        return [run_id for worker in (*self._pool, *self._dead) for run_id in worker.runs]

    def _worker_of(self, run_id: str) -> WorkerProcess | None:
        return next((worker for worker in (*self._pool, *self._dead) if run_id in worker.runs), None)
