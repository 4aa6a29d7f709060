"""L-BFGS on (b, c), with a line search for a loss that is only piecewise smooth: O(m + n) an evaluation.

The direction comes from the last few steps and changes of the gradient by the two loops of Nocedal (1980).
The gradient jumps where a bias crosses a datum, and a search for the strong Wolfe conditions may then look
for a point that does not exist. The search of Lewis and Overton (2013) asks for the weak ones, enough
decrease and a slope that is less steep, and finds them by halving and doubling on any such loss. A crossing
needs no other care, and is told as such. Where no point along the direction lowers the loss the memory is
dropped; where that holds for the plain gradient too, the run has ended: in a minimum, or in a kink that no
gradient sees.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from ...model.pattern.changes import CROSSED
from ...portable.lanes import lane_blend, lane_dot
from ...problem.data import Points
from ...types import FloatArray, IntArray
from .scans import Workspace, make_room, scan_loss

ENOUGH, FLAT = 1e-4, 0.9
"""Of the weak Wolfe conditions: the share of the promised decrease, and of the slope."""
SEARCH = 60
"""Halvings and doublings; then the best point with enough decrease is taken, if there is one."""
ROUNDING = 1e-14
"""A fall of the loss by a smaller part than this is none."""


class Pairs(NamedTuple):
    """The last steps and changes of the gradient."""

    steps: FloatArray
    """(size, 2n), as the changes"""
    changes: FloatArray
    bends: FloatArray
    """step times change, pair by pair"""
    squares: FloatArray
    """change times change"""
    shares: FloatArray
    """how much of each pair the first loop took"""


class Searches(NamedTuple):
    """What a loop did."""

    done: int
    evaluations: int
    """Gradients, those of the line searches included."""
    held: int
    """Pairs remembered since the memory was last empty."""
    stages: int
    """Iterations at which the pattern changed."""
    last: int
    """The last of them, counted from the call."""
    changed: int
    """How many rows of `changes` tell what happened then."""
    rest: bool
    """Whether no step helps any more."""


@njit(cache=True)
def note_products(memory: Pairs, k: int) -> None:
    """The products of pair k."""
    memory.bends[k] = lane_dot(memory.steps[k], memory.changes[k])
    memory.squares[k] = lane_dot(memory.changes[k], memory.changes[k])


@njit(cache=True)
def direction(gradient: FloatArray, memory: Pairs, held: int, d: FloatArray) -> float:
    """Put minus the inverse Hessian, as the pairs tell it, times gradient into d; the slope there.

    Every pass takes a pair out or puts it in and finds the product that the next pass asks for.
    """
    steps, changes, bends, shares = memory.steps, memory.changes, memory.bends, memory.shares
    size = len(bends)
    kept = min(held, size)
    newest = (held - 1) % size
    if kept == 0:
        return lane_blend(d, -1.0, gradient, 0.0, gradient, gradient)
    product = -lane_dot(gradient, steps[newest])
    for i in range(kept):
        k = (held - 1 - i) % size
        shares[i] = product / bends[k]
        wanted = steps[(held - 2 - i) % size] if i + 1 < kept else changes[k]
        if i == 0:
            product = lane_blend(d, -1.0, gradient, -shares[i], changes[k], wanted)
        else:
            product = lane_blend(d, 1.0, d, -shares[i], changes[k], wanted)
    scale = bends[newest] / memory.squares[newest]
    product *= scale
    for i in range(kept - 1, -1, -1):
        k = (held - 1 - i) % size
        wanted = changes[(held - i) % size] if i > 0 else gradient
        product = lane_blend(d, scale, d, shares[i] - product / bends[k], steps[k], wanted)
        scale = 1.0
    return product


@njit(cache=True)
def search(
    points: Points, s: float, room: Workspace, here: int, d: FloatArray, loss: float, slope: float, t: float
) -> tuple[float, int, float, int]:
    """A step along d that fulfils the weak Wolfe conditions, t the first one tried: the step (0: none), its
    row, its loss, and the number of evaluations."""
    low, high = 0.0, np.inf
    best, best_loss = here, loss
    there = (here + 1) % 3
    for trial in range(SEARCH):
        room.gap[there, :] = room.gap[here]
        before, after = room.v[here], room.v[there]
        for q in range(len(d)):
            after[q] = before[q] + t * d[q]
        value = scan_loss(points, s, room, there)
        if not value <= loss + min(ENOUGH * t * slope, -ROUNDING * loss):
            high = t
        else:
            best, best_loss, low = there, value, t
            if lane_dot(room.gradient[there], d) >= FLAT * slope:
                return t, best, best_loss, trial + 1
            there = 3 - here - best
        t = 2.0 * low if high == np.inf else 0.5 * (low + high)
        if t in (low, high):
            return low, best, best_loss, trial + 1
    return low, best, best_loss, SEARCH


@njit(cache=True)
def remember(memory: Pairs, k: int, t: float, d: FloatArray, bend: FloatArray) -> None:
    """Put a step and the change of its gradient into place k."""
    step, change = memory.steps[k], memory.changes[k]
    for q in range(len(d)):
        step[q], change[q] = t * d[q], bend[q]
    note_products(memory, k)


@njit(cache=True)
def note_crossings(before: IntArray, after: IntArray, changes: IntArray) -> int:
    """Write down (neuron, kind, datum) of every neuron whose gap is another; how many."""
    count = 0
    for j in range(len(before)):
        if before[j] != after[j]:
            changes[count, 0], changes[count, 1] = j, CROSSED
            changes[count, 2] = after[j] - 1 if after[j] > before[j] else after[j]
            count += 1
    return count


@njit(cache=True)
def lbfgs_searches(
    points: Points, s: float, b: FloatArray, c: FloatArray, pairs: FloatArray, held: int, iterations: int,
    stop: bool, changes: IntArray,
) -> tuple[int, int, int, int, int, int, bool]:  # fmt: skip
    """Up to so many iterations, or to the first change of the pattern; b, c and the pairs are changed.

    Returns the fields of Searches.
    """
    n, size = len(b), pairs.shape[1]
    memory = Pairs(pairs[0], pairs[1], np.empty(size), np.empty(size), np.empty(size))
    for k in range(size):
        note_products(memory, k)
    room, here = make_room(points.x, n), 0
    room.v[here, :n], room.v[here, n:] = b, c
    room.gap[here, :] = np.searchsorted(points.x, b, side="right")
    d, bend = np.empty(2 * n), np.empty(2 * n)
    loss = scan_loss(points, s, room, here)
    done, evaluations, stages, last, count = 0, 0, 0, 0, 0
    rest = False
    while done < iterations and not rest:
        slope = direction(room.gradient[here], memory, held, d)
        if held > 0 and not slope < 0.0:
            held = 0
            continue
        if not slope < 0.0:
            rest = True
            break
        # Without a memory the gradient has no scale: the first trial moves by 1 at most.
        first = 1.0 if held > 0 else min(1.0, 1.0 / np.sqrt(-slope))
        t, best, loss, tried = search(points, s, room, here, d, loss, slope, first)
        evaluations += tried
        if t == 0.0:
            rest = held == 0
            held = 0
            continue
        done += 1
        if lane_blend(bend, 1.0, room.gradient[best], -1.0, room.gradient[here], d) > 0.0:
            remember(memory, held % size, t, d, bend)
            held += 1
        changed = note_crossings(room.gap[here], room.gap[best], changes)
        here = best
        if changed > 0:
            stages, last, count = stages + 1, done, changed
            if stop:
                break
    b[:], c[:] = room.v[here, :n], room.v[here, n:]
    return done, evaluations, held, stages, last, count, rest
