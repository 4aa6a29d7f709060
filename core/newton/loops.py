"""Iterations of damped Gauss-Newton (Levenberg 1944, Marquardt 1963), as one runs them on a loss with kinks.

The loss is smooth within a pattern only. A step that carries a bias over a datum is therefore tried twice: as
it is, and with every bias stopped at the datum that it meets first; the better one is taken if it lowers
the loss. A bias that stands on a datum is judged as the flow judges it (core.model.velocities): held from
both sides it is *pinned* and leaves the unknowns; pulled to the left it is put just left of the datum; pulled
to the right it stays, since a bias on a datum does not see it. Without the pins the damping would grow
without end at the first kink, and the method would stop there.

The damping follows Nielsen's rule: where the loss falls as the linear model promised it sinks to a third,
where a step is refused it doubles, then grows fourfold, and so on. An iteration is one trial, taken or not.
The run has ended when the model promises less than rounding.

Where the coefficients are *projected out* (variable projection in Kaufman's form; structure-guided
Gauss-Newton), they are those of least squares at the new biases.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from core.descent.hybrids import gap_near, is_held_at, repair
from core.descent.pinning import CROSSED, PINNED, RELEASED
from core.model.network import walk
from core.newton.steps import Place, find_step
from core.portable.sums import cumulative_from_right, weighted_square
from core.problem.data import Points
from core.squares.min_norm import min_norm
from core.types import FloatArray, IntArray

ROUNDING = 1e-16
"""A promise below this part of the loss is none."""


class Kind(NamedTuple):
    """Which of the three forms."""

    projected: bool
    """the coefficients are those of least squares after every step"""
    biases_alone: bool
    """the step knows the biases only"""


class Trials(NamedTuple):
    """What a loop did."""

    done: int
    stages: int
    """Iterations at which the pattern changed."""
    last: int
    """The last of them, counted from the call."""
    changes: IntArray
    """What happened then: rows of neuron, kind, datum."""
    rest: bool
    """Whether no step helps any more."""
    damping: float
    growth: float


@njit(cache=True)
def residual_at(points: Points, place: Place) -> FloatArray:
    """f(x) - y."""
    return walk(place.b[place.order], place.c[place.order], points.x) - points.y


@njit(cache=True)
def moved(points: Points, place: Place, change: FloatArray, kind: Kind, stopped: bool) -> tuple[Place, bool]:
    """The place after a step, its biases stopped at the next data if so asked; whether one met a datum."""
    x = points.x
    n, m = len(place.b), len(x)
    b, c, order = place.b + change[0], place.c + change[1], place.order.copy()
    met = False
    g = 0
    for p in range(n):
        j = order[p]
        g = gap_near(x, place.b[j], g)
        low = x[g - 1] if g > 0 else -np.inf
        high = x[g] if g < m else np.inf
        met = met or b[j] < low or b[j] >= high
        if stopped:
            b[j] = min(max(b[j], low), high)
    repair(b, order)
    if kind.projected:
        c = min_norm(points, b, order)[0]
    return Place(b, c, order, place.pin.copy()), met


@njit(cache=True)
def judge(points: Points, place: Place, r: FloatArray) -> None:
    """Pin, release or put aside every bias that stands on a datum."""
    x = points.x
    beyond = cumulative_from_right(points.w * r)
    for j in range(len(place.b)):
        k = np.searchsorted(x, place.b[j], side="right") - 1
        if k < 0 or x[k] != place.b[j] or k == len(x) - 1:
            place.pin[j] = -1
        elif is_held_at(place.c[j], beyond, k):
            place.pin[j] = k
        else:
            place.pin[j] = -1
            if place.c[j] * beyond[k + 1] <= 0.0 and place.c[j] * beyond[k] < 0.0:
                place.b[j] = np.nextafter(x[k], -np.inf)
    repair(place.b, place.order)


@njit(cache=True)
def note(x: FloatArray, before: Place, after: Place, changes: IntArray) -> int:
    """Write down (neuron, kind, datum) of every neuron whose gap or pin is another; how many."""
    count = 0
    for j in range(len(before.b)):
        old = np.searchsorted(x, before.b[j], side="right")
        new = gap_near(x, after.b[j], old)
        if old == new and before.pin[j] == after.pin[j]:
            continue
        changes[count, 0], changes[count, 1] = j, CROSSED
        changes[count, 2] = new - 1 if new > old else new
        if after.pin[j] >= 0:
            changes[count, 1], changes[count, 2] = PINNED, after.pin[j]
        elif before.pin[j] >= 0:
            changes[count, 1], changes[count, 2] = RELEASED, before.pin[j]
        count += 1
    return count


@njit(cache=True)
def newton_trials(
    points: Points, s: float, place: Place, kind: Kind, damping: float, growth: float, trials: int, stop: bool
) -> Trials:
    """Up to so many iterations, or to the first change of the pattern if so asked; `place` is changed."""
    changes = np.empty((len(place.b), 3), dtype=np.int64)
    loss = 0.5 * s * weighted_square(points.w, residual_at(points, place))
    done, stages, last, count = 0, 0, 0, 0
    rest = False
    while done < trials and not rest:
        step = find_step(points, s, place, damping, kind.biases_alone)
        rest = not step.promised > ROUNDING * loss
        if rest:
            break
        done += 1
        best, met = moved(points, place, step.change, kind, False)
        r = residual_at(points, best)
        after = 0.5 * s * weighted_square(points.w, r)
        if met:
            other, _ = moved(points, place, step.change, kind, True)
            r2 = residual_at(points, other)
            after2 = 0.5 * s * weighted_square(points.w, r2)
            if not after <= after2:
                best, r, after = other, r2, after2
        if not after < loss:
            damping, growth = step.damping * growth, 2.0 * growth
            continue
        ratio = 2.0 * (loss - after) / step.promised - 1.0
        damping, growth = step.damping * max(1.0 / 3.0, 1.0 - ratio * (ratio * ratio)), 2.0
        judge(points, best, r)
        changed = note(points.x, place, best, changes)
        place.b[:], place.c[:], place.order[:], place.pin[:] = best.b, best.c, best.order, best.pin
        loss = 0.5 * s * weighted_square(points.w, residual_at(points, place))
        if changed > 0:
            stages, last, count = stages + 1, done, changed
            if stop:
                break
    return Trials(done, stages, last, changes[:count], rest, damping, growth)
