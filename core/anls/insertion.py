"""Moves of a neuron to any gap of the data, weighed with the sweeps of core.squares.quadratics in O(m).

A new knot inside a segment splits its data in two. Both parts' regression lines
come from running updates that only add (from the left for the first part, from
the right for the second), and the loss with the new knot is one elimination from
each side, as for a candidate of ANLS. So one pass over the data weighs a new knot
in every gap. A second knot in a gap lets the network jump there; a third one
changes nothing. Taking a knot away merges two segments: O(1) eliminations again.
"""

import numpy as np
from numba import njit

from core.squares.quadratics import Sweep, meet, step_left, step_right
from core.squares.rows import EMPTY, KIND, RSS, segment, write_end, write_row
from core.types import FloatArray, IntArray

GRID = 9
REFINEMENTS = 16
"""Places tried on the way to the best one within a gap; the latter find it to 1e-4 of the gap."""
GOLDEN = 0.6180339887498949

U, X0, OFFSET, MEAN_Y, SXX, SXY, ABOUT = range(7)
"""Columns of a running regression: count, first datum, mean of x from it, mean of y, sums, rss."""


@njit(cache=True)
def add_datum(fit: FloatArray, x: float, y: float) -> None:
    """Add a datum to a running regression; every term added is non-negative, so nothing cancels.

    The residual sum grows by e^2 / (1 + 1/u + d^2/S) with e the error of the
    present line at the new datum, at distance d from the mean.
    """
    u = fit[U]
    if u == 0.0:
        fit[:] = 0.0
        fit[U], fit[X0], fit[MEAN_Y] = 1.0, x, y
        return
    d = (x - fit[X0]) - fit[OFFSET]
    e = y - fit[MEAN_Y]
    if u > 1.0:
        miss = e - (fit[SXY] / fit[SXX]) * d
        fit[ABOUT] += miss * miss / (1.0 + 1.0 / u + d * d / fit[SXX])
    share = u / (u + 1.0)
    fit[SXX] += share * d * d
    fit[SXY] += share * d * e
    fit[OFFSET] += d / (u + 1.0)
    fit[MEAN_Y] += e / (u + 1.0)
    fit[U] = u + 1.0


@njit(cache=True)
def row_of(fit: FloatArray, p: float, q: float, row: FloatArray) -> None:
    """The row of a running regression between the knots p and q (q = inf: none follows)."""
    u = int(fit[U])
    slope = fit[SXY] / fit[SXX] if u > 1 else 0.0
    if u == 0:
        row[:] = 0.0
    elif q == np.inf:
        write_end(row, u, fit[X0], fit[OFFSET], fit[MEAN_Y], fit[SXX], slope, fit[ABOUT], p)
    else:
        write_row(row, u, fit[X0], fit[OFFSET], fit[MEAN_Y], fit[SXX], slope, fit[ABOUT], p, q)


@njit(cache=True)
def room(x: FloatArray, s: Sweep, k: int, j: int) -> float:
    """Where a new knot goes in the gap left of datum j; the knot k, if not -1, lies in that gap already.

    Beside a knot it takes the wider side, so that the two stay as far apart as
    the gap allows: their coefficients grow with the inverse of the distance.
    """
    if k < 0:
        if j == 0:
            return x[0] - 0.5 * (x[1] - x[0])
        return x[j - 1] + 0.5 * (x[j] - x[j - 1])
    q = s.knot[k]
    if j == 0:
        # Left of all data there is no lack of room.
        return min(q, x[0] - 0.5 * (x[1] - x[0])) - 0.5 * (x[1] - x[0])
    if q - x[j - 1] > x[j] - q:
        return x[j - 1] + 0.5 * (q - x[j - 1])
    return q + 0.5 * (x[j] - q)


@njit(cache=True)
def best_insertion(x: FloatArray, y: FloatArray, s: Sweep) -> tuple[float, float]:
    """The largest gain of one more knot anywhere, and its position."""
    p, m = len(s.knot), len(x)
    suffix = np.empty((m + 1, 7))
    fit = np.empty(7)
    one, two = np.empty(7), np.empty(7)
    best, place = -np.inf, np.nan
    for k in range(-1, p):
        begin = s.start[k] if k >= 0 else 0
        end = s.start[k + 1]
        after = s.knot[k + 1] if k + 1 < p else np.inf
        following = min(k + 1, p - 1)
        suffix[end] = 0.0
        for i in range(end - 1, begin - 1, -1):
            suffix[i] = suffix[i + 1]
            add_datum(suffix[i], x[i], y[i])
        if k < 0:
            now = s.right[0, 1] * s.right[0, 1] if p > 0 else 0.0
            for i in range(begin, end):
                now += y[i] * y[i]
        elif k + 1 < p:
            now = s.left[k + 1, 2] + s.row[k, RSS]
            now += meet(s.left[k + 1, 0], s.left[k + 1, 1], s.right[k + 1, 0], s.right[k + 1, 1])
        else:
            now = s.row[k, RSS] + meet(s.left[k, 0], s.left[k, 1], s.right[k, 0], s.right[k, 1])
        fit[:] = 0.0
        unseen = 0.0
        for j in range(begin, end):
            if j == begin and k > 0 and s.start[k - 1] == begin and s.row[k - 1, KIND] == EMPTY:
                gain, q = -np.inf, np.nan
            else:
                beside = k if j == begin else -1
                q = room(x, s, beside, j)
                r1, z1, then = np.inf, 0.0, unseen
                low = q
                if k >= 0:
                    # The order of two knots in one gap is immaterial: the rows keep the old knot first.
                    low = max(q, s.knot[k])
                    row_of(fit, s.knot[k], low, one)
                    r1, z1, then = step_right(s.left[k, 0], s.left[k, 1], one)
                    then += fit[ABOUT]
                row_of(suffix[j], low, after, two)
                right_r = s.right[following, 0] if k + 1 < p else 0.0
                right_z = s.right[following, 1] if k + 1 < p else 0.0
                r2, z2, residual = step_left(right_r, right_z, two)
                gain = now - (then + residual + suffix[j, ABOUT] + meet(r1, z1, r2, z2))
            if gain > best:
                best, place = gain, q
            add_datum(fit, x[j], y[j])
            unseen += y[j] * y[j]
    return best, place


