"""A worker for portions of studies: the record of each run goes back to the web process."""

import base64
import logging
from typing import Any

from ..store import ClaimedError, StoreError
from ..workers.kernels import load_kernels
from ..workers.worker import Worker
from .work import PauseControl, compute_record


class PortionWorker(Worker, PauseControl):
    """See Worker and PauseControl."""

    _job = ""

    def prepare(self) -> None:
        load_kernels(self.is_waited_for)

    def work(self, new: list[dict[str, Any]]) -> None:
        """One portion after the other."""
        for job in new:
            self._job = job["job"]
            self.say("turn", self._job)
            for place, query in job["runs"]:
                if not (self.go_on() and self._compute(place, query)):
                    break
            self.end_job(self._job)
            self.say("ended", self._job)

    def _compute(self, place: int, query: str) -> bool:
        """Whether the run is done."""
        self.say("begin", self._job, place=place)
        try:
            record = compute_record(self._store, place, query, self._limits, self)
        except (ClaimedError, StoreError) as error:
            logging.warning("a run of a study could not be computed now: %s", error)
            return False
        if record is not None:
            self.say("record", self._job, record=base64.b64encode(record).decode())
        return record is not None

    def go_on(self) -> bool:
        return self.rest(self._job)
