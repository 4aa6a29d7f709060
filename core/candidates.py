"""The candidates of active neuron least squares (ANLS), all of their losses, and the iteration.

Candidate rules (paper, section 4.2, as they must be read). The data of the k-th
segment lie in (b_k, b_{k+1}]. A live neuron has at most one candidate per side,
in which it crosses exactly one datum and passes no other neuron.

- Left, if the segment before is not empty: cross its largest datum x_i. If
  b_{k-1} already lies in the gap that is entered: to the midpoint of b_{k-1} and
  x_i. Else if x_i is the smallest datum: to x_i - 1e-8. Else to the midpoint of
  x_{i-1} and x_i.
- Right, if the own segment is not empty: cross its smallest datum x_i. If it
  has two or more data: to the midpoint of x_i and x_{i+1}. If it has one: to the
  midpoint of x_i and b_{k+1}, but the last live neuron may not (it would die).

Rule 6(ii) of the paper says "the middle point of a data point and b_k", which
must mean the neighbouring bias: the midpoint with the neuron's own bias cannot
cross the datum. Dead neurons never move, and of several neurons left of all data
only the rightmost can: both follow from the rules above.

A candidate is dropped where rounding makes its midpoint one of the two ends, or
where it would coincide with its neighbour (core.segment_rows.COINCIDENT).
"""

import numpy as np
from numba import njit

from core.arrays import FloatArray, IntArray
from core.segment_rows import RSS, segment
from core.sweep import (
    Sweep,
    live_knots,
    meet,
    new_sweep,
    step_left,
    step_right,
    sum_of_squares,
    sweep_left,
    sweep_right,
)

BEFORE_ALL = 1e-8
"""How far left of the smallest datum a neuron is put that crosses it (paper, rule 6(iii))."""

LEAST_GAIN = 1e-12
"""A gain is an improvement only beyond this part of the loss: less is rounding."""

INTERPOLATES = 1e-26
"""A loss below this part of the mean square of y is rounding: there is nothing left to gain."""


@njit(cache=True)
def place_left(x: FloatArray, s: Sweep, k: int, apart: float) -> float:
    """Where the left candidate puts the knot k; nan where there is none."""
    i = s.start[k] - 1
    previous = s.start[k - 1] if k > 0 else 0
    if i < previous:
        return np.nan
    low = -np.inf
    if k > 0 and i == previous:
        low = s.knot[k - 1]
        if 0.5 * (x[i] - low) <= apart:
            return np.nan
    elif i > 0:
        low = x[i - 1]
    if low == -np.inf:
        q = min(x[i] - BEFORE_ALL, np.nextafter(x[i], -np.inf))
    else:
        q = low + 0.5 * (x[i] - low)
    if low < q < x[i]:
        return q
    return np.nan


@njit(cache=True)
def place_right(x: FloatArray, s: Sweep, k: int, apart: float) -> float:
    """Where the right candidate puts the knot k; nan where there is none."""
    i = s.start[k]
    u = s.start[k + 1] - i
    last = k == len(s.knot) - 1
    if u == 0 or (u == 1 and last):
        return np.nan
    if u > 1:
        high = x[i + 1]
    else:
        high = s.knot[k + 1]
        if 0.5 * (high - x[i]) <= apart:
            return np.nan
    q = x[i] + 0.5 * (high - x[i])
    if x[i] <= q < high:
        return q
    return np.nan


@njit(cache=True)
def write_candidates(x: FloatArray, y: FloatArray, s: Sweep, k: int, apart: float) -> None:
    """Positions of both candidates of the knot k, and the rows of the segments beside them."""
    p = len(s.knot)
    previous = s.start[k - 1] if k > 0 else 0
    before = s.knot[k - 1] if k > 0 else -np.inf
    after = s.knot[k + 1] if k + 1 < p else np.inf
    for side in range(2):
        q = place_left(x, s, k, apart) if side == 0 else place_right(x, s, k, apart)
        s.place[k, side] = q
        if not np.isnan(q):
            i = s.start[k] + 2 * side - 1
            if k > 0:
                segment(x, y, previous, i, before, q, apart, s.moved[k, side, 0])
            segment(x, y, i, s.start[k + 1], q, after, apart, s.moved[k, side, 1])


