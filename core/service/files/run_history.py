"""What a browser has run: a list under its cookie's handle, with names, tags and notes of its own.

A history holds the newest entries and all that are pinned, up to a bound; a run may be gone from the store
while its entry stays, since the query in it makes the run again.
"""

import re
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Annotated, Any

import orjson
from pydantic import Field

from .browser_documents import BrowserDocuments

MAX_ENTRIES = 200
NAME_LENGTH, NOTE_LENGTH, TAG_LENGTH, MAX_TAGS = 80, 500, 24, 8
_HANDLE = re.compile(r"[0-9a-f]{8,64}", re.ASCII)


@dataclass(frozen=True)
class HistoryEntry:
    """A run that this browser or script has started."""

    id: str
    query: Annotated[str, Field(description="Canonical, with the budget that was asked for.")]
    at: Annotated[float, Field(description="When it was last started, in seconds since 1970.")]
    name: str = ""
    tags: tuple[str, ...] = ()
    note: str = ""
    pinned: bool = False


class RunHistory:
    """The entries of every browser. Thread-safe."""

    def __init__(self, store: BrowserDocuments, clock: Callable[[], float] = time.time) -> None:
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
        """Apply a change; the entries that there were before."""
        if not _HANDLE.fullmatch(handle):
            return []

        def changed(document: bytes | None) -> bytes:
            kept = sorted(change(_entries(document)), key=lambda entry: (not entry.pinned, -entry.at))
            return orjson.dumps([asdict(entry) for entry in kept[:MAX_ENTRIES]])

        return _entries(self._store.change(handle, changed))


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
