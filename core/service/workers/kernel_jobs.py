"""Workers that compile kernels, set by set, beside interpreted workers that need them.

They have the lowest priority, so that what is asked meanwhile is answered. What somebody waits for is
compiled next. A set that takes too many workers with it is left to whoever needs it.
"""

import heapq
import logging
import os
import time
from collections import Counter
from typing import Any

from .child import FOR_STUDIES
from .deaths import Death
from .jobs import Job, JobKind, JobSource
from .kernels import FIRST, is_compiled, kernel_sets, note_compiled
from .pool import WorkerPool
from .process import WorkerProcess

MAX_WORKERS = 4
"""Sets have many kernels in common, and each worker compiles those that are not there yet."""
EXPECTED_SECONDS = {FIRST[0]: 40.0, FIRST[1]: 40.0}
"""What a set takes on two cores of 2025, roughly; others find most of their kernels there."""
OTHER_SECONDS = 15.0
LEAST_SECONDS = 5.0
"""What is due and not there takes so long still, as far as anybody knows."""
IDLE_SECONDS = 2.0

log = logging.getLogger(__name__)


class KernelJobs(JobSource):
    """See JobSource."""

    def __init__(self, pool: WorkerPool) -> None:
        self._pool = pool
        self.kind = JobKind(
            "kernels",
            niceness=FOR_STUDIES,
            workers=min(os.cpu_count() or 1, MAX_WORKERS),
            seconds=600.0,
            idle_seconds=IDLE_SECONDS,
        )
        self._left = kernel_sets()
        """Sets that no worker has been given, in the order in which they are needed."""
        self._deaths: Counter[str] = Counter()
        self._begun = time.monotonic()
        pool.add(self)

    def tick(self) -> None:
        """What somebody waits for comes first; what another server has compiled need not be."""
        needed = self._pool.cold_sets()
        with self._pool.lock:
            left = [name for name in self._left if not is_compiled(name)]
            self._left = sorted(left, key=lambda name: name not in needed)

    def wants_worker(self, *, is_interpreted: bool) -> bool:  # noqa: ARG002
        """See JobSource. Those that somebody waits for load first."""
        return bool(self._left) and not self._pool.is_starting(self.kind.name)

    def next_job(self, worker: WorkerProcess, is_full: bool) -> Job | None:  # noqa: ARG002
        """See JobSource. What is noted is when it began."""
        return Job(self._left.pop(0), notes=time.monotonic()) if self._left else None

    def on_message(self, worker: WorkerProcess, event: dict[str, Any]) -> None:
        name = event["job"]
        if event["failure"]:
            log.warning("the kernels of %s could not be compiled: %s", name, event["failure"])
        note_compiled(name, kept=False)
        with self._pool.lock:
            worker.jobs.pop(name, None)

    def on_death(self, worker: WorkerProcess, name: str, death: Death) -> None:
        if self._pool.is_closing:
            return
        self._deaths[name] += death.is_guilty
        with self._pool.lock:
            worker.jobs.pop(name, None)
            if not death.is_final(self._deaths[name], self._pool.settings):
                self._left.insert(0, name)
                return
        log.warning("the kernels of %s could not be compiled: %s", name, death.how)
        note_compiled(name, kept=False)

    def seconds_left(self, name: str) -> float:
        """About how long it takes until the kernels of a set are compiled; 0 when they are."""
        if is_compiled(name):
            return 0.0
        now = time.monotonic()
        with self._pool.lock:
            begun = {job: at for worker in self._pool.workers("kernels") for job, at in worker.jobs.items()}
            ahead = [*self._left[: self._left.index(name)], name] if name in self._left else []
        left = {job: max(LEAST_SECONDS, _expected(job) - (now - at)) for job, at in begun.items()}
        free = sorted([*left.values(), *([0.0] * (self.kind.workers - len(left)))])
        for job in ahead:
            # Whoever is done first takes the next one.
            left[job] = heapq.heappop(free) + _expected(job)
            heapq.heappush(free, left[job])
        return left.get(name, LEAST_SECONDS)

    def warming_up(self, name: str) -> str:
        """That a run is slow until its kernels are compiled; empty when they are."""
        seconds = self.seconds_left(name)
        if seconds <= LEAST_SECONDS:
            return "Warming up: full speed soon." if seconds else ""
        return f"Warming up: full speed in about {5 * round(seconds / 5)} s."


def _expected(name: str) -> float:
    return EXPECTED_SECONDS.get(name, OTHER_SECONDS)
