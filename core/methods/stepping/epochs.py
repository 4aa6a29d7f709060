"""The epoch loop of gradient descent, Adam and the methods with momentum, which bring their own step.

`slots` derives their O(n) gradient, `pinning` says what a crossing means.
`run_epochs` is the loop: it takes a kernel that steps until a bias leaves its home, and judges what that
means for the pattern. It takes the network in neuron order and changes b, c, order, pin, reach, recent
(and its own memory) in place. The loop is a function of its arguments alone, so that n
epochs in one call and in any number of calls give the same bits.

It returns numbers only and writes arrays into those of the caller. Handing a new array or a named tuple over
to the interpreter runs Python code there, and if that code is interrupted by a signal (Ctrl-C), numba goes on
with a null pointer: a plain tuple with an array ends in a SystemError, a named tuple in a crash.
tests/core/test_interrupts.py keeps all kernels from it.
"""

from typing import Any, NamedTuple

import numpy as np

from ...compiled import compiled_into
from ...model.pattern.hopping import judge_hops, next_rest
from ...types import FloatArray, IntArray
from .pinning import judge_crossings
from .slots import MEMORY, B, Network, Sums, count_live, list_pinned, load, store

CROSSING_WORK = 400_000
"""Slots looked at beside the epochs themselves, after which a call returns: where every epoch crosses data it
would take many times as long as epochs usually do."""

FORGOTTEN = 1e-290
"""Moments and velocities below this are 0: beside any step they are nothing, and denormals are slow."""

Numbers = tuple[int, int, int, int]
"""The fields of Counts, as the loops return them."""
Descended = tuple[Numbers, bool, bool]
"""What a loop of epochs returns besides: whether the sums are finite, or the step too large; and whether the
last epoch changed nothing at all, no bias, no coefficient and no memory."""


class Counts(NamedTuple):
    """What a loop did, of any method that counts epochs or iterations."""

    done: int
    """Epochs; fewer than asked after a change (if it shall stop there) or very many crossings."""
    stages: int
    """Epochs at which the pattern changed."""
    last: int
    """The last of them, counted from the call."""
    changed: int
    """How many rows of `changes` tell what happened then."""


def open_changes(width: int) -> IntArray:
    """Rows for the changes of one epoch: neuron, kind, datum."""
    return np.empty((width, 3), dtype=np.int64)


@compiled_into
def run_epochs(
    step_until: Any,
    rule: Any,
    sums: Sums,
    network: Network,
    memory: FloatArray,
    before: int,
    epochs: int,
    stop_at_change: bool,
    changes: IntArray,
) -> Descended:
    """Epochs after `before` others, or to the first change of the pattern if so asked.

    Parameters
    ----------
    step_until
        Kernel of the method: step_until(rule, live, sums, slots, pinned, before, epochs) steps with the
        first `live` slots until a bias leaves its home. It returns how many epochs it did, whether one left,
        and whether all is finite.
    rule
        Hyper-parameters of the steps.
    memory
        (rows, n) what the method remembers of each neuron; its rows are those of the slots from MEMORY on.

    Returns
    -------
    Descended
        The fields of Counts, whether the sums are finite, and whether nothing changed in the last epoch.
    """
    slots = load(sums, network)
    F, n, m, rows = slots.F, network.b.shape[0], sums.x.shape[0], memory.shape[0]
    for p in range(n):
        for i in range(rows):
            F[MEMORY + i, p] = memory[i, network.order[p]]
    earlier = np.empty((MEMORY + rows, n))
    pinned, live = list_pinned(sums, slots), count_live(slots, m)
    hops = network.hops
    rest = next_rest(sums.x[-1], hops, F[B], slots.slot)
    done, stages, last, count, work = 0, 0, 0, 0, 0
    finite = True
    while done < epochs and work < CROSSING_WORK:
        ahead = min(epochs - done - 1, rest - (before + done))
        if done + 1 == epochs:
            for i in range(MEMORY + rows):
                for p in range(n):
                    earlier[i, p] = F[i, p]
            ahead = 1
        went, left, finite = step_until(rule, live, sums, slots, pinned, before + done, ahead)
        done += went
        if not finite:
            break
        if left or before + done >= rest:
            work += n
            changed = judge_crossings(sums, slots, before + done) if left else 0
            pinned, live = list_pinned(sums, slots), count_live(slots, m)
            met = slots.met
            changed = judge_hops(sums.x, hops, F[B], slots.slot, slots.pin, met, changed, before + done)
            rest = next_rest(sums.x[-1], hops, F[B], slots.slot)
            if changed > 0:
                stages, last, count = stages + 1, done, changed
                for i in range(count):
                    for k in range(3):
                        changes[i, k] = met[i, k]
                if stop_at_change:
                    break
    still = finite and done == epochs and last < done
    if still:
        for i in range(MEMORY + rows):
            if i < 2 or i >= MEMORY:  # the rows between are the bounds of the gaps
                for p in range(n):
                    still = still and earlier[i, p] == F[i, p]
    store(slots, network.b, network.c)
    for p in range(n):
        for i in range(rows):
            memory[i, network.order[p]] = F[MEMORY + i, p]
    return (done, stages, last, count), finite, still
