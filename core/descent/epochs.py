"""What the compiled epoch loops have in common, one file a method beside this one.

core.descent.sorted_neurons derives their O(n) gradient, core.descent.pinning says what a crossing means.
Every loop takes the network in neuron order and changes b, c, order, pin, reach, recent
(and its own memory) in place. It is a function of its arguments alone, so that n
epochs in one call and in any number of calls give the same bits.
"""

from typing import NamedTuple

from core.types import IntArray

CROSSING_WORK = 400_000
"""Slots looked at beside the epochs themselves, after which a call returns: where every epoch crosses data it
would take many times as long as epochs usually do."""


class Epochs(NamedTuple):
    """What a loop did."""

    done: int
    """Epochs; fewer than asked after a change (if it shall stop there) or very many crossings."""
    stages: int
    """Epochs at which the pattern changed."""
    last: int
    """The last of them, counted from the call."""
    changes: IntArray
    """What happened then: rows of neuron, kind, datum."""
    finite: bool
    """False when the sums overflow: the step is too large."""
    still: bool
    """Whether the last epoch changed nothing at all, for methods that come to rest so."""
