"""Hybrid training (Cyr et al.): a gradient step on the biases, then least squares for the coefficients.

An iteration starts from c = A^+ y at the present biases. With r = f(x) - y and
G_j the sum of r over the data that neuron j sees, dL/db_j = -s c_j G_j, s = 2/m;
the biases step (plainly, or by Adam's rule), and c follows at once. The lines of
the fit (core.squares.min_norm) give r in O(m), free of the rounding of huge coefficients,
which would otherwise enter the step multiplied by those same coefficients.

Crossings and pins are told as for gradient descent: a bias that crosses a datum
x_k is pinned to it if the velocity points back at x_k from both sides,
v+ <= 0 <= v-, with v+ = s c_j (sum of r beyond x_k) and v- = v+ + s c_j r_k, at
the coefficients that belong to the new biases. It is released when one of the
two changes its sign, or when the bias reaches another datum. Right of the last
datum a neuron is dead, so none is pinned there.
"""

import numpy as np
from numba import njit

from core.squares.joints import residuals, share
from core.squares.min_norm import fit_lines
from core.squares.quadratics import live_knots
from core.types import FloatArray, IntArray

CROSSED, PINNED, RELEASED = 0, 1, 2


FIRST_DECAY, SECOND_DECAY, EPSILON = 0.9, 0.999, 1e-8
"""Adam's constants (Kingma and Ba)."""


@njit(cache=True)
def repair(b: FloatArray, order: IntArray) -> None:
    """Sort the neurons by bias again after a small step: insertion, almost in order already."""
    for p in range(1, len(order)):
        j = order[p]
        q = p
        while q > 0 and b[order[q - 1]] > b[j]:
            order[q] = order[q - 1]
            q -= 1
        order[q] = j


@njit(cache=True)
def gap_near(x: FloatArray, value: float, g: int) -> int:
    """Number of data <= value, found by walking from g."""
    while g < len(x) and x[g] <= value:
        g += 1
    while g > 0 and x[g - 1] > value:
        g -= 1
    return g


@njit(cache=True)
def held(c: float, beyond: FloatArray, r: FloatArray, k: int) -> bool:
    """Filippov's condition v+ <= 0 <= v- at datum k; beyond[k] is the sum of r from k on."""
    if k == len(r) - 1:
        return False
    return c * beyond[k + 1] <= 0.0 <= c * (beyond[k + 1] + r[k])


@njit(cache=True)
def solve_here(
    x: FloatArray,
    y: FloatArray,
    b: FloatArray,
    order: IntArray,
    distance: float,
    r: FloatArray,
    beyond: FloatArray,
) -> FloatArray:
    """c at the biases b; fills the residuals and their sums from each datum on."""
    knot, start = live_knots(x, b, order)
    lines, _ = fit_lines(x, y, knot, start, distance)
    residuals(x, y, lines, r)
    beyond[len(x)] = 0.0
    for i in range(len(x) - 1, -1, -1):
        beyond[i] = beyond[i + 1] + r[i]
    return share(lines, knot, order)


@njit(cache=True)
def note_changes(
    x: FloatArray,
    b: FloatArray,
    c: FloatArray,
    gap: IntArray,
    pin: IntArray,
    r: FloatArray,
    beyond: FloatArray,
    changes: IntArray,
) -> int:
    """Bring gaps and pins up to date after a step; writes (neuron, kind, datum), returns how many."""
    count = 0
    for j in range(len(b)):
        k, g = pin[j], gap[j]
        target = gap_near(x, b[j], g)
        gap[j] = target
        if k >= 0 and (target == k or target == k + 1):
            if not held(c[j], beyond, r, k):
                pin[j] = -1
                changes[count, 0], changes[count, 1], changes[count, 2] = j, RELEASED, k
                count += 1
            continue
        if target == g:
            continue
        met = target - 1 if target > g else target
        changes[count, 0], changes[count, 1], changes[count, 2] = j, CROSSED, met
        if k >= 0:
            changes[count, 1], changes[count, 2] = RELEASED, k
        pin[j] = -1
        if held(c[j], beyond, r, met):
            pin[j] = met
            changes[count, 1], changes[count, 2] = PINNED, met
        count += 1
    return count


@njit(cache=True)
def hybrid_epochs(
    x: FloatArray,
    y: FloatArray,
    b: FloatArray,
    order: IntArray,
    pin: IntArray,
    first: FloatArray,
    second: FloatArray,
    begin: float,
    adaptive: bool,
    learning_rate: float,
    epochs: int,
    stop_at_change: bool,
    distance: float,
    changes: IntArray,
) -> tuple[FloatArray, int, int, int, int, bool]:
    """Up to `epochs` iterations; b, order, pin and the moments of Adam are changed in place.

    Returns c, the iterations done, those at which the pattern changed, the last of
    them, the number of rows of `changes` that tell of it, and whether no bias moves
    any more. `begin` is the number of iterations before this call.
    """
    n, m = len(b), len(x)
    r, beyond = np.empty(m), np.empty(m + 1)
    gap = np.empty(n, dtype=np.int64)
    for j in range(n):
        gap[j] = np.searchsorted(x, b[j], side="right")
    c = solve_here(x, y, b, order, distance, r, beyond)
    done, stages, last, count = 0, 0, 0, 0
    rest = False
    while done < epochs and not rest:
        rest = True
        age = begin + done + 1.0
        first_share, second_share = 1.0 - FIRST_DECAY**age, 1.0 - SECOND_DECAY**age
        for j in range(n):
            gradient = -(2.0 / m) * (c[j] * beyond[gap[j]])
            step = learning_rate * gradient
            if adaptive:
                first[j] = FIRST_DECAY * first[j] + (1.0 - FIRST_DECAY) * gradient
                second[j] = SECOND_DECAY * second[j] + (1.0 - SECOND_DECAY) * (gradient * gradient)
                scale = np.sqrt(second[j] / second_share) + EPSILON
                step = learning_rate * (first[j] / first_share) / scale
                rest = rest and first[j] == 0.0
            moved = b[j] - step
            rest = rest and moved == b[j]
            b[j] = moved
        done += 1
        repair(b, order)
        c = solve_here(x, y, b, order, distance, r, beyond)
        changed = note_changes(x, b, c, gap, pin, r, beyond, changes)
        if changed > 0:
            stages += 1
            last = done
            count = changed
            if stop_at_change:
                break
    return c, done, stages, last, count, rest
