"""Who is watching what, and where a presenter stands. Kept only for a while."""

import time
from dataclasses import dataclass
from typing import Protocol

WATCHING_SECONDS = 10.0
"""A viewer that has not asked for so long is gone."""
MOMENT_SECONDS = 3_600.0
ROOM_SECONDS = 6 * 3_600.0
"""A presenter who has said nothing for so long has gone home."""
_LARGEST = 10_000


@dataclass(frozen=True)
class Moment:
    """Where a presenter stands on the timeline of a run."""

    frame: int
    stamp: float
    """When it was said, so that followers can tell a new moment from an old one."""


class Presence(Protocol):
    """Shared between all web processes of one installation."""

    def touch(self, run_id: str, viewer: str) -> None:
        """A viewer has just asked for this run."""

    def watching(self, run_id: str) -> int:
        """Viewers within the last seconds."""

    def idle(self, run_id: str) -> float:
        """Seconds since anybody asked for the run (since the start of the server at most)."""

    def say(self, run_id: str, presenter: str, frame: int) -> None:
        """A presenter moves to a frame."""

    def moment(self, run_id: str, presenter: str) -> Moment | None:
        """Where the presenter stands."""

    def publish(self, room: str, document: str) -> None:
        """What a presenter shows now; takes the place of what was said before."""

    def published(self, room: str) -> str | None:
        """What the presenter of a room shows."""


class MemoryPresence:
    """For one web process. A single dictionary operation needs no lock."""

    def __init__(self) -> None:
        self._viewers: dict[str, dict[str, float]] = {}
        self._seen: dict[str, float] = {}
        self._moments: dict[tuple[str, str], Moment] = {}
        self._rooms: dict[str, tuple[float, str]] = {}
        self._start = time.monotonic()

    def touch(self, run_id: str, viewer: str) -> None:
        """See Presence."""
        now = time.monotonic()
        if len(self._seen) > _LARGEST:
            self._forget(now)
        self._seen[run_id] = now
        self._viewers.setdefault(run_id, {})[viewer] = now

    def watching(self, run_id: str) -> int:
        """See Presence."""
        viewers = self._viewers.get(run_id, {})
        limit = time.monotonic() - WATCHING_SECONDS
        for viewer, seen in list(viewers.items()):
            if seen < limit:
                viewers.pop(viewer, None)
        return len(viewers)

    def idle(self, run_id: str) -> float:
        """See Presence."""
        return time.monotonic() - self._seen.get(run_id, self._start)

    def say(self, run_id: str, presenter: str, frame: int) -> None:
        """See Presence."""
        if len(self._moments) > _LARGEST:
            self._moments.clear()
        self._moments[run_id, presenter] = Moment(frame, time.time())

    def moment(self, run_id: str, presenter: str) -> Moment | None:
        """See Presence."""
        moment = self._moments.get((run_id, presenter))
        return moment if moment and time.time() - moment.stamp < MOMENT_SECONDS else None

    def publish(self, room: str, document: str) -> None:
        """See Presence."""
        if len(self._rooms) > _LARGEST:
            self._rooms.clear()
        self._rooms[room] = time.monotonic(), document

    def published(self, room: str) -> str | None:
        """See Presence."""
        stamp, document = self._rooms.get(room, (-ROOM_SECONDS, ""))
        return document if time.monotonic() - stamp < ROOM_SECONDS and document else None

    def _forget(self, now: float) -> None:
        for run_id, seen in list(self._seen.items()):
            if now - seen > WATCHING_SECONDS:
                self._seen.pop(run_id, None)
                self._viewers.pop(run_id, None)
