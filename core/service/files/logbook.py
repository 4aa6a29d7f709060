"""What a browser has run: a list under its cookie's handle, with names, tags and notes of its own.

A logbook holds the newest entries and all that are pinned, up to a bound; a run may be gone from the store
while its entry stays, since the query in it makes the run again. One small document a browser, in a file or
in Redis.
"""

import re
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

import orjson

from core.service.settings import Settings

MOST = 200
MOST_BROWSERS = 2_000
NAME_LENGTH, NOTE_LENGTH, TAG_LENGTH, MOST_TAGS = 80, 500, 24, 8
_HANDLE = re.compile(r"[0-9a-f]{8,64}", re.ASCII)


@dataclass(frozen=True)
class Logged:
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


class Drawer(Protocol):
    """Keeps one document a browser."""

    def read(self, handle: str) -> bytes | None:
        """The document; None where there is none."""

    def write(self, handle: str, document: bytes) -> None:
        """Replace the document."""

    def handles(self) -> list[str]:
        """Every browser that has one."""


class FileDrawer(Drawer):
    """See Drawer: one file a browser, the oldest go when there are too many."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, handle: str) -> bytes | None:
        try:
            return (self._folder / f"{handle}.json").read_bytes()
        except OSError:
            return None

    def write(self, handle: str, document: bytes) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / f"{handle}.json"
        if not path.exists():
            known = sorted(self._folder.glob("*.json"), key=lambda one: one.stat().st_mtime)
            for old in known[: max(0, len(known) + 1 - MOST_BROWSERS)]:
                old.unlink(missing_ok=True)
        scratch = path.with_suffix(".new")
        scratch.write_bytes(document)
        scratch.replace(path)

    def handles(self) -> list[str]:
        return [path.stem for path in self._folder.glob("*.json")]


class Logbook:
    """The entries of every browser. Thread-safe."""

    def __init__(self, drawer: Drawer, clock: Callable[[], float] = time.time) -> None:
        self._drawer, self._clock = drawer, clock
        self._guard = threading.Lock()

    def entries(self, handle: str) -> list[Logged]:
        """Pinned ones first, then the newest."""
        document = self._drawer.read(handle) if _HANDLE.fullmatch(handle) else None
        try:
            rows: list[dict[str, Any]] = orjson.loads(document) if document else []
            return [Logged(**{**row, "tags": tuple(row.get("tags", ()))}) for row in rows]
        except (ValueError, TypeError):  # written by a stranger hand
            return []

    def pinned(self) -> set[str]:
        """Every run that somebody has pinned."""
        return {
            entry.id for handle in self._drawer.handles() for entry in self.entries(handle) if entry.pinned
        }

    def add(self, handle: str, run_id: str, query: str) -> None:
        """A run was started; one that is known keeps what was said of it."""
        with self._guard:
            entries = self.entries(handle)
            known = next((entry for entry in entries if entry.id == run_id), Logged(run_id, query, 0.0))
            rest = [entry for entry in entries if entry.id != run_id]
            self._write(handle, [replace(known, query=query, at=self._clock()), *rest])

    def change(self, handle: str, run_id: str, **said: Any) -> bool:
        """Name, tags, note or pin of an entry; whether there is such an entry."""
        with self._guard:
            entries = self.entries(handle)
            self._write(handle, [replace(e, **said) if e.id == run_id else e for e in entries])
        return any(entry.id == run_id for entry in entries)

    def remove(self, handle: str, run_id: str) -> bool:
        """Take an entry out; the run itself stays, others may be looking at it."""
        with self._guard:
            entries = self.entries(handle)
            self._write(handle, [entry for entry in entries if entry.id != run_id])
        return any(entry.id == run_id for entry in entries)

    def _write(self, handle: str, entries: list[Logged]) -> None:
        if _HANDLE.fullmatch(handle):
            kept = sorted(entries, key=lambda entry: (not entry.pinned, -entry.at))[:MOST]
            self._drawer.write(handle, orjson.dumps([asdict(entry) for entry in kept]))


def said(name: str, tags: str, note: str) -> dict[str, Any]:
    """What somebody typed about a run, within bounds: tags are parted by commas, and told once."""
    parts = [" ".join(part.split())[:TAG_LENGTH] for part in tags.split(",")]
    return {
        "name": " ".join(name.split())[:NAME_LENGTH],
        "tags": tuple(dict.fromkeys(filter(None, parts)))[:MOST_TAGS],
        "note": note.strip()[:NOTE_LENGTH],
    }


def open_logbook(settings: Settings) -> Logbook:
    """Where this server keeps them."""
    if settings.redis_url:
        # By name, because an embedded server must start without loading Redis.
        return Logbook(import_module("core.service.cluster.redis_logbook").RedisDrawer(settings.redis_url))
    return Logbook(FileDrawer(settings.home / "logbooks"))
