"""Moves of a neuron to any gap of the data, weighed with the chain (core.least_squares.chain) in O(m).

A new knot inside a segment splits its data in two. Both parts' regression lines
come from running updates that only add (from the left for the first part, from
the right for the second), and the loss with the new knot is one elimination from
each side, as for a candidate of ANLS. So one pass over the data weighs a new knot
in every gap. A second knot in a gap lets the network jump there; a third one
changes nothing. Taking a knot away merges two segments: O(1) eliminations again.
"""

import numpy as np

from ...compiled import compiled
from ...least_squares.chain import (
    RESIDUAL,
    Chain,
    Knots,
    R,
    Z,
    chain_of,
    from_right,
    meet,
    meet_at,
    step_right,
    unseen,
)
from ...least_squares.rows import EMPTY, KIND, ROW_LENGTH, RSS, are_apart, write_fit, write_segment
from ...methods.anls.gains import cost_beside
from ...model.regression import Regression
from ...problem.data import Points
from ...types import FloatArray

NOTHING = Regression(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
"""The regression of no data."""


@compiled
def extend(fit: Regression, x: float, y: float, w: float) -> Regression:
    """A regression with one more datum; every term added is non-negative, so nothing cancels.

    The residual sum grows by e^2 / (1/w + 1/u + d^2/S) with e the error of the
    present line at the new datum, at distance d from the mean.
    """
    u = fit.weight
    if u == 0.0:
        return Regression(w, x, 0.0, y, 0.0, 0.0, 0.0, 0.0)
    d = (x - fit.first) - fit.offset
    e = y - fit.mean
    rss = fit.rss
    if fit.sxx > 0.0:
        miss = e - fit.slope * d
        rss += miss * miss / (1.0 / w + 1.0 / u + d * d / fit.sxx)
    both = u + w
    share = u * w / both
    sxx = fit.sxx + share * d * d
    sxy = fit.sxy + share * d * e
    slope = sxy / sxx if sxx > 0.0 else 0.0
    return Regression(
        both, fit.first, fit.offset + w * d / both, fit.mean + w * e / both, sxx, sxy, slope, rss
    )


@compiled
def fit_suffixes(points: Points, i: int, j: int, kept: FloatArray) -> None:
    """Write the regressions of the data i..j-1, i+1..j-1, ..., of none, into the rows i..j of `kept`."""
    fit = NOTHING
    for k in range(j, i - 1, -1):
        if k < j:
            fit = extend(fit, points.x[k], points.y[k], points.w[k])
        kept[k, 0], kept[k, 1], kept[k, 2], kept[k, 3] = fit.weight, fit.first, fit.offset, fit.mean
        kept[k, 4], kept[k, 5], kept[k, 6], kept[k, 7] = fit.sxx, fit.sxy, fit.slope, fit.rss


@compiled
def kept_fit(kept: FloatArray, k: int) -> Regression:
    """A regression that fit_suffixes wrote."""
    return Regression(
        kept[k, 0], kept[k, 1], kept[k, 2], kept[k, 3], kept[k, 4], kept[k, 5], kept[k, 6], kept[k, 7]
    )


@compiled
def room(x: FloatArray, j: int) -> float:
    """Where a new knot goes in the gap left of datum j, if it has none; nan where there is no room."""
    m = len(x)
    if j == 0:
        return x[0] - 0.5 * ((x[m - 1] - x[0]) / (m - 1))
    q = x[j - 1] + 0.5 * (x[j] - x[j - 1])
    return q if q < x[j] else np.nan


@compiled
def room_beside(x: FloatArray, j: int, q: float) -> float:
    """Where a new knot goes in the gap left of datum j, beside the knot q; nan where there is no room.

    It takes the wider side, so that the two stay as far apart as the gap allows:
    their coefficients grow with the inverse of the distance. Left of all data the span of the
    data is the measure.
    """
    if j == 0:
        half = 0.5 * (x[len(x) - 1] - x[0])
        return q - half if x[0] - q < 2.0 * half else x[0] - half
    if q - x[j - 1] > x[j] - q:
        new = x[j - 1] + 0.5 * (q - x[j - 1])
        return new if are_apart(x, new, q) else np.nan
    new = q + 0.5 * (x[j] - q)
    return new if new < x[j] and are_apart(x, q, new) else np.nan


@compiled
def cost_of_segment(points: Points, chain: Chain, k: int) -> float:
    """What changes when a knot is put into the segment right of the knot k (-1: left of the first)."""
    if k < 0:
        cost = chain.right[0, Z] * chain.right[0, Z] if len(chain.place) > 0 else 0.0
        return cost + unseen(points, 0, chain.start[0])
    if k + 1 < len(chain.place):
        return chain.left[k + 1, RESIDUAL] + chain.row[k, RSS] + meet_at(chain, k + 1)
    return chain.row[k, RSS] + meet_at(chain, k)


@compiled
def best_insertion(points: Points, chain: Chain) -> tuple[float, float]:
    """The largest gain of one more knot anywhere, and its position."""
    x, y, w = points
    p, m = len(chain.place), len(x)
    suffix = np.empty((m + 1, 8))
    one, two = np.empty(ROW_LENGTH), np.empty(ROW_LENGTH)
    best, place = -np.inf, np.nan
    for k in range(-1, p):
        begin = chain.start[k] if k >= 0 else 0
        end = chain.start[k + 1]
        after = chain.place[k + 1] if k + 1 < p else np.inf
        full = k > 0 and chain.start[k - 1] == begin and chain.row[k - 1, KIND] == EMPTY
        fit_suffixes(points, begin, end, suffix)
        now = cost_of_segment(points, chain, k)
        fit, left_out = NOTHING, 0.0
        for j in range(begin, end):
            q = np.nan
            if j > begin or k < 0:
                q = room(x, j)
            elif not full:
                q = room_beside(x, j, chain.place[k])
            if not np.isnan(q):
                low = q
                r1, z1, then = np.inf, 0.0, left_out
                if k >= 0:
                    # The order of two knots in one gap is immaterial: the rows keep the old knot first.
                    low = max(q, chain.place[k])
                    write_fit(one, fit, chain.place[k], low)
                    r1, z1, then = step_right(chain.left[k, R], chain.left[k, Z], one)
                    then += fit.rss
                behind = kept_fit(suffix, j)
                write_fit(two, behind, low, after)
                r2, z2, residual = from_right(chain, k, two)
                gain = now - (then + residual + behind.rss + meet(r1, z1, r2, z2))
                if gain > best:
                    best, place = gain, q
            fit = extend(fit, x[j], y[j], w[j])
            left_out += unseen(points, j, j + 1)
    return best, place


@compiled
def removal_cost(points: Points, chain: Chain, k: int, row: FloatArray) -> float:
    """Increase of the sum of squares when the knot k is taken away; `row` is scratch."""
    p = len(chain.place)
    now = cost_beside(chain, k)
    if k == 0:
        then = unseen(points, chain.start[0], chain.start[1])
        if p > 1:
            then += chain.right[1, Z] * chain.right[1, Z]
        return then - now
    after = chain.place[k + 1] if k + 1 < p else np.inf
    write_segment(row, points, chain.start[k - 1], chain.start[k + 1], chain.place[k - 1], after)
    r, z, residual = from_right(chain, k, row)
    then = residual + row[RSS] + meet(chain.left[k - 1, R], chain.left[k - 1, Z], r, z)
    return then - now


@compiled
def removal_costs(points: Points, chain: Chain) -> FloatArray:
    """The cost of taking each knot away, alone."""
    row = np.empty(ROW_LENGTH)
    costs = np.empty(len(chain.place))
    for k in range(len(costs)):
        costs[k] = removal_cost(points, chain, k, row)
    return costs


@compiled
def without(chain: Chain, k: int) -> Knots:
    """The knots with the knot k taken away."""
    p = len(chain.place)
    place = np.empty(p - 1)
    start = np.empty(p, dtype=np.int64)
    for i in range(p - 1):
        place[i] = chain.place[i] if i < k else chain.place[i + 1]
    for i in range(p):
        start[i] = chain.start[i] if i < k else chain.start[i + 1]
    return Knots(place, start)


@compiled
def replace(points: Points, chain: Chain, k: int, cost: float) -> tuple[float, float]:
    """Net gain and new position if the knot k, whose removal costs `cost`, goes where it then gains most."""
    gain, q = best_insertion(points, chain_of(points, without(chain, k)))
    return gain - cost, q
