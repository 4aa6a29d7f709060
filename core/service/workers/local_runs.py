"""Single runs on this machine: which one is next, and what becomes of it.

What becomes of a run is decided by its record; the queue and the workers follow (`follow`). A dead worker's
run goes on from its last checkpoint; after the third death there it is given up.
"""

import time
from dataclasses import replace
from typing import Any

from .. import lifecycle
from ..files.disk import disk_has_space
from ..files.locks import FileLock
from ..files.unsaved import PatientFileStore
from ..presence import Presence
from ..queue import QueueFullError, RunQueue
from ..run_record import Record
from ..settings import Settings
from ..store import StoreError
from .child import FOR_RUNS
from .compute import Progress
from .deaths import Death
from .jobs import Job, JobKind, JobSource
from .kernels import all_compiled, is_compiled, method_of
from .pool import WorkerPool
from .process import WorkerProcess
from .recording import Records
from .run_scheduler import RunScheduler, act_on_newest

STOP_SECONDS = 0.6
"""A worker that has not stopped by then is killed; what it had saved remains."""


class LocalRuns(RunScheduler, JobSource):
    """See RunScheduler and JobSource."""

    def __init__(
        self, settings: Settings, store: PatientFileStore, presence: Presence, pool: WorkerPool
    ) -> None:
        self._settings, self._store, self._presence, self._pool = settings, store, presence, pool
        self.kind = JobKind(
            "run",
            niceness=FOR_RUNS,
            workers=settings.workers,
            seconds=settings.limits.step_seconds,
            jobs_per_worker=settings.runs_per_worker,
            max_jobs_per_worker=2 * settings.runs_per_worker,
            has_checkpoints=True,
            is_eager=True,
            is_never_cold=True,
        )
        self._home = FileLock(settings.home / "lock")
        self._queue = RunQueue(settings.limits, presence.people.here, lambda: pool.jobs("run"))
        self._records = Records(store, settings.home)
        self._done = 0.0, 0
        self._methods: dict[str, str] = {}
        """Of runs that were looked at while kernels were being compiled."""
        self._handed_over: set[str] = set()
        """Runs that an interpreted worker shall give back."""
        pool.add(self)

    def start(self) -> None:
        if not self._home.held:
            if not self._home.acquire():
                raise StoreError(f"Another server is using the directory {self._settings.home}.")
            self._store.tidy()
            self.recover()

    def close(self) -> None:
        self._home.release()

    def enqueue(self, run_id: str, quota: str) -> None:
        with self._pool.lock:
            if self._pool.is_closing and not self._queue.has(run_id):
                raise QueueFullError("The server is shutting down.", 10)
            self._queue.enqueue(run_id, quota)

    def charge(self, run_id: str, quota: str) -> None:
        with self._pool.lock:
            self._queue.charge(run_id, quota)

    def follow(self, run_id: str, record: Record | None = None) -> Record | None:
        return act_on_newest(self._store, run_id, record, self._act)

    def _act(self, run_id: str, record: Record | None) -> None:
        with self._pool.lock:
            worker = self._pool.worker_of("run", run_id)
            if record is None:
                # It had a place in the queue, and could not be written.
                self._queue.remove(run_id)
            elif record.status == "queued":
                self._records.park(run_id, False)
                if not self._pool.is_closing:
                    self._queue.put_back(run_id, record.request.quota)
                    self._pool.assign(self)
            elif record.status == "running":
                if record.state.command and worker is not None:
                    self._command(worker, run_id, record)
            else:
                self._queue.remove(run_id)
                self._forget(run_id)
                self._records.park(run_id, record.state.parked)

    def _command(self, worker: WorkerProcess, run_id: str, record: Record) -> None:
        """A worker has a command to obey, at this attempt alone; one that does not stop is killed."""
        if record.state.command == "stop":
            patience = STOP_SECONDS * (len(worker.stopping) + 1)
            worker.stopping.setdefault(run_id, time.monotonic() + patience)
            self._pool.wake()
        worker.send({"do": "give back", "job": run_id, "attempt": record.state.attempt})

    def has(self, run_id: str) -> bool:
        with self._pool.lock:
            return self._queue.has(run_id)

    def position(self, run_id: str) -> int | None:
        with self._pool.lock:
            return self._queue.position(run_id)

    def progress(self, run_id: str) -> Progress | None:
        """See RunScheduler; a worker that does not answer is not getting further."""
        with self._pool.lock:
            worker = self._pool.worker_of("run", run_id)
            if worker is None:
                return None
            progress: Progress = worker.jobs[run_id]
            return progress if worker.answers else replace(progress, rate=0.0)

    def under_way(self) -> list[str]:
        with self._pool.lock:
            return [*self._pool.jobs("run"), *self._queue.runs(), *self._records.parked()]

    def done(self) -> tuple[float, int]:
        """See RunScheduler: since the start."""
        return self._done

    def workers(self) -> int:
        """See RunScheduler. Without the lock: health never waits."""
        return sum(worker.ready and worker.answers for worker in self._pool.workers("run"))

    def recover(self) -> None:
        """Queue what an earlier process of this server left unfinished, in the order of asking."""
        left = self._records.left_over()
        with self._pool.lock:
            for record, run_id in left:
                self._queue.push(run_id, record.request.quota)

    def tick(self) -> None:
        """Pause runs that nobody looks at; let go on those that waited for space on the disk."""
        with self._pool.lock:
            running = [run for worker in self._pool.workers("run") if worker.ready for run in worker.jobs]
        for run_id in running:
            idle = self._presence.idle(run_id) > self._settings.pause_after_seconds
            if idle and self._records.paused(run_id):
                self.follow(run_id)
        for run_id in self._records.unparked():
            self.follow(run_id)
        self._hand_over()

    def _hand_over(self) -> None:
        """Runs that began interpreted go on from a checkpoint where their kernels are there by now."""
        with self._pool.lock:
            workers = self._pool.workers("run")
            if not any(worker.ready and not worker.is_interpreted for worker in workers):
                return
            for worker in workers:
                for run_id in worker.jobs if worker.is_interpreted else ():
                    if run_id not in self._handed_over and self._suits(run_id, is_interpreted=False):
                        self._handed_over.add(run_id)
                        worker.send({"do": "give back", "job": run_id, "attempt": None})

    def _suits(self, run_id: str, *, is_interpreted: bool) -> bool:
        """Whether a worker of this sort shall have the run. One without a record yet waits for it."""
        if all_compiled():
            return not is_interpreted
        if run_id not in self._methods:
            record = self._store.record(run_id)
            if record is None:
                return False
            self._methods[run_id] = method_of(record.request.query)
        return is_compiled(self._methods[run_id]) != is_interpreted

    def cold_sets(self) -> list[str]:
        """See JobSource."""
        return list(self._methods.values())

    def wants_worker(self, *, is_interpreted: bool) -> bool:
        interpreted = [worker for worker in self._pool.workers("run") if worker.is_interpreted]
        begun = [] if is_interpreted else [run_id for worker in interpreted for run_id in worker.jobs]
        return any(
            self._suits(run_id, is_interpreted=is_interpreted) for run_id in (*self._queue.runs(), *begun)
        )

    def next_job(self, worker: WorkerProcess, is_full: bool) -> Job | None:
        """See JobSource. Who has nothing under way need not wait for others."""
        run_id = self._queue.pop(
            1 if is_full else self._settings.limits.running_per_client,
            lambda waiting: self._suits(waiting, is_interpreted=worker.is_interpreted),
        )
        return None if run_id is None else Job(run_id, notes=Progress(0.0, 0.0))

    def on_message(self, worker: WorkerProcess, event: dict[str, Any]) -> None:
        if event["event"] != "progress":
            self._take_back(worker, event)
            return
        with self._pool.lock:
            if event["job"] in worker.jobs:
                worker.jobs[event["job"]] = Progress(event["epoch"], event["rate"], event["is_interpreted"])
                self._done = self._done[0] + event["epochs"], self._done[1] + event["frames"]

    def _take_back(self, worker: WorkerProcess, event: dict[str, Any]) -> None:
        """A worker has done with a run, or nothing that the run makes can be written."""
        how, run_id = event["event"], event["job"]
        if how == "parked" or (how == "refused" and not disk_has_space(self._settings.home)):
            self._records.insist(run_id, lifecycle.park)
        elif how == "refused":
            self._records.insist(run_id, lambda record: lifecycle.fail(record, event["reason"]))
        with self._pool.lock:
            self._records.park(run_id, how != "ended")
            worker.jobs.pop(run_id, None)
            worker.stopping.pop(run_id, None)
            self._forget(run_id)
        self.follow(run_id)

    def on_death(self, worker: WorkerProcess, name: str, death: Death) -> None:
        if not self._pool.is_closing:
            self._records.worker_died(name, death, self._settings)
        with self._pool.lock:
            # Only now may another worker have it: until here its attempt was the dead one's.
            worker.jobs.pop(name, None)
            self._forget(name)
        self.follow(name)

    def _forget(self, run_id: str) -> None:
        """No worker has it now."""
        self._handed_over.discard(run_id)
        self._methods.pop(run_id, None)
