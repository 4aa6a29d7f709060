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
from .scheduler import Portion, PortionWorkers
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

    def out(self) -> set[tuple[str, int]]:
        with self._pool.lock:
            begun = (job.split(":") for job in self._pool.jobs("portion"))
            return {portion.name for portion in self._handed} | {(study, int(at)) for study, at in begun}

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
        """Each single run that has a worker takes the slot of one study worker; those without a slot rest."""
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
            self._attempt(
                "store a row", study, lambda: self._studies.add(study, base64.b64decode(event["record"]))
            )
        elif event["event"] == "ended":
            # The rows of a portion that is done stay: others are computed again after a power cut.
            self._attempt("sync the rows", study, lambda: self._studies.sync(study))
            with self._pool.lock:
                worker.jobs.pop(name, None)
                self._begun.pop(name, None)
            self.tick()

    def _attempt(self, what: str, study: str, action: Callable[[], object]) -> None:
        """What a disk may refuse: the portion is handed out again without it."""
        try:
            action()
        except (OSError, StoreError) as error:
            log.warning("cannot %s of study %s: %s", what, study, error)

    def on_death(self, worker: WorkerProcess, name: str, death: Death) -> None:
        """See JobSource. The portion is out no more, and is handed out again without what is done of it."""
        portion, place = worker.jobs[name], self._begun.pop(name, None)
        self._resting.discard(worker)
        if place is not None and not self._pool.is_closing:
            self._deaths[portion.study, place] += death.is_guilty
            if death.is_final(self._deaths[portion.study, place], self._settings):
                query = dict(portion.runs)[place]
                row = failed_record(self._store, place, query, self._settings.limits)
                self._attempt("store a row", portion.study, lambda: self._studies.add(portion.study, row))


def _is_compiled(portion: Portion) -> bool:
    """Whether the kernels of all its runs are there: its rows say how long they took."""
    return all(is_compiled(method_of(query)) for _, query in portion.runs)
