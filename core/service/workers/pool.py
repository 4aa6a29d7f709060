"""The one pool of worker processes on this machine, and the one thread that schedules them.

A worker is started for one kind of job and keeps it: single runs, background queries, portions of studies.
The operating system lets a process lower its own priority and not raise it again, so a worker that has
computed for a study could not go back to runs. Everything else is the same for all kinds: how a process is
started, watched, ended and replaced, and what its death means for the jobs that it had.

What jobs there are, and whose turn it is, a `JobSource` knows for each kind. Every round of the thread asks
the sources, in the order of their priority, to look after themselves, starts the workers that are needed and
hands out jobs. One lock guards queues and workers; polls need it, so nothing is written to a disk under it.
Only this thread starts processes: Linux ends a child with the *thread* that made it (see process).
"""

import logging
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from ..settings import Settings
from .deaths import Death, is_guilty
from .jobs import JobKind, JobSource
from .kernels import FIRST, is_compiled
from .process import WorkerProcess
from .troubles import Troubles

GRACE_SECONDS = 10.0
"""Beyond the time limit of a job: the worker's own alarm comes first where there is one."""
SHUTDOWN_SECONDS = 5.0
STARTUP_FAILURES, RETRY_SECONDS = 5, 10.0
"""After so many workers that ended before they were ready, the next one waits so long."""
TICK_SECONDS = 0.2
INTERPRETED_SECONDS = 10.0
"""An interpreted worker without a job is kept so long once the kernels that are needed first are compiled."""

log = logging.getLogger(__name__)


