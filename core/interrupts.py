"""Ctrl-C that waits for what must not be cut in the middle: a step of training, a kernel that is compiled.

Python raises KeyboardInterrupt in whatever code runs when the signal is handled. In a finaliser, a callback
of a weak reference or one of LLVM while numba compiles, nobody can catch it. It is printed and forgotten,
numba fails for want of what the callback should have made ("no compiled object yet"), or the process ends.
So it is noted that the signal came, and KeyboardInterrupt is raised when the step or the kernel is done.
There is no lock: the handler would wait for ever for one that the code it interrupts holds.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_came: list[int] = []
"""The signals since the outermost step or kernel began."""


def _note(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
    _came.append(number)


@contextmanager
def interrupts_deferred() -> Iterator[None]:
    """Raise KeyboardInterrupt at the end if SIGINT comes inside.

    It does nothing in other threads, which Python does not interrupt, nor where somebody has chosen what the
    signal does. Within another one it ends that one too: a step does not go on to compile the next kernel.
    """
    before = signal.getsignal(signal.SIGINT)
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or before not in (signal.default_int_handler, _note):
        yield
        return
    if before is not _note:
        _came.clear()
    signal.signal(signal.SIGINT, _note)
    try:
        yield
    except Exception as error:
        if _came:
            raise KeyboardInterrupt from error
        raise
    finally:
        signal.signal(signal.SIGINT, before)
    if _came:
        raise KeyboardInterrupt
