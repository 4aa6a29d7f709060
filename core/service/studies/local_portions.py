"""Portions of studies on this machine: workers of the lowest priority, which rest while single runs need the
cores."""

import base64
import logging
from collections import Counter, deque
from collections.abc import Callable
from typing import Any

from ..settings import Settings
from ..store import Store, StoreError
from ..workers.child import FOR_STUDIES
from ..workers.deaths import Death
from ..workers.jobs import Job, JobKind, JobSource
from ..workers.kernels import is_compiled, method_of
from ..workers.pool import WorkerPool
from ..workers.process import WorkerProcess
from .portions import Portion, PortionWorkers
from .store import StudyStore
from .work import failed_record

IDLE_SECONDS = 30.0

log = logging.getLogger(__name__)


class LocalPortions(PortionWorkers, JobSource):
    """See PortionWorkers and JobSource."""

    def __init__(
        self, settings: Settings, store: Store, studies: StudyStore, busy: Callable[[], int], pool: WorkerPool
    ) -> None:
        self._settings, self._store, self._studies, self._pool = settings, store, studies, pool
        self._busy = busy
        """Single runs that are under way."""
        limits = settings.limits
        self.kind = JobKind(
            "portion",
            niceness=FOR_STUDIES,
            workers=settings.study_workers,
            seconds=2 * limits.cpu_seconds + limits.step_seconds,
            idle_seconds=IDLE_SECONDS,
        )
        self._handed: deque[Portion] = deque()
        """Portions that no worker has yet."""
        self._begun: dict[str, int] = {}
        """The place that a portion has got to."""
        self._deaths: Counter[tuple[str, int]] = Counter()
        self._resting: set[WorkerProcess] = set()
        pool.add(self)

    def leads(self) -> bool:
        """See PortionWorkers: nobody else could."""
        return True

    def out(self) -> set[tuple[str, int]]:
        with self._pool.lock:
            return {portion.name for portion in (*self._handed, *self._at_work())}

    def _at_work(self) -> list[Portion]:
        jobs = self._pool.jobs("portion")
        found = (self._pool.worker_of("portion", name) for name in jobs)
        return [worker.jobs[name] for name, worker in zip(jobs, found, strict=True) if worker is not None]

    def free_slots(self) -> int:
        with self._pool.lock:
            return self._settings.study_workers - len(self._handed) - len(self._pool.jobs("portion"))

    def hand(self, portion: Portion) -> None:
        with self._pool.lock:
            self._handed.append(portion)
            self._pool.assign(self)
            self._pool.wake()

    def drop(self, study: str) -> None:
        with self._pool.lock:
            self._handed = deque(portion for portion in self._handed if portion.study != study)
            for worker in self._pool.workers("portion"):
                for name, portion in worker.jobs.items():
                    if portion.study == study:
                        worker.send({"do": "give back", "job": name, "attempt": None})

    def workers(self) -> int:
        return self._settings.study_workers

    def tick(self) -> None:
        """Each single run that has a worker leaves room for one study worker less; those beyond rest."""
        with self._pool.lock:
            working = [worker for worker in self._pool.workers("portion") if worker.jobs]
            needed = min(self._busy(), self._settings.workers)
            resting = set(working[max(0, self._settings.study_workers - needed) :])
            for worker in resting - self._resting:
                worker.send({"do": "rest"})
            for worker in self._resting - resting:
                worker.send({"do": "go"})
            self._resting = resting

    def wants_worker(self, *, is_interpreted: bool) -> bool:  # noqa: ARG002
        return any(map(_is_compiled, self._handed))

    def next_job(self, worker: WorkerProcess, is_full: bool) -> Job | None:  # noqa: ARG002
        """See JobSource. A portion waits for its kernels."""
        portion = next(filter(_is_compiled, self._handed), None)
        if portion is None:
            return None
        self._handed.remove(portion)
        return Job(f"{portion.study}:{portion.first}", {"runs": portion.runs}, portion)

    def on_message(self, worker: WorkerProcess, event: dict[str, Any]) -> None:
        name = event["job"]
        study = name.partition(":")[0]
        if event["event"] == "begin":
            self._begun[name] = event["place"]
        elif event["event"] == "record":
            self._keep(study, base64.b64decode(event["record"]))
        elif event["event"] == "ended":
            self._sync(study)
            with self._pool.lock:
                worker.jobs.pop(name, None)
                self._begun.pop(name, None)
            self.tick()

    def _keep(self, study: str, record: bytes) -> None:
        try:
            self._studies.add(study, record)
        except (OSError, StoreError) as error:
            log.warning("a row of study %s could not be stored: %s", study, error)

    def _sync(self, study: str) -> None:
        """The rows of a portion that is done stay: others are computed again after a power cut."""
        try:
            self._studies.sync(study)
        except (OSError, StoreError) as error:
            log.warning("the rows of study %s may not be on the disk: %s", study, error)

    def on_death(self, worker: WorkerProcess, name: str, death: Death) -> None:
        """See JobSource. The portion is out no more, and is handed out again without what is done of it."""
        portion, place = worker.jobs[name], self._begun.pop(name, None)
        self._resting.discard(worker)
        if place is not None and not self._pool.is_closing:
            self._deaths[portion.study, place] += death.is_guilty
            if death.is_final(self._deaths[portion.study, place], self._settings):
                query = dict(portion.runs)[place]
                self._keep(portion.study, failed_record(self._store, place, query, self._settings.limits))


def _is_compiled(portion: Portion) -> bool:
    """Whether the kernels of all its runs are there: its rows say how long they took."""
    return all(is_compiled(method_of(query)) for _, query in portion.runs)
