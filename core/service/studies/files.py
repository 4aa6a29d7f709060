"""Studies of the embedded store: a folder each, written by the web process alone.

studies/<id>/order.rec    replaced by write - sync - rename
studies/<id>/rows.rec     append-only, see core.service.files.frame_file
"""

import os
import shutil
import threading
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from core.limits import Limits
from core.service.files.file_claim import replace_file
from core.service.files.frame_file import FrameIndex, FrameWriter
from core.service.records import DOCUMENT, HEADER, INDEX, DamageError, frame_record, only_record
from core.service.store import NAME, StoreError
from core.service.studies.store import StudyOrder, StudyStore, pack_order, record_place, unpack_order

_OPEN = 16
"""Studies whose files are kept open."""


class FileStudies(StudyStore):
    """See StudyStore."""

    def __init__(self, home: Path, limits: Limits) -> None:
        self._folder, self._limits = home / "studies", limits
        self._folder.mkdir(parents=True, exist_ok=True)
        self._logs: dict[str, _Log] = {}
        self._guard = threading.RLock()

    def place(self, study_id: str, order: StudyOrder) -> None:
        path = self._path(study_id)
        path.mkdir(exist_ok=True)
        replace_file(path / "order.rec", frame_record(DOCUMENT, pack_order(order)), durable=True)

    def order(self, study_id: str) -> StudyOrder | None:
        with suppress(OSError, DamageError, TypeError):
            data = (self._path(study_id) / "order.rec").read_bytes()
            return unpack_order(bytes(only_record(data, DOCUMENT)))
        return None

    def studies(self) -> list[str]:
        return [entry.name for entry in os.scandir(self._folder) if NAME.fullmatch(entry.name)]

    def add(self, study_id: str, record: bytes) -> bool:
        with self._guard:
            return self._log(study_id).add(record)

    def count(self, study_id: str) -> int:
        with self._guard:
            return len(self._log(study_id).places)

    def records(self, study_id: str, first: int, last: int) -> list[bytes]:
        with self._guard:
            return self._log(study_id).read(first, last)

    def missing(self, study_id: str, places: Iterable[int]) -> list[int]:
        with self._guard:
            known = self._log(study_id).places
            return [place for place in places if place not in known]

    def size(self, study_id: str) -> int:
        with suppress(FileNotFoundError):
            return sum(entry.stat().st_size for entry in os.scandir(self._path(study_id)))
        return 0

    def delete(self, study_id: str) -> None:
        with self._guard:
            if (log := self._logs.pop(study_id, None)) is not None:
                log.close()
            shutil.rmtree(self._path(study_id), ignore_errors=True)

    def _path(self, study_id: str) -> Path:
        if not NAME.fullmatch(study_id):
            raise StoreError("A study is named by 32 hexadecimal digits.")
        return self._folder / study_id

    def _log(self, study_id: str) -> "_Log":
        if study_id not in self._logs:
            while len(self._logs) >= _OPEN:
                self._logs.pop(next(iter(self._logs))).close()
            self._logs[study_id] = _Log(self._path(study_id), self._limits.total_bytes)
        return self._logs[study_id]


class _Log:
    """The records of one study, and which places they are of."""

    def __init__(self, folder: Path, largest: int) -> None:
        path = folder / "rows.rec"
        self._index = FrameIndex(path)
        count = self._index.refresh()
        self.places = {record_place(record) for record in self.read(0, count)}
        self._writer: FrameWriter | None = None
        self._path, self._largest = path, largest

    def add(self, record: bytes) -> bool:
        """Append one record, unless its place is taken."""
        if record_place(record) in self.places:
            return False
        if self._writer is None:
            self._writer = FrameWriter(self._path, frame_record(HEADER, b"study"), self._largest)
        self._writer.append([INDEX.pack(self._writer.frames) + record])
        self.places.add(record_place(record))
        return True

    def read(self, first: int, last: int) -> list[bytes]:
        """Records by number."""
        self._index.refresh()
        return [payload[INDEX.size :] for payload in self._index.read(first, last)]

    def close(self) -> None:
        """Close the file."""
        if self._writer is not None:
            self._writer.close()
