"""Room in the store: the longest finished runs that nobody watches go first."""

import time
from collections.abc import Callable

from core.service.presence import Presence
from core.service.queue import QueueFullError
from core.service.store import ClaimedError, Store

_SECONDS = 10.0
"""Sizes are added up so often at most."""
_FULL, _ENOUGH = 0.95, 0.8


class Room:
    """Keeps all runs together within a size."""

    def __init__(self, store: Store, presence: Presence, largest: int) -> None:
        self._store, self._presence, self._largest = store, presence, largest
        self._checked = -_SECONDS

    def make(self, has_ended: Callable[[str], bool]) -> None:
        """Remove runs when the store is nearly full; QueueFullError when none can be spared."""
        if time.monotonic() - self._checked < _SECONDS:
            return
        sizes = {run_id: self._store.size(run_id) for run_id in self._store.runs()}
        total = sum(sizes.values())
        if total > _FULL * self._largest:
            spare = [run_id for run_id in sizes if has_ended(run_id) and not self._presence.watching(run_id)]
            for run_id in sorted(spare, key=lambda run_id: self._store.state(run_id).updated):
                if total <= _ENOUGH * self._largest:
                    break
                try:
                    self._store.delete(run_id)
                except ClaimedError:
                    continue
                total -= sizes[run_id]
        if total > self._largest:
            raise QueueFullError("The server's store is full of runs that are being watched or computed.", 60)
        self._checked = time.monotonic()
