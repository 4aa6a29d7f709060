"""Every knot at its best place within its own gap of the data: the pattern stays the same.

Within a gap the loss with all else fixed is a smooth function of the knot's place,
O(1) from the quadratics of both sides. It may have a minimum near each end, so a
grid finds the best place roughly and golden section finely.
"""

import numpy as np

from ...compiled import compiled
from ...least_squares.chain import RESIDUAL, Chain, R, Z, from_left, from_right, meet, meet_at, step_right
from ...least_squares.rows import ROW_LENGTH, write_fit, write_segment
from ...model.regression import Regression, regression
from ...problem.data import Points
from ...types import FloatArray

INNER_POINTS = 9
REFINEMENTS = 16
"""Places tried on the way to the best one within a gap; the latter find it to 1e-4 of the gap."""
GOLDEN_RATIO = 0.6180339887498949


@compiled
def cost_at(
    x: FloatArray, chain: Chain, k: int, q: float, before: Regression, behind: Regression, rows: FloatArray
) -> float:
    """What the residuals beside the knot k add up to if it stands at q, rss apart; `rows` is scratch.

    `before` and `behind` are the data on its two sides. Infinite where q is not within the gap.
    """
    i = chain.start[k]
    if not x[i - 1] < q < x[i]:
        return np.inf
    r1, z1, cost = np.inf, 0.0, 0.0
    if k > 0:
        write_fit(rows[0], before, chain.place[k - 1], q)
        r1, z1, cost = step_right(chain.left[k - 1, R], chain.left[k - 1, Z], rows[0])
    after = chain.place[k + 1] if k + 1 < len(chain.place) else np.inf
    write_fit(rows[1], behind, q, after)
    r2, z2, residual = from_right(chain, k, rows[1])
    return cost + residual + meet(r1, z1, r2, z2)


@compiled
def best_in_gap(points: Points, chain: Chain, k: int) -> tuple[float, float]:
    """The gain and position of the knot k, alone in a gap between two data, at its best place there."""
    x = points.x
    i = chain.start[k]
    rows = np.empty((2, ROW_LENGTH))
    behind = regression(points, i, chain.start[k + 1])
    before = regression(points, chain.start[k - 1], i) if k > 0 else behind
    step = (x[i] - x[i - 1]) / (INNER_POINTS + 1)
    place, cost = chain.place[k], np.inf
    for t in range(1, INNER_POINTS + 1):
        trial = cost_at(x, chain, k, x[i - 1] + t * step, before, behind, rows)
        if trial < cost:
            place, cost = x[i - 1] + t * step, trial
    low, high = place - step, place + step
    inner, outer = high - GOLDEN_RATIO * (high - low), low + GOLDEN_RATIO * (high - low)
    at_inner = cost_at(x, chain, k, inner, before, behind, rows)
    at_outer = cost_at(x, chain, k, outer, before, behind, rows)
    for _ in range(REFINEMENTS):
        if at_inner <= at_outer:
            high, outer, at_outer = outer, inner, at_inner
            inner = high - GOLDEN_RATIO * (high - low)
            at_inner = cost_at(x, chain, k, inner, before, behind, rows)
        else:
            low, inner, at_inner = inner, outer, at_outer
            outer = low + GOLDEN_RATIO * (high - low)
            at_outer = cost_at(x, chain, k, outer, before, behind, rows)
    for q, trial in ((inner, at_inner), (outer, at_outer)):
        if trial < cost:
            place, cost = q, trial
    now = chain.left[k, RESIDUAL] + chain.right[k, RESIDUAL] + meet_at(chain, k)
    return now - cost, place


@compiled
def adjust(points: Points, chain: Chain) -> float:
    """Put each knot that is alone between two data at its best place there, from left to right.

    The right quadratics of the knots still to come stay valid meanwhile. Returns
    the gain; chain.place holds the new places.
    """
    p = len(chain.place)
    gained = 0.0
    for k in range(p):
        i = chain.start[k]
        alone = i > 0 and i < chain.start[k + 1] and (k == 0 or chain.start[k - 1] < i)
        if alone:
            gain, q = best_in_gap(points, chain, k)
            if gain > 0.0:
                gained += gain
                chain.place[k] = q
                if k > 0:
                    write_segment(chain.row[k - 1], points, chain.start[k - 1], i, chain.place[k - 1], q)
                after = chain.place[k + 1] if k + 1 < p else np.inf
                write_segment(chain.row[k], points, i, chain.start[k + 1], q, after)
        if k > 0:
            from_left(chain, k)
        if k + 1 < p:
            # best_in_gap reads the residual of the step that leads to the next knot.
            from_left(chain, k + 1)
    return gained