@njit(cache=True)
def weigh_candidates(y: FloatArray, s: Sweep, k: int) -> None:
    """Gains of both candidates of the knot k, as differences of residuals next to it."""
    p = len(s.knot)
    now = s.left[k, 2] + s.right[k, 2] + s.row[k, RSS]
    now += meet(s.left[k, 0], s.left[k, 1], s.right[k, 0], s.right[k, 1])
    if k > 0:
        now += s.row[k - 1, RSS]
    following = min(k + 1, p - 1)
    for side in range(2):
        if np.isnan(s.place[k, side]):
            s.gain[k, side] = -np.inf
            continue
        r1, z1, then = np.inf, 0.0, 0.0
        crossed = 0.0
        if k > 0:
            before = s.moved[k, side, 0]
            r1, z1, then = step_right(s.left[k - 1, 0], s.left[k - 1, 1], before)
            then += before[RSS]
        else:
            # Left of the first knot the network is zero, and a datum there costs its own square.
            i = s.start[0] + side - 1
            crossed = y[i] * y[i] if side == 0 else -y[i] * y[i]
        behind = s.moved[k, side, 1]
        r2, z2, residual = step_left(s.right[following, 0], s.right[following, 1], behind)
        then += residual + behind[RSS] + meet(r1, z1, r2, z2)
        s.gain[k, side] = (now - then) + crossed


@njit(cache=True)
def weigh_all(x: FloatArray, y: FloatArray, s: Sweep, apart: float) -> None:
    """All candidates of all knots, from scratch."""
    for k in range(len(s.knot)):
        write_candidates(x, y, s, k, apart)
        weigh_candidates(y, s, k)


@njit(cache=True)
def best_candidate(s: Sweep) -> tuple[int, int, float]:
    """Knot and side of the largest gain (the first of equals); knot -1 where there is no candidate."""
    knot, side, gain = -1, 0, -np.inf
    for k in range(len(s.knot)):
        for j in range(2):
            if s.gain[k, j] > gain:
                knot, side, gain = k, j, s.gain[k, j]
    return knot, side, gain


@njit(cache=True)
def take(x: FloatArray, y: FloatArray, s: Sweep, k: int, side: int, apart: float) -> None:
    """Move the knot k to its candidate and bring the sweeps and all gains up to date.

    Only what changed is redone: the two segments, the sweeps until they repeat
    bit by bit, and the candidates that see a changed quadratic. The outcome is
    the same, bit by bit, as from scratch.
    """
    p = len(s.knot)
    s.knot[k] = s.place[k, side]
    s.start[k] += 2 * side - 1
    if k > 0:
        s.row[k - 1] = s.moved[k, side, 0]
    s.row[k] = s.moved[k, side, 1]
    high = sweep_left(s, max(k, 1))
    low = sweep_right(s, k)
    for j in range(max(k - 1, 0), min(k + 2, p)):
        write_candidates(x, y, s, j, apart)
    for j in range(max(min(low, k - 1), 0), min(max(high, k + 1) + 1, p)):
        weigh_candidates(y, s, j)


@njit(cache=True)
def improves(gain: float, total: float, scale: float) -> bool:
    """Whether a gain in the sum of squares is more than rounding; scale is the sum of y squared."""
    return gain > LEAST_GAIN * total and total > INTERPOLATES * scale


@njit(cache=True)
def anls(
    x: FloatArray, y: FloatArray, b: FloatArray, order: IntArray, apart: float, iterations: int
) -> tuple[int, bool, float, IntArray, IntArray, FloatArray]:
    """Up to `iterations` iterations of ANLS; b is overwritten. `order` sorts b and stays valid.

    Returns the iterations done, whether no improving candidate is left, the least
    sum of squares, and per iteration the neuron, the datum crossed, and the sum of
    squares after it. The sum is a function of the biases alone and every accepted
    move lowers it, so the iteration ends.
    """
    neuron = np.empty(iterations, dtype=np.int64)
    datum = np.empty(iterations, dtype=np.int64)
    history = np.empty(iterations)
    scale = 0.0
    for i in range(len(y)):
        scale += y[i] * y[i]
    knot, start = live_knots(x, b, order)
    s = new_sweep(x, y, knot, start, apart)
    weigh_all(x, y, s, apart)
    total = sum_of_squares(y, s)
    done = 0
    settled = False
    while not settled:
        k, side, gain = best_candidate(s)
        if k < 0 or not improves(gain, total, scale):
            settled = True
            break
        if done == iterations:
            break
        old_place, old_total = s.knot[k], total
        crossed = s.start[k] + side - 1
        take(x, y, s, k, side, apart)
        total = sum_of_squares(y, s)
        if not total < old_total:
            s.knot[k] = old_place
            total = old_total
            settled = True
            break
        b[order[k]] = s.knot[k]
        neuron[done], datum[done], history[done] = order[k], crossed, total
        done += 1
    return done, settled, total, neuron[:done], datum[:done], history[:done]
