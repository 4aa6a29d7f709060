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

from ...compiled import compiled
from ...least_squares.chain import repair
from ...methods.stepping.epochs import Numbers
from ...model.pattern.changes import write_crossings
from ...model.pattern.gaps import gaps_of
from ...portable.sums import dot
from ...problem.data import Points
from ...types import FloatArray, IntArray
from ..data_scan import loss_and_gradient

DECREASE_SHARE, SLOPE_SHARE = 1e-4, 0.9
"""Of the weak Wolfe conditions: the share of the promised decrease, and of the slope."""
SEARCH = 60
"""Halvings and doublings; then the best point with enough decrease is taken, if there is one."""
LEAST_FALL = 1e-14
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


@compiled
def note_products(memory: Pairs, k: int) -> None:
    """The products of pair k."""
    memory.bends[k] = dot(memory.steps[k], memory.changes[k])
    memory.squares[k] = dot(memory.changes[k], memory.changes[k])


@compiled
def direction(gradient: FloatArray, memory: Pairs, held: int, d: FloatArray) -> float:
    """Put minus the inverse Hessian, as the pairs tell it, times gradient into d; the slope there."""
    steps, changes, bends, shares = memory.steps, memory.changes, memory.bends, memory.shares
    size = len(bends)
    kept = min(held, size)
    for q in range(len(d)):
        d[q] = -gradient[q]
    for i in range(kept):
        k = (held - 1 - i) % size
        shares[i] = dot(d, steps[k]) / bends[k]
        for q in range(len(d)):
            d[q] -= shares[i] * changes[k, q]
    if kept > 0:
        newest = (held - 1) % size
        scale = bends[newest] / memory.squares[newest]
        for q in range(len(d)):
            d[q] *= scale
    for i in range(kept - 1, -1, -1):
        k = (held - 1 - i) % size
        share = shares[i] - dot(d, changes[k]) / bends[k]
        for q in range(len(d)):
            d[q] += share * steps[k, q]
    return dot(d, gradient)


class LineSearch(NamedTuple):
    """Three networks, one per row: where the search starts, the best point so far, and the next trial."""

    v: FloatArray
    """(3, 2n): biases, then coefficients"""
    gradient: FloatArray
    """(3, 2n)"""
    order: IntArray
    """(3, n): the neurons sorted by bias"""


@compiled
def evaluate_row(points: Points, s: float, rows: LineSearch, row: int) -> float:
    """The loss of a row, whose gradient is written and whose order is repaired."""
    n = rows.order.shape[1]
    b, c = rows.v[row, :n], rows.v[row, n:]
    repair(b, rows.order[row])
    loss, gradient = loss_and_gradient(points, s, b, c, rows.order[row])
    rows.gradient[row, :] = gradient
    return loss


@compiled
def search(
    points: Points, s: float, rows: LineSearch, here: int, d: FloatArray, loss: float, slope: float, t: float
) -> tuple[float, int, float, int]:
    """A step along d that fulfils the weak Wolfe conditions, t the first one tried: the step (0: none), its
    row, its loss, and the number of evaluations."""
    low, high = 0.0, np.inf
    best, best_loss = here, loss
    there = (here + 1) % 3
    for trial in range(SEARCH):
        rows.order[there, :] = rows.order[here]
        for q in range(len(d)):
            rows.v[there, q] = rows.v[here, q] + t * d[q]
        value = evaluate_row(points, s, rows, there)
        if not value <= loss + min(DECREASE_SHARE * t * slope, -LEAST_FALL * loss):
            high = t
        else:
            best, best_loss, low = there, value, t
            if dot(rows.gradient[there], d) >= SLOPE_SHARE * slope:
                return t, best, best_loss, trial + 1
            there = 3 - here - best
        t = 2.0 * low if high == np.inf else 0.5 * (low + high)
        if t in (low, high):
            return low, best, best_loss, trial + 1
    return low, best, best_loss, SEARCH


@compiled
def remember(memory: Pairs, k: int, t: float, d: FloatArray, bend: FloatArray) -> None:
    """Put a step and the change of its gradient into place k."""
    step, change = memory.steps[k], memory.changes[k]
    for q in range(len(d)):
        step[q], change[q] = t * d[q], bend[q]
    note_products(memory, k)


@compiled
def lbfgs_searches(
    points: Points, s: float, b: FloatArray, c: FloatArray, pairs: FloatArray, held: int, iterations: int,
    stop: bool, changes: IntArray,
) -> tuple[Numbers, bool, int, int]:  # fmt: skip
    """Up to so many iterations, or to the first change of the pattern; b, c and the pairs are changed.

    Returns what Counts holds, whether no step helps any more, the number of gradients, those of the line
    searches included, and how many pairs are remembered since the memory was last empty.
    """
    n, size = len(b), pairs.shape[1]
    memory = Pairs(pairs[0], pairs[1], np.empty(size), np.empty(size), np.empty(size))
    for k in range(size):
        note_products(memory, k)
    rows, here = LineSearch(np.empty((3, 2 * n)), np.empty((3, 2 * n)), np.empty((3, n), dtype=np.int64)), 0
    rows.v[here, :n], rows.v[here, n:] = b, c
    rows.order[here, :] = np.argsort(b, kind="mergesort")
    gap = gaps_of(points.x, b)
    d, bend = np.empty(2 * n), np.empty(2 * n)
    loss = evaluate_row(points, s, rows, here)
    done, evaluations, stages, last, count = 0, 0, 0, 0, 0
    rest = False
    while done < iterations and not rest:
        slope = direction(rows.gradient[here], memory, held, d)
        if held > 0 and not slope < 0.0:
            held = 0
            continue
        if not slope < 0.0:
            rest = True
            break
        # Without a memory the gradient has no scale: the first trial moves by 1 at most.
        first = 1.0 if held > 0 else min(1.0, 1.0 / np.sqrt(-slope))
        t, best, loss, tried = search(points, s, rows, here, d, loss, slope, first)
        evaluations += tried
        if t == 0.0:
            rest = held == 0
            held = 0
            continue
        done += 1
        bend[:] = rows.gradient[best] - rows.gradient[here]
        if dot(bend, d) > 0.0:
            remember(memory, held % size, t, d, bend)
            held += 1
        here = best
        changed = write_crossings(points.x, rows.v[here, :n], gap, changes)
        if changed > 0:
            stages, last, count = stages + 1, done, changed
            if stop:
                break
    b[:], c[:] = rows.v[here, :n], rows.v[here, n:]
    return (done, stages, last, count), rest, evaluations, held
