"""Ctrl-C that is not lost: it ends in KeyboardInterrupt wherever the signal arrives in what may compile.

Python raises KeyboardInterrupt in whatever code runs when the signal is handled. In a finaliser, a callback
of a weak reference or one of LLVM while numba compiles, nobody can catch it. It is printed and forgotten,
or numba fails for want of what the callback should have made ("no compiled object yet"). Of 39 signals
during first runs with an empty kernel cache seven went that way. So it is noted that the signal came,
without a lock: the handler would wait for ever for one that the code it interrupts holds.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_came: list[int] = []
"""The signals since it began."""


def _note(number: int, frame: FrameType | None) -> None:
    _came.append(number)
    signal.default_int_handler(number, frame)


@contextmanager
def interrupts_noted() -> Iterator[None]:
    """Raise KeyboardInterrupt if SIGINT comes inside, also where it was swallowed or became another error.

    It does nothing in other threads, which Python does not interrupt, nor where somebody has chosen what the
    signal does.
    """
    own = (signal.default_int_handler, _note)
    if (
        threading.current_thread() is not threading.main_thread()
        or signal.getsignal(signal.SIGINT) not in own
    ):
        yield
        return
    _came.clear()
    signal.signal(signal.SIGINT, _note)
    try:
        yield
    except Exception as error:
        if _came:
            raise KeyboardInterrupt from error
        raise
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if _came:
        raise KeyboardInterrupt
