"""Which browsers are here, and since when: who stays a while is told from others at the same address."""

import time
from collections.abc import Collection
from typing import Protocol

SETTLED_SECONDS = 10.0
"""Whoever has been here for so long has a line of his own."""
HERE_SECONDS = 10.0
"""Whoever has not asked for so long is gone; his runs let those of others go first."""
FORGOTTEN_SECONDS = 3_600.0
_LARGEST = 50_000


class People(Protocol):
    """Shared between all web processes of one installation."""

    def see(self, person: str) -> None:
        """Somebody asks for something."""

    def settled(self, person: str) -> bool:
        """Whether somebody has been here for a while."""

    def here(self, people: Collection[str]) -> set[str]:
        """Those who have asked for something lately; who was never seen is not known to be gone."""


class MemoryPeople(People):
    """For one web process."""

    def __init__(self) -> None:
        self._first: dict[str, float] = {}
        self._last: dict[str, float] = {}

    def see(self, person: str) -> None:
        now = time.monotonic()
        if len(self._last) > _LARGEST:
            self._forget(now)
        self._first.setdefault(person, now)
        self._last[person] = now

    def settled(self, person: str) -> bool:
        first = self._first.get(person)
        return first is not None and time.monotonic() - first >= SETTLED_SECONDS

    def here(self, people: Collection[str]) -> set[str]:
        limit = time.monotonic() - HERE_SECONDS
        return {one for one in people if self._last.get(one, limit + 1.0) > limit}

    def _forget(self, now: float) -> None:
        """Those who went long ago; where there are too many of the others, those who went first."""
        last = sorted(self._last.items(), key=lambda item: item[1])
        for place, (person, seen) in enumerate(last):
            if now - seen > FORGOTTEN_SECONDS or place < _LARGEST // 10:
                self._last.pop(person, None)
                self._first.pop(person, None)
