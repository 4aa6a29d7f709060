"""The store of the embedded server's web process: what cannot be written now is kept in memory, and written
when there is space.

A disk that is full must not keep anybody from stopping a run. A change is a function from record to record,
so it can be held: whoever looks sees the stored record with the held changes applied, and the first change
that can be written again writes them all. What is held is lost if this process is killed before then.
"""

import logging
import threading
from pathlib import Path

from ...limits import LIMITS, Limits
from ..run_record import Record
from ..store import Changed, StorageFullError, StoreError, Transition
from .file_store import FileStore

log = logging.getLogger(__name__)


class PatientFileStore(FileStore):
    """See Store.insist."""

    def __init__(self, home: Path, limits: Limits = LIMITS) -> None:
        super().__init__(home, limits)
        self._unsaved: dict[str, tuple[Transition, ...]] = {}
        self._holding = threading.Lock()

    def record(self, run_id: str) -> Record | None:
        return _applied(super().record(run_id), self._unsaved.get(run_id, ()))

    def change(self, run_id: str, transition: Transition) -> Changed:
        if run_id not in self._unsaved:
            return super().change(run_id, transition)
        with self._holding:
            held = self._unsaved.get(run_id, ())
            old, new = super().change(run_id, lambda stored: transition(_applied(stored, held)))
            self._unsaved.pop(run_id, None)
        return _applied(old, held), new

    def insist(self, run_id: str, transition: Transition) -> Changed:
        try:
            return self.change(run_id, transition)
        except StorageFullError as error:
            old = self.record(run_id)
            transition(old)  # what it refuses is refused now
            log.warning("a change of run %s is kept in memory: %s", run_id, error)
            with self._holding:
                self._unsaved[run_id] = (*self._unsaved.get(run_id, ()), transition)
            return old, self.record(run_id)

    def write_unsaved(self) -> None:
        """Write what is held, as far as there is space."""
        for run_id in list(self._unsaved):
            try:
                self.change(run_id, lambda record: record)
            except StoreError as error:
                log.info("run %s still cannot be written: %s", run_id, error)
                return

    def delete(self, run_id: str, version: int | None = None) -> None:
        super().delete(run_id, version)
        with self._holding:
            self._unsaved.pop(run_id, None)


def _applied(record: Record | None, held: tuple[Transition, ...]) -> Record | None:
    """What is seen of a stored record; nothing of one that is away with its disk."""
    for transition in held:
        record = transition(record) if record is not None else None
    return record
