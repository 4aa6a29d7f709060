"""Ends a worker process whose run does not come back from a step, and refuses it memory beyond a limit.

Every method promises to return within its chunk. Should one not, no thread of the
process can help: compiled code holds the interpreter. So the operating system is
asked for an alarm at the beginning of each step, and its default action ends the
process; whoever looks after it sees by which signal it died.
"""

import resource
import signal
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

ALARM = int(signal.SIGALRM)
"""The signal by which such a process has died."""


def too_long(seconds: float) -> str:
    """What to say about a run that was ended."""
    return (
        f"A single step of this run took longer than {seconds:g} s, so it was ended; it is not tried again."
    )


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """End the process if the body takes longer, whatever it does."""
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)


_grace: float | None = None


def guard_process(memory: int, grace: float = 0.0) -> None:
    """For a process that only computes: its steps are limited, the alarm coming so much later, and it cannot
    have more memory than this; MemoryError where it would. Linux alone keeps to it."""
    global _grace
    _grace = grace
    resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))


def limited_step(seconds: float) -> AbstractContextManager[None]:
    """Limited, in a process that only computes: one that does something else as well must not be ended."""
    return nullcontext() if _grace is None else limited(seconds + _grace)


def too_large(size: int) -> str:
    """What to say about work that was refused memory."""
    return f"This needs more than {size / 1e9:.1f} GB of memory, so it was ended."
