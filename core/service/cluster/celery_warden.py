"""The main process of a Celery worker looks after its pool: one that falls silent is ended and replaced.

Compiled code that does not come back holds the interpreter, so that no thread of such a process can do
anything about it. Its runs are given to others as soon as their leases have run out.
"""

import logging
import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress

SILENT_SECONDS = 20.0
_TICK_SECONDS = 1.0

log = logging.getLogger(__name__)


class Warden:
    """`greetings` has for each process of the pool when it last said that it lives; it may fail."""

    def __init__(self, greetings: Callable[[], dict[int, float]]) -> None:
        self._greetings = greetings
        self._heard: dict[int, tuple[float, float]] = {}

    def start(self) -> None:
        """Look every second, in a thread of its own."""
        threading.Thread(target=self._watch, name="warden", daemon=True).start()

    def look(self, now: float) -> list[int]:
        """Processes that have been silent for too long while others could be heard."""
        try:
            greetings = self._greetings()
        except Exception as error:
            # Nobody can be heard: nobody is to blame.
            log.warning("could not look after the pool: %s", error)
            self._heard.clear()
            return []
        for pid, greeting in greetings.items():
            if self._heard.get(pid, (0.0, 0.0))[0] != greeting:
                self._heard[pid] = greeting, now
        silent = [pid for pid, (_, heard) in self._heard.items() if now - heard > SILENT_SECONDS]
        for pid in silent:
            del self._heard[pid]
        return silent

    def _watch(self) -> None:
        while True:
            time.sleep(_TICK_SECONDS)
            for pid in self.look(time.monotonic()):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                    log.warning("process %d of the pool does not answer and is ended", pid)
