"""What a browser has run: a list under its cookie's handle, with names, tags and notes of its own.

A history holds the newest entries and all that are pinned, up to a bound; a run may be gone from the store
while its entry stays, since the query in it makes the run again. One small document per browser, in the
database or in Redis.
"""

import re
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from importlib import import_module
from typing import Any, Protocol

import orjson

from ..settings import Settings
from .database import Database, checksum

MAX_ENTRIES = 200
MAX_BROWSERS = 2_000
NAME_LENGTH, NOTE_LENGTH, TAG_LENGTH, MAX_TAGS = 80, 500, 24, 8
_HANDLE = re.compile(r"[0-9a-f]{8,64}", re.ASCII)


@dataclass(frozen=True)
class HistoryEntry:
    """One run of a browser."""

    id: str
    query: str
    """Canonical, with the budget that was asked for."""
    at: float
    """When it was last started here, in seconds since 1970."""
    name: str = ""
    tags: tuple[str, ...] = ()
    note: str = ""
    pinned: bool = False


class HistoryStore(Protocol):
    """Keeps one document a browser."""

    def read(self, handle: str) -> bytes | None:
        """The document; None where there is none."""

    def replace(self, handle: str, known: bytes | None, document: bytes) -> bool:
        """Replace the document that is known; False, and nothing is done, when it is another by now."""

    def handles(self) -> list[str]:
        """Every browser that has one."""


class DatabaseHistoryStore(HistoryStore):
    """See HistoryStore: one row per browser, the oldest go when there are too many."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def read(self, handle: str) -> bytes | None:
        found = self._database.read("SELECT document, checksum FROM histories WHERE handle = ?", handle)
        return next((bytes(data) for data, sum_ in found if checksum(handle, data) == sum_), None)

    def replace(self, handle: str, known: bytes | None, document: bytes) -> bool:
        with self._database.transaction() as connection:
            row = connection.execute("SELECT document, checksum FROM histories WHERE handle = ?", (handle,))
            found = next((bytes(data) for data, sum_ in row if checksum(handle, data) == sum_), None)
            if found != known:
                return False
            values = handle, document, checksum(handle, document), time.time()
            connection.execute("INSERT OR REPLACE INTO histories VALUES (?, ?, ?, ?)", values)
            if known is None:
                oldest = "SELECT handle FROM histories ORDER BY updated DESC LIMIT -1 OFFSET ?"
                connection.execute(f"DELETE FROM histories WHERE handle IN ({oldest})", (MAX_BROWSERS,))
            return True

    def handles(self) -> list[str]:
        return [handle for (handle,) in self._database.read("SELECT handle FROM histories")]


class RunHistory:
    """The entries of every browser. Thread-safe."""

    def __init__(self, store: HistoryStore, clock: Callable[[], float] = time.time) -> None:
        self._store, self._clock = store, clock

    def entries(self, handle: str) -> list[HistoryEntry]:
        """Pinned ones first, then the newest."""
        return _entries(self._store.read(handle)) if _HANDLE.fullmatch(handle) else []

    def pinned(self) -> set[str]:
        """Every run that somebody has pinned."""
        return {
            entry.id for handle in self._store.handles() for entry in self.entries(handle) if entry.pinned
        }

    def add(self, handle: str, run_id: str, query: str) -> None:
        """A run was started; one that is known keeps what was said of it."""
        now = self._clock()

        def added(entries: list[HistoryEntry]) -> list[HistoryEntry]:
            known = next((entry for entry in entries if entry.id == run_id), HistoryEntry(run_id, query, 0.0))
            rest = [entry for entry in entries if entry.id != run_id]
            return [replace(known, query=query, at=now), *rest]

        self._change(handle, added)

    def change(self, handle: str, run_id: str, **fields: Any) -> bool:
        """Name, tags, note or pin of an entry; whether there is such an entry."""
        entries = self._change(
            handle, lambda entries: [replace(e, **fields) if e.id == run_id else e for e in entries]
        )
        return any(entry.id == run_id for entry in entries)

    def remove(self, handle: str, run_id: str) -> bool:
        """Take an entry out; the run itself stays, others may be looking at it."""
        entries = self._change(handle, lambda entries: [entry for entry in entries if entry.id != run_id])
        return any(entry.id == run_id for entry in entries)

    def _change(
        self, handle: str, change: Callable[[list[HistoryEntry]], list[HistoryEntry]]
    ) -> list[HistoryEntry]:
        """Apply a change, again if somebody else was quicker; the entries that there were before."""
        if not _HANDLE.fullmatch(handle):
            return []
        while True:
            document = self._store.read(handle)
            entries = _entries(document)
            kept = sorted(change(entries), key=lambda entry: (not entry.pinned, -entry.at))[:MAX_ENTRIES]
            if self._store.replace(handle, document, orjson.dumps([asdict(entry) for entry in kept])):
                return entries


def _entries(document: bytes | None) -> list[HistoryEntry]:
    try:
        rows: list[dict[str, Any]] = orjson.loads(document) if document else []
        return [HistoryEntry(**{**row, "tags": tuple(row.get("tags", ()))}) for row in rows]
    except (ValueError, TypeError):  # not written by this program
        return []


def entry_fields(name: str, tags: str, note: str) -> dict[str, Any]:
    """What somebody typed about a run, within bounds: tags are parted by commas, and told once."""
    parts = [" ".join(part.split())[:TAG_LENGTH] for part in tags.split(",")]
    return {
        "name": " ".join(name.split())[:NAME_LENGTH],
        "tags": tuple(dict.fromkeys(filter(None, parts)))[:MAX_TAGS],
        "note": note.strip()[:NOTE_LENGTH],
    }


def open_history(settings: Settings) -> RunHistory:
    """Where this server keeps them."""
    if settings.redis_url:
        # By name, because an embedded server must start without loading Redis.
        return RunHistory(
            import_module("..cluster.redis_history", __package__).RedisHistoryStore(settings.redis_url)
        )
    return RunHistory(DatabaseHistoryStore(Database(settings.home)))
