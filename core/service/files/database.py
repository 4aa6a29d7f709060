"""The one database file of the embedded server: all documents, and whatever can be lost as a whole run.

SQLite keeps what each transaction has written, or nothing of it, through kills and power cuts. The rollback
journal is used and not the write-ahead log: versions of SQLite before 3.51.3 may damage a database in that
mode, and Debian 12 ships 3.40. With `journal_mode=TRUNCATE` and `synchronous=FULL` a transaction is on the
disk when it has been committed.

SQLite has no checksums of its own. Documents are therefore kept with a checksum of their name and their
bytes: a flipped byte is found, and so is a document that has got under the name of another one. Uploads are
named by a hash of their content instead, and presentations, which last for hours, are not checked.

Frames and checkpoints are files beside it (core.service.files.frame_file): they are large, appended to many
times a second, and can be computed again.
"""

import sqlite3
import threading
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self

from ..store import StorageFullError, StoreError

FILE = "plateau.db"
SCHEMA_VERSION = 1
SYNCHRONOUS = "FULL"
BUSY_SECONDS = 5.0
"""Another process that writes is waited for so long."""
BUSY = "The database is busy; try again in a while."
SPARE_PAGES = 2_560
"""So many free pages (10 MB) stay in the file for what comes next,"""
PAGES_AT_ONCE = 1_024
"""and so many are cut off at a time, while nobody else writes."""

SCHEMA = """
CREATE TABLE IF NOT EXISTS runs (
    id TEXT PRIMARY KEY, document BLOB NOT NULL, checksum INTEGER NOT NULL,
    is_open INTEGER NOT NULL, bytes INTEGER NOT NULL, updated REAL NOT NULL);
CREATE INDEX IF NOT EXISTS open_runs ON runs (id) WHERE is_open;
CREATE TABLE IF NOT EXISTS present_frames (
    run TEXT PRIMARY KEY, document BLOB NOT NULL, checksum INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS uploads (
    name TEXT PRIMARY KEY, text BLOB NOT NULL, used REAL NOT NULL);
CREATE TABLE IF NOT EXISTS upload_holders (
    upload TEXT NOT NULL, holder TEXT NOT NULL, PRIMARY KEY (upload, holder));
CREATE INDEX IF NOT EXISTS uploads_of_holder ON upload_holders (holder);
CREATE TABLE IF NOT EXISTS histories (
    handle TEXT PRIMARY KEY, document BLOB NOT NULL, checksum INTEGER NOT NULL, updated REAL NOT NULL);
CREATE TABLE IF NOT EXISTS tokens (
    handle TEXT PRIMARY KEY, document BLOB NOT NULL, checksum INTEGER NOT NULL, updated REAL NOT NULL);
CREATE TABLE IF NOT EXISTS studies (
    id TEXT PRIMARY KEY, document BLOB NOT NULL, checksum INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS study_rows (
    study TEXT NOT NULL, place INTEGER NOT NULL, document BLOB NOT NULL, checksum INTEGER NOT NULL,
    UNIQUE (study, place));
CREATE TABLE IF NOT EXISTS presentations (
    name TEXT PRIMARY KEY, document TEXT NOT NULL, updated REAL NOT NULL);
"""

_FULL = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY}
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT}
_WHY = {sqlite3.SQLITE_FULL: "No space left on the disk", sqlite3.SQLITE_READONLY: "It is gone with its disk"}


class DatabaseDamagedError(StoreError):
    """SQLite cannot read its own file; the next start repairs it."""


def checksum(name: str, document: bytes) -> int:
    """Of a document under its name."""
    return zlib.crc32(document, zlib.crc32(name.encode()))


def text_of(data: bytes) -> str:
    """A text of the database; one that was altered is no error, but is not what its checksum is of."""
    return data.decode(errors="replace")


