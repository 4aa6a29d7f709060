"""Who watches, in memory, and what presenters show, in the database too: an audience follows on after a
restart.

A presenter's moment changes several times a second while something plays. It is written every few seconds at
most, and when the server ends.
"""

import time
from contextlib import suppress

from ..presence import PRESENTATION_SECONDS, MemoryPresence
from ..store import StoreError
from .database import Database

WRITE_SECONDS = 5.0


class DatabasePresence(MemoryPresence):
    """See Presence."""

    def __init__(self, database: Database) -> None:
        super().__init__()
        self._database = database
        self._written: dict[str, float] = {}
        now = time.time()
        with suppress(StoreError):
            for name, document, updated in database.read("SELECT * FROM presentations ORDER BY updated"):
                if now - updated < PRESENTATION_SECONDS:
                    super().publish(name, document)

    def publish(self, presentation: str, document: str) -> None:
        super().publish(presentation, document)
        now = time.monotonic()
        if not document or now - self._written.get(presentation, -WRITE_SECONDS) >= WRITE_SECONDS:
            if len(self._written) > len(self._presentations):
                kept = self._presentations.keys() & self._written.keys()
                self._written = {name: self._written[name] for name in kept}
            self._written[presentation] = now
            with suppress(StoreError):  # it is shown all the same
                self._write([presentation])

    def _write(self, names: list[str]) -> None:
        now = time.time()
        with self._database.transaction() as connection:
            for name in names:
                row = name, self.published(name) or "", now
                connection.execute("INSERT OR REPLACE INTO presentations VALUES (?, ?, ?)", row)
            outdated = now - PRESENTATION_SECONDS
            connection.execute("DELETE FROM presentations WHERE updated < ? OR document = ''", (outdated,))

    def close(self) -> None:
        """Write what has changed lately."""
        with suppress(StoreError):
            self._write([name for name in self._written if self.published(name)])
