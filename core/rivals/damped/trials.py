"""Iterations of damped Gauss-Newton (Levenberg 1944, Marquardt 1963), as one runs them on a loss with kinks.

The loss is smooth within a pattern only. A step that carries a bias over a datum is therefore tried twice: as
it is, and with every bias stopped at the datum that it meets first; the second is taken where it is lower.
A bias that stands on a datum is judged as the flow judges it (core.model.pattern.pins): held from both sides
it is *pinned* and leaves the unknowns; pulled to the left it *leaves*, and the next step counts its datum as
seen; pulled to the right it stays as it is, since a bias on a datum does not see it. Without the pins the
damping would grow without end at the first kink, and the method would stop there.

No decision hangs on rounding, so that two implementations, or two processors, take the same course. Two
biases of one gap let the network jump there, and then the residuals beyond sum to zero exactly, in exact
arithmetic: pulls below SIGNLESS have no sign. Where biases do not matter to the fit the two trials have the
same loss: the second must be lower by more than SAME_LOSS. And the damping follows the ratio of the fall of
the loss to the promise of the linear model in steps: to a third beyond 3/4, doubled below 1/4; where a step
is refused it doubles, then grows fourfold, and so on (Nielsen). An iteration is one trial, taken or not. The
run has ended when the model promises less than LITTLE of the loss, or than the loss of an exact fit.

Where the coefficients are *projected out* (variable projection in Kaufman's form; structure-guided
Gauss-Newton), they are those of least squares at the new biases.
"""

from typing import NamedTuple

import numpy as np

from ...compiled import compiled
from ...least_squares.chain import repair
from ...least_squares.min_norm import min_norm
from ...methods.stepping.epochs import Numbers
from ...model.exact_fit import exact_loss
from ...model.network import walk
from ...model.pattern.changes import CROSSED, PINNED, RELEASED, crossed_datum, write_change
from ...model.pattern.gaps import gap_near, gaps_of
from ...model.pattern.pins import can_hold, is_held
from ...portable.sums import cumulative_from_right, dot, weighted_square
from ...problem.data import Points
from ...types import FloatArray, IntArray
from .steps import Place, find_step

LITTLE = 1e-12
"""A promise below this part of the loss is none."""
SAME_LOSS = 1e-10
"""Losses that differ by less than this part of the loss are the same."""
SIGNLESS = 1e-9
"""Of the sum of w |r|: sums of w r below it are zero."""
LEAST_RATIO, POOR, GOOD = 1e-4, 0.25, 0.75
"""Least share of the promise for which a step is taken; below and beyond the others the damping changes."""


class Kind(NamedTuple):
    """Which of the three forms."""

    projected: bool
    """the coefficients are those of least squares after every step"""
    biases_alone: bool
    """the step knows the biases only"""


@compiled
def residual_at(points: Points, place: Place) -> FloatArray:
    """f(x) - y."""
    return walk(place.b[place.order], place.c[place.order], points.x) - points.y


@compiled
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
        min_norm(points, b, order, c)
    return Place(b, c, order, place.pin.copy(), place.leaving.copy()), met


@compiled
def judge(points: Points, place: Place, r: FloatArray) -> None:
    """Pin, release or turn every bias that stands on a datum."""
    x = points.x
    beyond = cumulative_from_right(points.w * r)
    least = SIGNLESS * dot(points.w, np.abs(r))
    gap = gaps_of(x, place.b)
    for j in range(len(place.b)):
        k = gap[j] - 1
        place.pin[j], place.leaving[j] = -1, 0
        if k >= 0 and can_hold(k, len(x)) and x[k] == place.b[j]:
            right, left = np.sign(place.c[j]) * beyond[k + 1], np.sign(place.c[j]) * beyond[k]
            if is_held(right, left, least, k, len(x)):
                place.pin[j] = k
            elif right <= least:
                place.leaving[j] = 1


@compiled
def note(x: FloatArray, before: Place, after: Place, gap: IntArray, changes: IntArray) -> int:
    """Write down (neuron, kind, datum) of every neuron whose gap or pin is another; how many.

    `gap` counts the data left of or on each bias, and is kept up to date.
    """
    count = 0
    for j in range(len(before.b)):
        old = gap[j]
        new = gap_near(x, after.b[j], old)
        gap[j] = new
        if old == new and before.pin[j] == after.pin[j]:
            continue
        if after.pin[j] >= 0:
            count = write_change(changes, count, j, PINNED, after.pin[j])
        elif before.pin[j] >= 0:
            count = write_change(changes, count, j, RELEASED, before.pin[j])
        else:
            count = write_change(changes, count, j, CROSSED, crossed_datum(old, new))
    return count


@compiled
def newton_trials(
    points: Points, s: float, place: Place, kind: Kind, damping: float, growth: float, trials: int,
    stop: bool, changes: IntArray,
) -> tuple[Numbers, bool, float, float]:  # fmt: skip
    """Up to so many iterations, or to the first change of the pattern if so asked; `place` is changed.

    Returns what Counts holds, whether no step helps any more, and the next damping and growth.
    """
    gap = gaps_of(points.x, place.b)
    loss = 0.5 * s * weighted_square(points.w, residual_at(points, place))
    least = exact_loss(0.5 * s * weighted_square(points.w, points.y))
    done, stages, last, count = 0, 0, 0, 0
    rest = False
    while done < trials and not rest:
        step = find_step(points, s, place, damping, kind.biases_alone)
        rest = not step.promised > least + LITTLE * loss
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
            if not after <= after2 + SAME_LOSS * loss:
                best, r, after = other, r2, after2
        ratio = (loss - after) / step.promised
        if not ratio > LEAST_RATIO:
            damping, growth = step.damping * growth, 2.0 * growth
            continue
        damping, growth = step.damping * (1.0 / 3.0 if ratio > GOOD else 2.0 if ratio < POOR else 1.0), 2.0
        judge(points, best, r)
        changed = note(points.x, place, best, gap, changes)
        place.b[:], place.c[:], place.order[:] = best.b, best.c, best.order
        place.pin[:], place.leaving[:] = best.pin, best.leaving
        loss = after
        if changed > 0:
            stages, last, count = stages + 1, done, changed
            if stop:
                break
    return (done, stages, last, count), rest, damping, growth
