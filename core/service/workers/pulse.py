"""Whether a process that computes still answers: its heartbeat, its state, the processor time that it uses.

A thread of every worker says once a second that the process lives. It falls silent when the process is
stopped, and while compiled code holds the interpreter. The operating system tells the cases apart:

* a **stopped** process (SIGSTOP, a debugger) is in state T and goes no further;
* one that is **stuck in compiled code** uses processor time all the while. A chunk of any method takes less
  than 0.4 s of it within the limits, and a compiler that starts cold lets the thread speak every 0.6 s (both
  measured over all methods), so that several seconds of silence at work mean that it does not come back;
* one that **waits** for something with the interpreter held uses hardly any processor time, and none of its
  threads could run.

What is counted is processor time, not the clock: a process that others keep from the processor is silent
too, but has not had its seconds.
"""

import os
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

BEAT_SECONDS = 1.0
LATE_SECONDS = 3.0
"""One that has been silent for so long does not answer at present."""
STOPPED_SECONDS = 4.0
BUSY_SECONDS = 5.0
"""of processor time"""
IDLE_SECONDS = 8.0
_IDLE_SHARE = 0.02
"""Threads that wait for the interpreter look for it two hundred times a second."""

_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Signs:
    """What the operating system says of a process."""

    states: str
    """A letter for each thread."""
    cpu: float
    """Seconds of processor time so far."""


def signs_of(pid: int) -> Signs | None:
    """None where the process is gone, or where the system does not tell."""
    process = Path("/proc") / str(pid)
    with suppress(OSError, ValueError, IndexError):
        cpu = sum(map(int, _stat(process)[11:13])) / _TICKS
        return Signs("".join(_stat(task)[0] for task in (process / "task").iterdir()), cpu)
    return None


def _stat(folder: Path) -> list[str]:
    """What stands behind the name of the program, which may hold anything."""
    return (folder / "stat").read_text().rpartition(")")[2].split()


class Pulse:
    """Of one process. Not thread-safe but for `beat`.

    Parameters
    ----------
    pid
        The process.
    busy_seconds
        Processor time that it may use without a word.
    idle_seconds
        How long it may be silent without using any.
    """

    def __init__(
        self, pid: int, busy_seconds: float = BUSY_SECONDS, idle_seconds: float = IDLE_SECONDS
    ) -> None:
        self._pid, self._busy, self._idle = pid, busy_seconds, idle_seconds
        self._heard = self._looked = time.monotonic()
        self._begun = False
        """Whether it has ever been heard: while it loads, it cannot speak."""
        self._before: Signs | None = None
        """The first signs since it was last heard."""

    def beat(self) -> None:
        """It was heard."""
        self._heard, self._begun, self._before = time.monotonic(), True, None

    @property
    def is_late(self) -> bool:
        """Whether it has been silent for longer than it ever should; one that still loads is not."""
        return self._begun and time.monotonic() - self._heard > LATE_SECONDS

    def trouble(self) -> str:
        """Why it must be ended, for people; empty while it need not. To be asked every second or so."""
        now = time.monotonic()
        if now - self._looked > LATE_SECONDS:
            # Whoever asks was stopped as well, or the whole machine.
            self._heard, self._before = now, None
        self._looked = now
        silent = now - self._heard
        if silent < 1.5 * BEAT_SECONDS or (signs := signs_of(self._pid)) is None:
            return ""
        before = self._before = self._before or signs
        if silent > STOPPED_SECONDS and signs.states and set(signs.states) <= {"T", "t"}:
            return f"it was stopped for {silent:.0f} s"
        used = signs.cpu - before.cpu
        if self._begun and used > self._busy:
            return f"it did not answer while it computed for {used:.0f} s"
        if self._begun and silent > self._idle and used < _IDLE_SHARE * silent and "R" not in signs.states:
            return f"it did not answer for {silent:.0f} s"
        return ""
