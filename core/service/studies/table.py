"""Studies of the embedded server, in its database; written by the web process alone.

Rows come many a second, and a transaction takes a hundredth of one. So rows are held in memory, where readers
find them, and written together when a portion is done, or when there are many.
"""

import logging
import threading
from collections.abc import Iterable
from contextlib import suppress

from ..files.database import Database, checksum
from ..store import NAME, StorageFullError, StoreError
from .store import RequestedStudy, StudyStore, pack_request, record_place, unpack_request

MAX_UNSAVED = 200
"""Rows of one study that are held in memory."""

log = logging.getLogger(__name__)


class DatabaseStudies(StudyStore):
    """See StudyStore. Which places of a study are done is read once."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._requests: dict[str, RequestedStudy] = {}
        self._rows: dict[str, _Rows] = {}
        self._unsaved: set[str] = set()
        """Studies whose request is in memory alone."""
        self._guard, self._writing = threading.Lock(), threading.RLock()

    def place(self, study_id: str, request: RequestedStudy) -> None:
        document = pack_request(request)
        values = _named(study_id), document, checksum(study_id, document)
        with self._writing:
            with self._database.transaction() as connection:
                connection.execute("INSERT OR REPLACE INTO studies VALUES (?, ?, ?)", values)
            self._unsaved.discard(study_id)
            with self._guard:
                self._requests[study_id] = request

    def insist(self, study_id: str, request: RequestedStudy) -> None:
        with self._writing:
            try:
                self.place(study_id, request)
            except StorageFullError as error:
                log.warning("a change of study %s is kept in memory: %s", study_id, error)
                self._unsaved.add(study_id)
                with self._guard:
                    self._requests[study_id] = request

    def write_unsaved(self) -> None:
        if not self._unsaved:
            return
        with self._writing, suppress(StoreError):
            for study_id in list(self._unsaved):
                self.place(study_id, self._requests[study_id])

    def request(self, study_id: str) -> RequestedStudy | None:
        with self._guard:
            if (known := self._requests.get(study_id)) is not None:
                return known
            # Within the lock: what is placed meanwhile is kept after it.
            found = self._database.read("SELECT document, checksum FROM studies WHERE id = ?", study_id)
            for document, sum_ in found:
                with suppress(TypeError, ValueError, KeyError):
                    if checksum(study_id, document) == sum_:
                        self._requests[study_id] = request = unpack_request(document)
                        return request
        return None

    def studies(self) -> list[str]:
        return [study for (study,) in self._database.read("SELECT id FROM studies")]

    def add(self, study_id: str, record: bytes) -> bool:
        if self.request(study_id) is None:
            return False  # deleted while it was computed
        rows = self._rows_of(study_id)
        with rows.lock:
            added = rows.add(record)
            if len(rows.unsaved) >= MAX_UNSAVED:
                rows.save()
            return added

    def sync(self, study_id: str) -> None:
        rows = self._rows_of(study_id)
        with rows.lock:
            rows.save()

    def count(self, study_id: str) -> int:
        rows = self._rows_of(study_id)
        with rows.lock:
            return rows.count

    def records(self, study_id: str, first: int, last: int) -> list[bytes]:
        rows = self._rows_of(study_id)
        with rows.lock:
            return rows.read(max(first, 0), max(last, 0))

    def missing(self, study_id: str, places: Iterable[int]) -> list[int]:
        rows = self._rows_of(study_id)
        with rows.lock:
            return [place for place in places if place not in rows]

    def size(self, study_id: str) -> int:
        sql = "SELECT coalesce(sum(length(document) + 64), 0) FROM study_rows WHERE study = ?"
        rows = self._rows_of(study_id)
        with rows.lock:
            return int(self._database.read(sql, study_id)[0][0]) + sum(map(len, rows.unsaved))

    def delete(self, study_id: str) -> None:
        rows = self._rows_of(study_id)
        with self._writing, rows.lock:
            with self._database.transaction() as connection:
                connection.execute("DELETE FROM study_rows WHERE study = ?", (study_id,))
                connection.execute("DELETE FROM studies WHERE id = ?", (study_id,))
            self._unsaved.discard(study_id)
            with self._guard:
                self._rows.pop(study_id, None)
                self._requests.pop(study_id, None)

    def close(self) -> None:
        """Write what is held."""
        self.write_unsaved()
        for study_id in list(self._rows):
            with suppress(StoreError):
                self.sync(study_id)

    def _rows_of(self, study_id: str) -> "_Rows":
        with self._guard:
            if study_id not in self._rows:
                self._rows[study_id] = _Rows(self._database, _named(study_id))
            return self._rows[study_id]


class _Rows:
    """The rows of one study, and which places they are of. Whoever uses it holds its lock."""

    def __init__(self, database: Database, study: str) -> None:
        self.lock = threading.Lock()
        self._database, self._study = database, study
        self._places = bytearray()
        """1 for each place that has a row; a set would take sixty times as much."""
        self._saved = 0
        self.unsaved: list[bytes] = []
        self._is_read = False

    @property
    def count(self) -> int:
        """Rows."""
        self._read_once()
        return self._saved + len(self.unsaved)

    def __contains__(self, place: int) -> bool:
        self._read_once()
        return place < len(self._places) and bool(self._places[place])

    def add(self, record: bytes) -> bool:
        """Hold one row, unless its place is taken."""
        place = record_place(record)
        if place in self:
            return False
        self.unsaved.append(record)
        self._mark(place)
        return True

    def read(self, first: int, last: int) -> list[bytes]:
        """Rows by number, in the order in which they came."""
        self._read_once()
        sql = "SELECT document FROM study_rows WHERE study = ? ORDER BY rowid LIMIT ? OFFSET ?"
        count = max(0, min(last, self._saved) - first)
        found = self._database.read(sql, self._study, count, first) if count else []
        held = self.unsaved[max(0, first - self._saved) : max(0, last - self._saved)]
        return [*(bytes(document) for (document,) in found), *held]

    def save(self) -> None:
        """Write what is held."""
        if not self.unsaved:
            return
        rows = [(self._study, record_place(row), row, row_checksum(self._study, row)) for row in self.unsaved]
        with self._database.transaction() as connection:
            connection.executemany("INSERT OR IGNORE INTO study_rows VALUES (?, ?, ?, ?)", rows)
        self._saved, self.unsaved = self._saved + len(rows), []

    def _read_once(self) -> None:
        if not self._is_read:
            found = self._database.read("SELECT place FROM study_rows WHERE study = ?", self._study)
            for (place,) in found:
                self._mark(place)
            self._saved, self._is_read = len(found), True

    def _mark(self, place: int) -> None:
        if place >= len(self._places):
            self._places.extend(bytes(place + 1 - len(self._places)))
        self._places[place] = 1


def row_checksum(study: str, row: bytes) -> int:
    """Of a row under its study and its place."""
    return checksum(f"{study}:{record_place(row)}", row)


def _named(study_id: str) -> str:
    if not NAME.fullmatch(study_id):
        raise StoreError("A study is named by 32 hexadecimal digits.")
    return study_id
