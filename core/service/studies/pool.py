"""The crew of the embedded back end: processes of its own, which rest while single runs need the cores."""

import base64
import logging
import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from ..settings import Settings
from ..store import Store, StoreError
from ..workers.process import WorkerProcess
from ..workers.troubles import Troubles
from .crew import Crew, Portion
from .store import StudyStore
from .work import failed_record

IDLE_SECONDS = 30.0
"""Processes that have had nothing to do for so long are ended: they take memory."""
_MODULE = "core.service.studies.worker"

log = logging.getLogger(__name__)


class Pool(Crew):
    """See Crew. Processes are started and ended by the director's thread, see core.service.workers."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        studies: StudyStore,
        busy: Callable[[], int],
        wake: Callable[[], None],
    ) -> None:
        self._settings, self._store, self._studies = settings, store, studies
        self._busy, self._wake = busy, wake
        self._workers: list[WorkerProcess] = []
        self._out: dict[WorkerProcess, Portion] = {}
        self._begun: dict[WorkerProcess, int] = {}
        self._deaths: Counter[tuple[str, int]] = Counter()
        self._resting: set[WorkerProcess] = set()
        self._needed = time.monotonic()
        self._guard = threading.RLock()
        self.troubles = Troubles("pool of studies")

    def leads(self) -> bool:
        """See Crew: nobody else could. Called at every tick, so this is where processes rest or end."""
        with self._guard:
            for worker in self._workers:
                worker.end_if_stuck()
            self._hold_back()
            if self._out:
                self._needed = time.monotonic()
            idle = self._workers if time.monotonic() - self._needed > IDLE_SECONDS else []
            ended = list(idle)
            self._workers = [worker for worker in self._workers if worker not in ended]
        for worker in ended:
            worker.end()
        return True

    def out(self) -> set[tuple[str, int]]:
        with self._guard:
            return {portion.name for portion in self._out.values()}

    def free_slots(self) -> int:
        with self._guard:
            return self._settings.study_workers - len(self._out)

    def hand(self, portion: Portion) -> None:
        with self._guard:
            idle = [worker for worker in self._workers if worker not in self._out]
            if not idle:
                idle = [WorkerProcess(self._settings, self.troubles, self.on_message, self.on_exit, _MODULE)]
                self._workers += idle
            # One that is loaded before one that still loads.
            worker = min(idle, key=lambda each: not each.ready)
            self._out[worker] = portion
            worker.send({"do": "portion", "study": portion.study, "runs": portion.runs})
            self._hold_back()

    def drop(self, study: str) -> None:
        with self._guard:
            for worker, portion in self._out.items():
                if portion.study == study:
                    worker.send({"do": "drop", "study": study})

    def workers(self) -> int:
        return self._settings.study_workers

    def close(self) -> None:
        with self._guard:
            workers, self._workers = self._workers, []
        for worker in workers:
            worker.end()

    def _hold_back(self) -> None:
        """As many processes rest as single runs have workers to compute them."""
        working = [worker for worker in self._workers if worker in self._out]
        needed = min(self._busy(), self._settings.workers)
        resting = set(working[max(0, self._settings.study_workers - needed) :])
        for worker in resting - self._resting:
            worker.send({"do": "rest"})
        for worker in self._resting - resting:
            worker.send({"do": "go"})
        self._resting = resting

    def on_message(self, worker: WorkerProcess, event: dict[str, Any]) -> None:
        """Called from the worker's reader thread."""
        with self._guard:
            kind = event["event"]
            if kind == "ready":
                worker.ready = True
            elif kind == "begin":
                self._begun[worker] = event["place"]
            elif kind == "record":
                self._keep(event["study"], base64.b64decode(event["record"]))
            elif kind == "done":
                self._sync(event["study"])
                self._out.pop(worker, None)
                self._begun.pop(worker, None)
        if kind in ("ready", "done"):
            self._wake()

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

    def on_exit(self, worker: WorkerProcess) -> None:
        """Called from the worker's reader thread when the process has ended."""
        with self._guard:
            if worker in self._workers:
                self._workers.remove(worker)
            self._resting.discard(worker)
            portion, place = self._out.get(worker), self._begun.pop(worker, None)
            if portion is not None and place is not None:
                log.warning("a worker of study %s died (%s)", portion.study, worker.ending)
                self._deaths[portion.study, place] += 1
                if worker.timed_out or self._deaths[portion.study, place] >= self._settings.deaths:
                    query, limits = dict(portion.runs)[place], self._settings.limits
                    self._keep(portion.study, failed_record(self._store, place, query, limits))
            # Last: what cannot be told of its run now is not tried again, but its portion is.
            self._out.pop(worker, None)
        self._wake()
