"""Room in the store: the longest finished runs that nobody watches go first."""

import time
from collections.abc import Callable
from contextlib import suppress

from core.service.presence import Presence
from core.service.queue import QueueFullError
from core.service.store import ClaimedError, Store

_SECONDS = 10.0
"""Sizes are added up so often at most,"""
_SHARE = 0.05
"""and so much of the time at most."""
_FULL, _ENOUGH = 0.95, 0.8


class Room:
    """Keeps all runs together within a size."""

    def __init__(self, store: Store, presence: Presence, largest: int) -> None:
        self._store, self._presence, self._largest = store, presence, largest
        self._next = 0.0

    def make(self, has_ended: Callable[[str], bool]) -> None:
        """Remove runs when the store is nearly full; QueueFullError when none can be spared."""
        if (begin := time.monotonic()) < self._next:
            return
        sizes = self._store.sizes()
        total = sum(size for size, _ in sizes.values())
        if total > _FULL * self._largest:
            for run_id, (size, _) in sorted(sizes.items(), key=lambda each: each[1][1]):
                if total <= _ENOUGH * self._largest:
                    break
                if has_ended(run_id) and not self._presence.watching(run_id):
                    with suppress(ClaimedError):
                        self._store.delete(run_id)
                        total -= size
        if total > self._largest:
            raise QueueFullError("The server's store is full of runs that are being watched or computed.", 60)
        now = time.monotonic()
        self._next = now + max(_SECONDS, (now - begin) / _SHARE)
