"""Studies of the embedded store: a folder each, written by the web process alone.

studies/<id>/order.rec    replaced by write - sync - rename
studies/<id>/rows.rec     append-only, see core.service.files.frame_file
"""

import shutil
import threading
from collections import OrderedDict
from collections.abc import Iterable
from contextlib import suppress
from os import scandir
from pathlib import Path

from ...limits import Limits
from ..files.durable import make_folder, replace_file
from ..files.frame_file import FrameIndex, FrameWriter
from ..records import DOCUMENT, HEADER, INDEX, DamageError, frame_record, only_record
from ..store import NAME, StoreError
from .store import StudyOrder, StudyStore, pack_order, record_place, unpack_order

_OPEN = 16
"""Studies whose files are kept open for writing."""


class FileStudies(StudyStore):
    """See StudyStore. Each study has a lock of its own: who looks at one holds up nobody who writes another.

    Orders, and which places of a study are done, are read once: there may be 200 studies, and whoever looks
    after the server asks for all of them every few seconds.
    """

    def __init__(self, home: Path, limits: Limits) -> None:
        self._folder, self._limits = home / "studies", limits
        make_folder(self._folder)
        self._orders: dict[str, StudyOrder] = {}
        self._logs: dict[str, _Log] = {}
        self._writing: OrderedDict[str, _Log] = OrderedDict()
        self._guard = threading.Lock()

    def place(self, study_id: str, order: StudyOrder) -> None:
        path = self._path(study_id)
        make_folder(path)
        replace_file(path / "order.rec", frame_record(DOCUMENT, pack_order(order)))
        with self._guard:
            self._orders[study_id] = order

    def order(self, study_id: str) -> StudyOrder | None:
        with self._guard:
            if (known := self._orders.get(study_id)) is not None:
                return known
            # Within the lock: what is placed meanwhile is kept after it.
            with suppress(OSError, DamageError, TypeError):
                data = (self._path(study_id) / "order.rec").read_bytes()
                self._orders[study_id] = order = unpack_order(bytes(only_record(data, DOCUMENT)))
                return order
        return None

    def studies(self) -> list[str]:
        return [entry.name for entry in scandir(self._folder) if NAME.fullmatch(entry.name)]

    def add(self, study_id: str, record: bytes) -> bool:
        log = self._log(study_id)
        with log.lock:
            added = log.add(record)
        with self._guard:
            self._writing[study_id] = log
            self._writing.move_to_end(study_id)
            surplus = [self._writing.popitem(last=False)[1] for _ in range(len(self._writing) - _OPEN)]
        for other in surplus:
            with other.lock:
                other.close()
        return added

    def sync(self, study_id: str) -> None:
        log = self._log(study_id)
        with log.lock:
            log.sync()

    def count(self, study_id: str) -> int:
        log = self._log(study_id)
        with log.lock:
            return log.count

    def records(self, study_id: str, first: int, last: int) -> list[bytes]:
        log = self._log(study_id)
        with log.lock:
            return log.read(first, last)

    def missing(self, study_id: str, places: Iterable[int]) -> list[int]:
        log = self._log(study_id)
        with log.lock:
            return [place for place in places if not log.has(place)]

    def size(self, study_id: str) -> int:
        with suppress(FileNotFoundError):
            return sum(entry.stat().st_size for entry in scandir(self._path(study_id)))
        return 0

    def delete(self, study_id: str) -> None:
        log = self._log(study_id)
        with log.lock:
            with self._guard:
                self._logs.pop(study_id, None)
                self._writing.pop(study_id, None)
                self._orders.pop(study_id, None)
            log.close()
            shutil.rmtree(self._path(study_id), ignore_errors=True)

    def _path(self, study_id: str) -> Path:
        if not NAME.fullmatch(study_id):
            raise StoreError("A study is named by 32 hexadecimal digits.")
        return self._folder / study_id

    def _log(self, study_id: str) -> "_Log":
        path = self._path(study_id) / "rows.rec"
        with self._guard:
            if study_id not in self._logs:
                self._logs[study_id] = _Log(path, self._limits.total_bytes)
            return self._logs[study_id]


class _Log:
    """The records of one study, and which places they are of. Whoever uses it holds its lock."""

    def __init__(self, path: Path, largest: int) -> None:
        self.lock = threading.Lock()
        self._path, self._largest = path, largest
        self._index = FrameIndex(path)
        self._writer: FrameWriter | None = None
        self._places = bytearray()
        """1 for each place that has a record; a set would take sixty times as much."""
        self._count = 0
        self._is_read = False

    @property
    def count(self) -> int:
        """Records."""
        self._read_once()
        return self._count

    def has(self, place: int) -> bool:
        """Whether there is a record of a place."""
        self._read_once()
        return place < len(self._places) and bool(self._places[place])

    def add(self, record: bytes) -> bool:
        """Append one record, unless its place is taken."""
        place = record_place(record)
        if self.has(place):
            return False
        if self._writer is None:
            self._writer = FrameWriter(self._path, frame_record(HEADER, b"study"), self._largest)
        self._writer.append([INDEX.pack(self._writer.frames) + record])
        self._mark(place)
        return True

    def read(self, first: int, last: int) -> list[bytes]:
        """Records by number."""
        self._index.refresh()
        return [payload[INDEX.size :] for payload in self._index.read(first, last)]

    def sync(self) -> None:
        """Wait until the disk has all of them."""
        if self._writer is not None:
            self._writer.sync()

    def close(self) -> None:
        """Close the file, which the disk then has."""
        if self._writer is not None:
            self._writer.sync()
            self._writer.close()
            self._writer = None

    def _read_once(self) -> None:
        if not self._is_read:
            for record in self.read(0, self._index.refresh()):
                self._mark(record_place(record))
            self._is_read = True

    def _mark(self, place: int) -> None:
        if place >= len(self._places):
            self._places.extend(bytes(place + 1 - len(self._places)))
        self._count += not self._places[place]
        self._places[place] = 1