class WorkerPool:
    """Thread-safe."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._sources: list[JobSource] = []
        self._steps: dict[str, Callable[[], None]] = {}
        self._workers: dict[str, list[WorkerProcess]] = {}
        self._dead: list[WorkerProcess] = []
        """Those that have ended and whose jobs nobody has been given yet."""
        self._failures, self._failed = 0, 0.0
        self.lock = threading.Condition(threading.RLock())
        self.is_closing, self._is_woken = False, False
        self._thread: threading.Thread | None = None
        self.troubles = Troubles("scheduler")

    def add(self, source: JobSource) -> None:
        """Jobs of one more kind, which come after those of a higher priority."""
        self._sources = sorted([*self._sources, source], key=lambda one: one.kind.niceness)
        self._workers[source.kind.name] = []

    def add_step(self, name: str, step: Callable[[], None]) -> None:
        """Something else to be done in every round, without the lock."""
        self._steps[name] = step

    def start(self) -> None:
        """Begin to hand out jobs."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._schedule, name="scheduler", daemon=True)
            self._thread.start()

    @property
    def is_started(self) -> bool:
        """Whether jobs are handed out."""
        return self._thread is not None

    def close(self) -> None:
        """Let every worker save what it has, then end it."""
        with self.lock:
            self.is_closing = True
            self.lock.notify_all()
        if self._thread is not None:
            self._thread.join()

    def wake(self) -> None:
        """There is something to do."""
        with self.lock:
            self._is_woken = True
            self.lock.notify_all()

    def workers(self, kind: str) -> list[WorkerProcess]:
        """Those that live. Without the lock: health never waits."""
        return list(self._workers[kind])

    def jobs(self, kind: str) -> list[str]:
        """The jobs that workers have, or had when they died a moment ago."""
        return [name for worker in self._with_dead(kind) for name in worker.jobs]

    def worker_of(self, kind: str, name: str) -> WorkerProcess | None:
        """The worker that has a job."""
        return next((worker for worker in self._with_dead(kind) if name in worker.jobs), None)

    def is_starting(self, but: str) -> bool:
        """Whether a worker of any kind but one still loads."""
        return any(not one.ready for kind, found in self._workers.items() for one in found if kind != but)

    def cold_sets(self) -> list[str]:
        """The sets of kernels that somebody waits for."""
        with self.lock:
            return [name for source in self._sources for name in source.cold_sets()]

    def _with_dead(self, kind: str) -> list[WorkerProcess]:
        return [*self._workers[kind], *(worker for worker in self._dead if worker.kind == kind)]

    def assign(self, source: JobSource) -> None:
        """Give jobs to the workers that have the fewest; one that still compiles may have them in advance.
        Where all are full, a worker takes more only of jobs that need not wait."""
        with self.lock:
            for is_interpreted in (False, True):
                self._assign(source, is_interpreted)

    def _assign(self, source: JobSource, is_interpreted: bool) -> None:
        most, limit = source.kind.jobs_per_worker, source.kind.max_jobs_per_worker
        while not self.is_closing:
            free = [one for one in self._of_sort(source, is_interpreted) if len(one.jobs) < limit]
            if not free:
                return
            is_full = all(len(worker.jobs) >= most for worker in free)
            worker = min(free, key=_distance)
            worker.heard = worker.heard if worker.jobs else time.monotonic()
            job = source.next_job(worker, is_full)
            if job is None:
                return
            worker.jobs[job.name] = job.notes
            worker.send({"do": "work", "job": job.name, **job.command})

    def _of_sort(self, source: JobSource, is_interpreted: bool) -> list[WorkerProcess]:
        return [one for one in self._workers[source.kind.name] if one.is_interpreted == is_interpreted]

    def _schedule(self) -> None:
        """The scheduler's thread."""
        while True:
            with self.lock:
                if self.is_closing:
                    break
                self._is_woken = False
                self.troubles.comes_round()
            for name, step in self._steps.items():
                self.troubles.attempt(name, step)
            for source in self._sources:
                name = source.kind.name
                self.troubles.attempt(f"keep the queue of jobs ({name})", source.tick)
                with self.lock:
                    self.troubles.attempt(f"start workers ({name})", partial(self._refill, source))
                    self.troubles.attempt(f"hand out jobs ({name})", partial(self.assign, source))
                    self.troubles.attempt(f"look after workers ({name})", partial(self._check, source))
                self.troubles.attempt(f"end idle workers ({name})", partial(self._end_idle, source))
            with self.lock:
                if not self.is_closing and not self._is_woken:
                    self.lock.wait(TICK_SECONDS)
        self.troubles.ends()
        self._shut_down()

    def _refill(self, source: JobSource) -> None:
        if self._failures >= STARTUP_FAILURES and time.monotonic() - self._failed < RETRY_SECONDS:
            return
        kind = source.kind
        for is_interpreted in (False, True) if kind.is_never_cold else (False,):
            while len(workers := self._of_sort(source, is_interpreted)) < kind.workers:
                is_eager = kind.is_eager and self._suits_now(is_interpreted)
                is_free = not all(one.jobs for one in workers)
                if not is_eager and (is_free or not source.wants_worker(is_interpreted=is_interpreted)):
                    break
                self._workers[kind.name].append(
                    WorkerProcess(
                        self.settings,
                        self.troubles,
                        self.on_message,
                        self.on_exit,
                        kind=kind.name,
                        niceness=kind.niceness,
                        busy_seconds=kind.busy_seconds,
                        is_interpreted=is_interpreted,
                    )
                )
                self.assign(source)

    def _suits_now(self, is_interpreted: bool) -> bool:
        """Whether a worker is of use before there is a job for it: what is asked first is compiled first."""
        return is_compiled(FIRST[0]) != is_interpreted

    def _check(self, source: JobSource) -> None:
        """End what does not answer, does not stop, or takes too long."""
        now = time.monotonic()
        for worker in self._workers[source.kind.name]:
            worker.end_if_stuck()
            if worker.jobs:
                worker.needed = now
            if worker.stopping:
                if now > min(worker.stopping.values()):
                    worker.kill()
            elif worker.jobs and worker.ready and now - worker.heard > source.kind.seconds + GRACE_SECONDS:
                log.warning("a worker has not been heard of for %.0f s and is ended", now - worker.heard)
                worker.kill(hung=True)

    def _end_idle(self, source: JobSource) -> None:
        with self.lock:
            workers = self._workers[source.kind.name]
            now, free = time.monotonic(), [worker for worker in workers if not worker.jobs]
            idle = [worker for worker in free if now - worker.needed > self._patience(source.kind, worker)]
            workers[:] = [worker for worker in workers if worker not in idle]
        for worker in idle:
            worker.end()

    def _patience(self, kind: JobKind, worker: WorkerProcess) -> float:
        """How long a worker is kept without a job."""
        if not worker.is_interpreted:
            return kind.idle_seconds
        return float("inf") if kind.is_eager and self._suits_now(True) else INTERPRETED_SECONDS

    def on_message(self, worker: WorkerProcess, event: dict[str, Any]) -> None:
        """Called from the worker's reader thread."""
        source = self._source(worker.kind)
        worker.heard = time.monotonic()
        if event["event"] == "ready":
            with self.lock:
                worker.ready, self._failures = True, 0
        elif event["event"] == "turn":
            worker.turn = event["job"]
        else:
            source.on_message(worker, event)
        self.assign(source)
        self.wake()

    def on_exit(self, worker: WorkerProcess) -> None:
        """Called from the worker's reader thread when the process has ended, and again if that fails."""
        workers = self._workers[worker.kind]
        with self.lock:
            if worker in workers:
                workers.remove(worker)
                self._dead.append(worker)
                if not worker.ready:
                    self._failures, self._failed = self._failures + 1, time.monotonic()
        for name in list(worker.jobs):
            # A worker that left by itself had been given its jobs in that very moment.
            guilty = not worker.left and is_guilty(name, worker.turn)
            if not self.is_closing:
                log.warning("a worker died (%s) that had the %s %s", worker.ending, worker.kind, name)
            self._source(worker.kind).on_death(worker, name, Death(worker.ending, guilty, worker.overdue))
            with self.lock:
                worker.jobs.pop(name, None)
        with self.lock:
            if worker in self._dead:
                self._dead.remove(worker)
        self.wake()

    def _source(self, kind: str) -> JobSource:
        return next(source for source in self._sources if source.kind.name == kind)

    def _shut_down(self) -> None:
        workers = [worker for each in self._workers.values() for worker in each]
        kinds = [source.kind.name for source in self._sources if source.kind.has_checkpoints]
        saving = [worker for worker in workers if worker.kind in kinds]
        with self.lock:
            for worker in workers:
                for name in worker.jobs:
                    worker.send({"do": "give back", "job": name, "attempt": None})
            end = time.monotonic() + SHUTDOWN_SECONDS
            while time.monotonic() < end and any(one.jobs and one.ready for one in saving):
                self.lock.wait(0.05)
        for worker in workers:
            self.troubles.attempt("end a worker", worker.end)


NOT_READY = 2
"""A worker that still compiles is as far away as one with so many jobs."""


def _distance(worker: WorkerProcess) -> int:
    return len(worker.jobs) + NOT_READY * (not (worker.ready and worker.answers))
