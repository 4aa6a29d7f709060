"""What the compiled epoch loops have in common, one file per method.

`slots` derives their O(n) gradient, `pinning` says what a crossing means.
Every loop takes the network in neuron order and changes b, c, order, pin, reach, recent
(and its own memory) in place. It is a function of its arguments alone, so that n
epochs in one call and in any number of calls give the same bits.

It returns numbers only and writes arrays into those of the caller. Handing a new array or a named tuple over
to the interpreter runs Python code there, and if that code is interrupted by a signal (Ctrl-C), numba goes on
with a null pointer: a plain tuple with an array ends in a SystemError, a named tuple in a crash.
tests/core/test_interrupts.py keeps all kernels from it.
"""

from typing import NamedTuple

import numpy as np

from ...types import IntArray

CROSSING_WORK = 400_000
"""Slots looked at beside the epochs themselves, after which a call returns: where every epoch crosses data it
would take many times as long as epochs usually do."""

TINY = 1e-290
"""Moments and velocities below this are 0: beside any step they are nothing, and denormals are slow."""

Counts = tuple[int, int, int, int, bool, bool]
"""The fields of Epochs, as the loops return them."""


class Epochs(NamedTuple):
    """What a loop did."""

    done: int
    """Epochs; fewer than asked after a change (if it shall stop there) or very many crossings."""
    stages: int
    """Epochs at which the pattern changed."""
    last: int
    """The last of them, counted from the call."""
    changed: int
    """How many rows of `changes` tell what happened then."""
    finite: bool
    """False when the sums overflow: the step is too large."""
    still: bool
    """Whether the last epoch changed nothing at all, for methods that come to rest so."""


def open_changes(width: int) -> IntArray:
    """Rows for the changes of one epoch: neuron, kind, datum."""
    return np.empty((width, 3), dtype=np.int64)