@njit(cache=True)
def removal_cost(x: FloatArray, y: FloatArray, s: Sweep, k: int, apart: float, row: FloatArray) -> float:
    """Increase of the sum of squares when the knot k is taken away; `row` is scratch."""
    p = len(s.knot)
    now = s.left[k, 2] + s.right[k, 2] + s.row[k, RSS]
    now += meet(s.left[k, 0], s.left[k, 1], s.right[k, 0], s.right[k, 1])
    if k == 0:
        then = 0.0
        for i in range(s.start[0], s.start[1]):
            then += y[i] * y[i]
        if p > 1:
            then += s.right[1, 1] * s.right[1, 1]
        return then - now
    now += s.row[k - 1, RSS]
    after = s.knot[k + 1] if k + 1 < p else np.inf
    following = min(k + 1, p - 1)
    segment(x, y, s.start[k - 1], s.start[k + 1], s.knot[k - 1], after, apart, row)
    r, z, residual = step_left(s.right[following, 0], s.right[following, 1], row)
    then = residual + row[RSS] + meet(s.left[k - 1, 0], s.left[k - 1, 1], r, z)
    return then - now


@njit(cache=True)
def removal_costs(x: FloatArray, y: FloatArray, s: Sweep, apart: float) -> FloatArray:
    """The cost of taking each knot away, alone."""
    row = np.empty(7)
    costs = np.empty(len(s.knot))
    for k in range(len(s.knot)):
        costs[k] = removal_cost(x, y, s, k, apart, row)
    return costs


@njit(cache=True)
def without(knot: FloatArray, start: IntArray, k: int) -> tuple[FloatArray, IntArray]:
    """Knots and segments with the knot k taken away."""
    p = len(knot)
    fewer = np.empty(p - 1)
    begin = np.empty(p, dtype=np.int64)
    for i in range(p - 1):
        fewer[i] = knot[i] if i < k else knot[i + 1]
    for i in range(p):
        begin[i] = start[i] if i < k else start[i + 1]
    return fewer, begin


@njit(cache=True)
def cost_at(s: Sweep, k: int, q: float, fits: FloatArray, rows: FloatArray) -> float:
    """What the residuals beside the knot k add up to if it stands at q, rss apart; `rows` is scratch."""
    p = len(s.knot)
    r1, z1, cost = np.inf, 0.0, 0.0
    if k > 0:
        row_of(fits[0], s.knot[k - 1], q, rows[0])
        r1, z1, cost = step_right(s.left[k - 1, 0], s.left[k - 1, 1], rows[0])
    after = s.knot[k + 1] if k + 1 < p else np.inf
    following = min(k + 1, p - 1)
    row_of(fits[1], q, after, rows[1])
    r2, z2, residual = step_left(s.right[following, 0], s.right[following, 1], rows[1])
    return cost + residual + meet(r1, z1, r2, z2)


@njit(cache=True)
def best_in_gap(x: FloatArray, y: FloatArray, s: Sweep, k: int) -> tuple[float, float]:
    """The gain and position of the knot k at its best place within its own gap.

    The knot must be alone in a gap between two data. The cost may have a minimum
    near each end, so a grid finds the best place roughly and golden section finely.
    """
    i = s.start[k]
    fits, rows = np.zeros((2, 7)), np.empty((2, 7))
    if k > 0:
        for j in range(s.start[k - 1], i):
            add_datum(fits[0], x[j], y[j])
    for j in range(i, s.start[k + 1]):
        add_datum(fits[1], x[j], y[j])
    step = (x[i] - x[i - 1]) / (GRID + 1)
    best, cost = -1, np.inf
    for t in range(1, GRID + 1):
        trial = cost_at(s, k, x[i - 1] + t * step, fits, rows)
        if trial < cost:
            best, cost = t, trial
    place = x[i - 1] + best * step
    low, high = place - step, place + step
    inner, outer = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    at_inner, at_outer = cost_at(s, k, inner, fits, rows), cost_at(s, k, outer, fits, rows)
    for _ in range(REFINEMENTS):
        if at_inner <= at_outer:
            high, outer, at_outer = outer, inner, at_inner
            inner = high - GOLDEN * (high - low)
            at_inner = cost_at(s, k, inner, fits, rows)
        else:
            low, inner, at_inner = inner, outer, at_outer
            outer = low + GOLDEN * (high - low)
            at_outer = cost_at(s, k, outer, fits, rows)
    for q, trial in ((inner, at_inner), (outer, at_outer)):
        if trial < cost:
            place, cost = q, trial
    now = s.left[k, 2] + s.right[k, 2] + meet(s.left[k, 0], s.left[k, 1], s.right[k, 0], s.right[k, 1])
    return now - cost, place
