"""Threads that must live: what a step of one raises is logged once per cause, told by /readyz, tried again.

A scheduler whose thread has ended looks like one that has nothing to do: runs are accepted and wait for ever.
So no step may end its thread, whatever it raises: a process that cannot be started for want of descriptors,
memory or process numbers can be started a little later. One mechanism serves the schedulers of runs, queries
and studies, the threads that read what processes say, and those that look after a cluster.
"""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from ..store import StoreError

RETRY_SECONDS = 1.0
"""So long a step that has failed is left alone."""
STALLED_SECONDS = 60.0
"""A thread that has not come round for so long hangs."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Failure:
    since: float
    """On the clock of the wall, for people."""
    again: float
    cause: str


class Troubles:
    """The steps of one job, taken by one thread or by several. Thread-safe.

    >>> troubles = Troubles("scheduler", pause=0.0)
    >>> troubles.attempt("count", lambda: 1 / 0)
    False
    >>> [sentence.partition(" since ")[0] for sentence in troubles.sentences()]
    ['The scheduler cannot count']
    >>> troubles.attempt("count", lambda: 1), troubles.sentences()
    (True, [])
    """

    def __init__(self, job: str, pause: float | None = None) -> None:
        self._job, self._own_pause = job, pause
        self._failures: dict[str, _Failure] = {}
        self._round: float | None = None
        self._guard = threading.Lock()

    @property
    def _pause(self) -> float:
        return RETRY_SECONDS if self._own_pause is None else self._own_pause

    def attempt(self, step: str, action: Callable[[], object]) -> bool:
        """Take a step; whether it went well. One that failed a moment ago is not tried again yet."""
        failure = self._failures.get(step)
        if failure is not None and time.monotonic() < failure.again:
            return False
        try:
            action()
        except Exception as error:
            self._fail(step, error)
            return False
        if failure is not None:
            with self._guard:
                self._failures.pop(step, None)
            log.warning("the %s can %s again", self._job, step)
        return True

    def insist(self, step: str, action: Callable[[], object], given_up: Callable[[], bool]) -> bool:
        """The same for a thread that has nothing else to do: until it has gone well, or is given up."""
        while not self.attempt(step, action):
            if given_up():
                self.forget(step)
                return False
            time.sleep(self._pause)
        return True

    def forget(self, step: str) -> None:
        """It is not tried any more."""
        with self._guard:
            self._failures.pop(step, None)

    def comes_round(self) -> None:
        """The thread of this job is alive."""
        self._round = time.monotonic()

    def ends(self) -> None:
        """It shall be so no more."""
        self._round = None

    def sentences(self) -> list[str]:
        """What is wrong now, and since when."""
        with self._guard:
            failures = sorted(self._failures.items())
        found = [
            f"The {self._job} cannot {step} since {_time(failure.since)}: {failure.cause}."
            for step, failure in failures
        ]
        silent = time.monotonic() - self._round if self._round is not None else 0.0
        if silent > STALLED_SECONDS:
            found.append(f"The {self._job} hangs since {_time(time.time() - silent)}.")
        return found

    def _fail(self, step: str, error: Exception) -> None:
        known = self._failures.get(step)
        cause = f"{type(error).__name__}: {error}"
        since = known.since if known else time.time()
        with self._guard:
            self._failures[step] = _Failure(since, time.monotonic() + self._pause, cause)
        if known is None or known.cause != cause:
            # What the system or the store refuses needs no trace; anything else is a mistake of this program.
            trace = None if isinstance(error, OSError | MemoryError | StoreError) else error
            log.warning("the %s cannot %s and tries again: %s", self._job, step, cause, exc_info=trace)


def _time(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(seconds))
