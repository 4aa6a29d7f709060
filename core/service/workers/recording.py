"""How the embedded scheduler changes records, also while the disk is full or gone, and what waits for it."""

import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path

from .. import lifecycle
from ..files.disk import disk_has_space
from ..files.unsaved import PatientFileStore
from ..run_record import Record
from ..settings import Settings
from ..store import StorageFullError, StoreError, Worked
from .deaths import Death

SPACE_SECONDS = 2.0
"""How often a full disk is looked at."""

log = logging.getLogger(__name__)


class RunAwayError(StorageFullError):
    """The disk that has the run is away."""


class Records:
    """The scheduler's hand in the records. No method holds a lock while it writes."""

    def __init__(self, store: PatientFileStore, home: Path) -> None:
        self._store, self._home = store, home
        self._parked: set[str] = set()
        """Runs that wait for space on the disk, and that no worker has."""
        self._looked = 0.0
        self._guard = threading.Lock()

    def park(self, run_id: str, parked: bool) -> None:
        """Note that a run waits for space, or no more."""
        with self._guard:
            (self._parked.add if parked else self._parked.discard)(run_id)

    def parked(self) -> list[str]:
        """The runs that wait for space."""
        with self._guard:
            return sorted(self._parked)

    def unparked(self) -> list[str]:
        """Once there is space, write what could not be, and let go on what waited for it: these runs."""
        now = time.monotonic()
        if now - self._looked < SPACE_SECONDS:
            return []
        self._looked = now
        if not disk_has_space(self._home):
            return []
        self._store.write_unsaved()
        waiting = self.parked()
        for run_id in waiting:
            # One that was away with its disk may say that it is running; no worker has it.
            self.change(run_id, lambda record: lifecycle.unpark(lifecycle.recover(record)))
        return waiting

    def left_over(self) -> list[tuple[Record, str]]:
        """The runs that an earlier process left queued, in the order of asking."""
        found = []
        for run_id in self._store.unfinished():
            record = self.change(run_id, lifecycle.recover)
            if record is None:
                continue
            if record.status == "queued":
                found.append((record, run_id))
            elif record.state.parked:
                self.park(run_id, True)
        return sorted(found, key=lambda each: (each[0].request.placed, each[1]))

    def paused(self, run_id: str) -> bool:
        """Pause a run that nobody looks at; whether that changes anything."""
        record = self._store.record(run_id)
        if record is None or lifecycle.pause(record) is record:
            return False
        return self.change(run_id, lifecycle.pause) is not None

    def worker_died(self, run_id: str, death: Death, settings: Settings) -> None:
        """The worker that has the run is no more; nobody else has been given the run since. StorageFullError
        where the record can be neither read nor written: the death would be lost, and the run with it."""
        try:
            self._store.insist(run_id, _found(lambda record: death.of_run(record, settings)))
        except RunAwayError:
            log.warning("run %s is away with its disk", run_id)

    def change(self, run_id: str, transition: Worked) -> Record | None:
        """A change that can wait; None when it has to, or there is no such run."""
        try:
            return self._store.change(run_id, lambda record: transition(record) if record else None)[1]
        except StoreError as error:
            log.warning("run %s could not be changed: %s", run_id, error)
            return None

    def insist(self, run_id: str, transition: Worked) -> None:
        """A change that cannot wait; a run that is not there is away with its disk, for a while."""
        try:
            self._store.insist(run_id, _found(transition))
        except StorageFullError:
            log.warning("run %s is away with its disk", run_id)


def _found(transition: Worked) -> Callable[[Record | None], Record]:
    """The same for a record that may not be there."""

    def there(record: Record | None) -> Record:
        if record is None:
            raise RunAwayError("The run is not to be found.")
        return transition(record)

    return there