class Database:
    """Connections of one process, one for each thread. Thread-safe.

    Parameters
    ----------
    home
        The folder that has the file.
    create
        Whether to make it where there is none; else that is an error of the disk.
    """

    def __init__(self, home: Path, *, create: bool = True) -> None:
        self.path = home.resolve() / FILE
        self._local = threading.local()
        self._connections: list[tuple[threading.Thread, _Connection]] = []
        self._writing, self._guard = threading.Lock(), threading.Lock()
        if create and not self.path.exists():
            home.mkdir(parents=True, exist_ok=True)
            with _errors():
                made = self._connect("rwc")
                made.execute("PRAGMA auto_vacuum=INCREMENTAL")
                made.executescript(SCHEMA)
                made.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
                made.close()
            self.path.chmod(0o600)

    def complete(self) -> None:
        """Make the tables that a file of an earlier version lacks."""
        with _errors():
            self._connection.executescript(SCHEMA)

    def _connect(self, mode: str = "rw") -> "_Connection":
        # Closed by whichever thread closes the database, when nobody uses it any more.
        made = sqlite3.connect(
            f"file:{self.path}?mode={mode}",
            BUSY_SECONDS,
            uri=True,
            isolation_level=None,
            check_same_thread=False,
            factory=_Connection,
        )
        made.text_factory = text_of
        made.execute("PRAGMA journal_mode=TRUNCATE")
        made.execute(f"PRAGMA synchronous={SYNCHRONOUS}")
        made.execute("PRAGMA fullfsync=ON")
        return made

    @property
    def _connection(self) -> "_Connection":
        found: _Connection | None = getattr(self._local, "connection", None)
        if found is None:
            found = self._local.connection = self._connect()
            with self._guard:
                ended = [each for each in self._connections if not each[0].is_alive()]
                self._connections = [each for each in self._connections if each[0].is_alive()]
                self._connections.append((threading.current_thread(), found))
            for _, connection in ended:
                connection.close()
        return found

    def read(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """All rows of a query."""
        with _errors(), self._connection.used() as connection:
            return connection.execute(sql, values).fetchall()

    def iterate(self, sql: str) -> Iterator[tuple[Any, ...]]:
        """The same one by one, where there may be many."""
        with _errors(), self._connection.used() as connection:
            yield from connection.execute(sql)

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Nobody else writes meanwhile. All that is written is on the disk at the end, or, if it raises,
        nothing."""
        end = time.monotonic() + BUSY_SECONDS
        # Threads wait here, rather than look for SQLite's lock again and again.
        if not self._writing.acquire(timeout=BUSY_SECONDS):
            raise StorageFullError(BUSY)
        try:
            with _errors():
                mine = self._connection
            with mine.used() as connection:
                with _errors():
                    connection.execute(f"PRAGMA busy_timeout={max(1, int(1_000 * (end - time.monotonic())))}")
                    connection.execute("BEGIN IMMEDIATE")
                try:
                    with _errors():
                        yield connection
                        connection.execute("COMMIT")
                except BaseException:
                    with suppress(sqlite3.Error):
                        connection.execute("ROLLBACK")
                    raise
        finally:
            self._writing.release()

    def give_back(self) -> None:
        """Cut off the file a part of what is free in it: else the disk never has it again. It can wait."""
        with suppress(StoreError), _errors():
            if self.read("PRAGMA freelist_count")[0][0] > SPARE_PAGES:
                with self._writing, self._connection.used() as connection:
                    # As a script, which takes all of its steps: a statement without rows takes the first.
                    connection.executescript(f"PRAGMA incremental_vacuum({PAGES_AT_ONCE})")

    def back_up(self, target: Path) -> None:
        """A copy of the whole file as it is at this moment, while the server goes on."""
        with _errors(), self._connection.used() as connection:
            connection.execute("VACUUM INTO ?", (str(target),))

    def close(self) -> None:
        """Let go of the file."""
        with self._guard:
            connections, self._connections = self._connections, []
            self._local = threading.local()
        for _, connection in connections:
            connection.close_unused()


class _Connection(sqlite3.Connection):
    """Of one thread. It must not be closed while that thread uses it: SQLite would read what is gone."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._use = threading.RLock()

    @contextmanager
    def used(self) -> Iterator[Self]:
        """The connection, which is not closed meanwhile."""
        with self._use:
            yield self

    def close_unused(self) -> None:
        """Close it as soon as it is not used; one that is used for too long ends with the process."""
        if self._use.acquire(timeout=BUSY_SECONDS):
            try:
                with suppress(sqlite3.Error):
                    self.close()
            finally:
                self._use.release()


@contextmanager
def _errors() -> Iterator[None]:
    """What SQLite raises, as errors of a store."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        why = _WHY.get(code, str(error))
        if code in _FULL:
            raise StorageFullError(f"The database could not be written: {why}.") from error
        if code in _DAMAGED:
            text = "The server's database is damaged; it is repaired when the server is started again."
            raise DatabaseDamagedError(text) from error
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            # A disk that is slow for a while must neither fail a run nor lose a stop.
            raise StorageFullError(BUSY) from error
        raise StoreError(f"The database refuses to work: {error}") from error
