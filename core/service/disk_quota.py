"""The disk quota of the store: the longest finished runs that nobody watches go first, pinned ones stay.

To add up the sizes of 100,000 runs takes seconds, so it is done aside, and nobody who starts a run waits long
for it.
"""

import logging
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress

from .events import log_event
from .presence import Presence
from .queue import QueueFullError
from .store import ClaimedError, Store, StoreError

log = logging.getLogger(__name__)

_SECONDS = 10.0
"""Sizes are added up so often at most,"""
_SHARE = 0.05
"""and so much of the time at most."""
_PATIENCE = 0.2
"""Who starts a run waits so long for it."""
_FULL, _ENOUGH = 0.95, 0.8
_PINNED = 0.5
"""Pinned runs stay as long as they take up no more than this part: nobody can fill a server for ever."""


class DiskQuota:
    """Keeps all runs together within a size."""

    def __init__(
        self, store: Store, presence: Presence, largest: int, pinned: Callable[[], set[str]] = set
    ) -> None:
        self._store, self._presence, self._largest, self._pinned = store, presence, largest, pinned
        self._next = 0.0
        self._thread: threading.Thread | None = None
        self.taken: int | None = None
        """Bytes that the runs took up when they were last looked at."""

    def check(self, removable: Callable[[str], int | None]) -> None:
        """See that space is made from time to time; QueueFullError when there is none."""
        if time.monotonic() >= self._next and (self._thread is None or not self._thread.is_alive()):
            self._thread = threading.Thread(
                target=self._try, args=(removable,), name="disk quota", daemon=True
            )
            self._thread.start()
            self._thread.join(_PATIENCE)
        if self.taken is not None and self.taken > self._largest:
            self._next = 0.0
            raise QueueFullError("The server's store is full of runs that are being watched or computed.", 60)

    def _try(self, removable: Callable[[str], int | None]) -> None:
        try:
            self.make(removable)
        except (OSError, StoreError) as error:
            # The disk or Redis is away, which whoever writes is told anyway.
            log.warning("no space could be made: %s", error)

    def make(self, removable: Callable[[str], int | None]) -> None:
        """Remove runs when the store is nearly full."""
        begin = time.monotonic()
        sizes = self._store.sizes()
        total = sum(size for size, _ in sizes.values())
        if total > _FULL * self._largest:
            kept = self._kept(sizes)
            for run_id, (size, _) in sorted(sizes.items(), key=lambda each: each[1][1]):
                if total <= _ENOUGH * self._largest:
                    break
                version = None if run_id in kept else removable(run_id)
                if version is not None and not self._presence.watching(run_id):
                    # One that somebody has asked for since has another version.
                    with suppress(ClaimedError):
                        self._store.delete(run_id, version)
                        log_event("run removed", run=run_id, bytes=size)
                        total -= size
        self.taken, now = total, time.monotonic()
        self._next = now + max(_SECONDS, (now - begin) / _SHARE)

    def _kept(self, sizes: Mapping[str, tuple[int, float]]) -> set[str]:
        """The pinned runs, the newest first, as far as there is space for such."""
        kept, left = set[str](), _PINNED * self._largest
        for run_id in sorted(self._pinned() & sizes.keys(), key=lambda name: -sizes[name][1]):
            left -= sizes[run_id][0]
            if left < 0:
                break
            kept.add(run_id)
        return kept
