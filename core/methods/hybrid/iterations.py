"""Hybrid training (Cyr et al.): a gradient step on the biases, then least squares for the coefficients.

An iteration starts from the least-squares c at the present biases: A^+ y where all weights are 1, else
(D A)^+ D y with D = diag(sqrt(w)). With r = f(x) - y and G_j the sum of w r over the data that
neuron j sees, dL/db_j = -s c_j G_j, s as `data.s`. The biases step (plainly, or by Adam's rule),
and c follows at once. The lines of the fit (core.least_squares.min_norm) give r in O(m), free of
the rounding of huge coefficients, which would otherwise enter the step multiplied by those same
coefficients.

Crossings and pins are judged by the same condition as for gradient descent, but without
its reach and its rule of returns (core.methods.stepping.pinning): a bias that crosses a datum
x_k is pinned to it if the velocity points back at x_k from both sides,
v+ <= 0 <= v-, with v+ = s c_j (sum of w r beyond x_k) and v- = v+ + s c_j w_k r_k, at
the coefficients that belong to the new biases. It is released when one of the
two changes its sign, or when the bias reaches another datum. Right of the last
datum a neuron is dead, so none is pinned there.
"""

from typing import NamedTuple

import numpy as np

from ...compiled import compiled
from ...least_squares.chain import live_knots, repair
from ...least_squares.joints import residuals, share
from ...least_squares.min_norm import fit_knots
from ...model.pattern.changes import CROSSED, PINNED, RELEASED, crossed_datum, write_change
from ...model.pattern.gaps import gap_near, gaps_of
from ...model.pattern.hopping import judge_hops
from ...model.pattern.pins import is_held
from ...portable.powers import portable_pow
from ...portable.sums import cumulative_from_right
from ...problem.data import Points
from ...types import FloatArray, IntArray
from ..parameters import AdamSettings
from ..stepping.epochs import FORGOTTEN, Numbers


class Biases(NamedTuple):
    """What the iterations change, in place: one entry per neuron."""

    b: FloatArray
    order: IntArray
    """the neurons sorted by bias"""
    pin: IntArray
    hops: IntArray
    """who hops (core.model.pattern.hopping)"""
    first: FloatArray
    """Adam's running mean of the gradient, and of its square; zero where the steps are plain"""
    second: FloatArray


@compiled
def is_held_at(c: float, beyond: FloatArray, k: int) -> bool:
    """Whether datum k holds a bias with the coefficient c; beyond[k] is the sum of w r from k on."""
    return is_held(c * beyond[k + 1], c * beyond[k], 0.0, k, len(beyond) - 1)


@compiled
def solve_here(points: Points, b: FloatArray, order: IntArray) -> tuple[FloatArray, FloatArray]:
    """c at the biases b, and the sums of w r from each datum on."""
    knots = live_knots(points.x, b, order)
    lines, first, _ = fit_knots(points, knots)
    return share(points.x, lines, knots, first, order), cumulative_from_right(
        points.w * residuals(points, lines)
    )


@compiled
def note_changes(
    x: FloatArray, biases: Biases, c: FloatArray, beyond: FloatArray, gap: IntArray, changes: IntArray
) -> int:
    """Bring gaps and pins up to date after a step; writes (neuron, kind, datum), returns how many."""
    b, pin = biases.b, biases.pin
    count = 0
    for j in range(len(b)):
        k, g = pin[j], gap[j]
        target = gap_near(x, b[j], g)
        gap[j] = target
        if k >= 0 and (target == k or target == k + 1):
            if not is_held_at(c[j], beyond, k):
                pin[j] = -1
                count = write_change(changes, count, j, RELEASED, k)
            continue
        if target == g:
            continue
        met = crossed_datum(g, target)
        pin[j] = met if is_held_at(c[j], beyond, met) else -1
        if pin[j] >= 0:
            count = write_change(changes, count, j, PINNED, met)
        elif k >= 0:
            count = write_change(changes, count, j, RELEASED, k)
        else:
            count = write_change(changes, count, j, CROSSED, met)
    return count


@compiled
def adapt(biases: Biases, gradient: FloatArray, adam: AdamSettings, age: float) -> FloatArray:
    """Adam's step against the gradient in its epoch `age`, counted from 1."""
    first, second = biases.first, biases.second
    mean_share, square_share = 1.0 - portable_pow(adam.beta1, age), 1.0 - portable_pow(adam.beta2, age)
    step = np.empty(len(gradient))
    for j in range(len(gradient)):
        mean = adam.beta1 * first[j] + (1.0 - adam.beta1) * gradient[j]
        square = adam.beta2 * second[j] + (1.0 - adam.beta2) * (gradient[j] * gradient[j])
        first[j] = mean if abs(mean) > FORGOTTEN else 0.0
        second[j] = square if square > FORGOTTEN else 0.0
        scale = np.sqrt(second[j] / square_share) + adam.epsilon
        step[j] = adam.learning_rate * (first[j] / mean_share) / scale
    return step


@compiled
def hybrid_epochs(
    points: Points,
    s: float,
    biases: Biases,
    best: FloatArray,
    adam: AdamSettings,
    adaptive: bool,
    before: float,
    epochs: int,
    stop: bool,
    changes: IntArray,
) -> tuple[Numbers, bool]:
    """Up to `epochs` iterations (section 5.2) after `before` others, or to the first change of the pattern.

    Returns what Counts holds, and whether no bias moves any more; `best` receives c. `s` is data.s.
    The steps are Adam's, or if not adaptive plain ones with its learning rate.
    """
    x, b = points.x, biases.b
    n = len(b)
    gradient, gap = np.empty(n), gaps_of(x, b)
    c, beyond = solve_here(points, b, biases.order)
    numbers = np.arange(n)
    done, stages, last, count = 0, 0, 0, 0
    rest = False
    while done < epochs and not rest:
        for j in range(n):
            gradient[j] = -s * (c[j] * beyond[gap[j]])
        if adaptive:
            step = adapt(biases, gradient, adam, before + done + 1.0)
        else:
            step = adam.learning_rate * gradient
        rest = True
        for j in range(n):
            moved = b[j] - step[j]
            rest = rest and moved == b[j] and biases.first[j] == 0.0
            b[j] = moved
        done += 1
        repair(b, biases.order)
        c, beyond = solve_here(points, b, biases.order)
        changed = note_changes(x, biases, c, beyond, gap, changes)
        now = int(before) + done
        changed = judge_hops(x, biases.hops, b, numbers, biases.pin, changes, changed, now)
        if changed > 0:
            stages, last, count = stages + 1, done, changed
            if stop:
                break
    best[:] = c
    return (done, stages, last, count), rest
