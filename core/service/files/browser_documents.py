"""One small document per browser under its cookie's handle, in the database or in Redis: what it has run, and
the tokens that it has made."""

import time
from collections.abc import Callable
from typing import Protocol

from .database import Database, checksum

MAX_BROWSERS = {"histories": 2_000, "tokens": 10_000}
"""Of each kind of document, which is a table; the longest unchanged go when there are more."""


class BrowserDocuments(Protocol):
    """Documents of one kind."""

    def read(self, handle: str) -> bytes | None:
        """The document; None where there is none."""

    def replace(self, handle: str, known: bytes | None, document: bytes) -> bool:
        """Replace the document that is known; False, and nothing is done, when it is another by now."""

    def handles(self) -> list[str]:
        """Every browser that has one."""

    def change(self, handle: str, changed: Callable[[bytes | None], bytes]) -> bytes | None:
        """Replace the document by what is made of it, again if somebody else was quicker; the one before."""
        while True:
            known = self.read(handle)
            if self.replace(handle, known, changed(known)):
                return known


class DatabaseDocuments(BrowserDocuments):
    """See BrowserDocuments: a table with a row per browser."""

    def __init__(self, database: Database, table: str = "histories") -> None:
        self._database, self._table, self._most = database, table, MAX_BROWSERS[table]
        self._read = f"SELECT document, checksum FROM {table} WHERE handle = ?"

    def read(self, handle: str) -> bytes | None:
        found = self._database.read(self._read, handle)
        return next((bytes(data) for data, sum_ in found if checksum(handle, data) == sum_), None)

    def replace(self, handle: str, known: bytes | None, document: bytes) -> bool:
        with self._database.transaction() as connection:
            row = connection.execute(self._read, (handle,))
            found = next((bytes(data) for data, sum_ in row if checksum(handle, data) == sum_), None)
            if found != known:
                return False
            values = handle, document, checksum(handle, document), time.time()
            connection.execute(f"INSERT OR REPLACE INTO {self._table} VALUES (?, ?, ?, ?)", values)
            if known is None:
                oldest = f"SELECT handle FROM {self._table} ORDER BY updated DESC LIMIT -1 OFFSET ?"
                connection.execute(f"DELETE FROM {self._table} WHERE handle IN ({oldest})", (self._most,))
            return True

    def handles(self) -> list[str]:
        return [handle for (handle,) in self._database.read(f"SELECT handle FROM {self._table}")]
