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

from core.descent.hybrids import repair
from core.descent.slopes import slopes
from core.newton.loops import note
from core.newton.steps import Place
from core.portable.sums import dot
from core.problem.data import Points
from core.types import FloatArray, IntArray

ENOUGH, FLAT = 1e-4, 0.9
"""Of the weak Wolfe conditions: the share of the promised decrease, and of the slope."""
SEARCH = 60
"""Halvings and doublings; then the best point with enough decrease is taken, if there is one."""
ROUNDING = 1e-14
"""A fall of the loss by a smaller part than this is none."""


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
    changes: IntArray
    """What happened then: rows of neuron, kind, datum."""
    rest: bool
    """Whether no step helps any more."""


@njit(cache=True)
def direction(gradient: FloatArray, pairs: FloatArray, bends: FloatArray, held: int) -> FloatArray:
    """Minus the inverse Hessian, as the pairs (steps, changes of the gradient) tell it, times gradient.

    `bends` are the products of each pair.
    """
    size = pairs.shape[1]
    d = -gradient
    if held == 0:
        return d
    kept = min(held, size)
    alpha = np.empty(kept)
    for i in range(kept):
        k = (held - 1 - i) % size
        step, change = pairs[0, k], pairs[1, k]
        alpha[i] = dot(step, d) / bends[k]
        for q in range(len(d)):
            d[q] -= alpha[i] * change[q]
    change = pairs[1, (held - 1) % size]
    scale = bends[(held - 1) % size] / dot(change, change)
    for q in range(len(d)):
        d[q] *= scale
    for i in range(kept - 1, -1, -1):
        k = (held - 1 - i) % size
        step, change = pairs[0, k], pairs[1, k]
        more = alpha[i] - dot(change, d) / bends[k]
        for q in range(len(d)):
            d[q] += more * step[q]
    return d


@njit(cache=True)
def along(place: Place, d: FloatArray, t: float) -> Place:
    """The place at t d."""
    n = len(place.b)
    after = Place(place.b + t * d[:n], place.c + t * d[n:], place.order.copy(), place.pin, place.leaving)
    repair(after.b, after.order)
    return after


@njit(cache=True)
def search(
    points: Points, s: float, place: Place, d: FloatArray, loss: float, slope: float, first: float
) -> tuple[float, Place, float, FloatArray, int]:
    """A step t along d that fulfils the weak Wolfe conditions: t (0: none), the place, its loss and gradient,
    and the number of evaluations."""
    low, high, t = 0.0, np.inf, first
    best, best_loss, best_gradient, best_t = place, loss, d, 0.0
    for trial in range(SEARCH):
        there = along(place, d, t)
        value, gradient = slopes(points, s, there.b, there.c, there.order)
        if not value <= loss + min(ENOUGH * t * slope, -ROUNDING * loss):
            high = t
        else:
            best, best_loss, best_gradient, best_t = there, value, gradient, t
            if dot(gradient, d) >= FLAT * slope:
                return t, there, value, gradient, trial + 1
            low = t
        t = 2.0 * low if high == np.inf else 0.5 * (low + high)
        if t in (low, high):
            return best_t, best, best_loss, best_gradient, trial + 1
    return best_t, best, best_loss, best_gradient, SEARCH


@njit(cache=True)
def lbfgs_searches(
    points: Points, s: float, place: Place, pairs: FloatArray, held: int, iterations: int, stop: bool
) -> Searches:
    """Up to so many iterations, or to the first change of the pattern; place and pairs are changed."""
    size = pairs.shape[1]
    changes = np.empty((len(place.b), 3), dtype=np.int64)
    gap = np.searchsorted(points.x, place.b, side="right").astype(np.int64)
    bends = np.empty(size)
    for i in range(size):
        bends[i] = dot(pairs[0, i], pairs[1, i])
    loss, gradient = slopes(points, s, place.b, place.c, place.order)
    done, evaluations, stages, last, count = 0, 0, 0, 0, 0
    rest = False
    while done < iterations and not rest:
        d = direction(gradient, pairs, bends, held)
        slope = dot(gradient, d)
        if held > 0 and not slope < 0.0:
            held = 0
            continue
        if not slope < 0.0:
            rest = True
            break
        # Without a memory the gradient has no scale: the first trial moves by 1 at most.
        first = 1.0 if held > 0 else min(1.0, 1.0 / np.sqrt(-slope))
        t, best, after, new, tried = search(points, s, place, d, loss, slope, first)
        evaluations += tried
        if t == 0.0:
            rest = held == 0
            held = 0
            continue
        done += 1
        bend = new - gradient
        if dot(bend, d) > 0.0:
            pairs[0, held % size], pairs[1, held % size] = t * d, bend
            bends[held % size] = dot(pairs[0, held % size], bend)
            held += 1
        changed = note(points.x, place, best, gap, changes)
        place.b[:], place.c[:], place.order[:] = best.b, best.c, best.order
        loss, gradient = after, new
        if changed > 0:
            stages, last, count = stages + 1, done, changed
            if stop:
                break
    return Searches(done, evaluations, held, stages, last, changes[:count], rest)
