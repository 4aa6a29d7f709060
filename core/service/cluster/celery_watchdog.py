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

from ..workers.pulse import Pulse
from ..workers.troubles import Troubles

SILENT_SECONDS = 20.0
"""A process that uses no processor time may wait for Redis, and cannot be heard meanwhile."""
_TICK_SECONDS = 1.0

log = logging.getLogger(__name__)


class PoolWatchdog:
    """`greetings` has for each process of the pool when it last said that it lives; it may fail."""

    def __init__(self, greetings: Callable[[], dict[int, float]]) -> None:
        self._greetings = greetings
        self._pulses: dict[int, tuple[float, Pulse]] = {}

    def start(self) -> None:
        """Look every second, in a thread of its own."""
        threading.Thread(target=self._watch, name="watchdog", daemon=True).start()

    def look(self) -> dict[int, str]:
        """Processes that no longer answer while others could be heard, and what is wrong with each."""
        try:
            greetings = self._greetings()
        except Exception:
            # Nobody can be heard: nobody is to blame.
            self._pulses.clear()
            raise
        for pid, greeting in greetings.items():
            known, pulse = self._pulses.get(pid) or (0.0, Pulse(pid, idle_seconds=SILENT_SECONDS))
            if known != greeting:
                pulse.beat()
            self._pulses[pid] = greeting, pulse
        self._pulses = {pid: self._pulses[pid] for pid in greetings}
        found = {pid: pulse.trouble() for pid, (_, pulse) in self._pulses.items()}
        return {pid: trouble for pid, trouble in found.items() if trouble}

    def _watch(self) -> None:
        troubles = Troubles("watchdog of the pool", pause=0.0)
        while True:
            time.sleep(_TICK_SECONDS)
            troubles.attempt("look after the pool", self._end_silent)

    def _end_silent(self) -> None:
        for pid, trouble in self.look().items():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
                log.warning("process %d of the pool is ended: %s", pid, trouble)
