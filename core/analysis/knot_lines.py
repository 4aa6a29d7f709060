"""The lines between the joints of a spline (core.analysis.free_knots): what they cost, and whether they meet.

All from the moments of neighbouring data (core.model.regression), in O(1) and by sums of squares alone, so
that nothing cancels: what data cost under a line is rss + u (f(mu) - ybar)^2 + Sxx (slope - s*)^2.
"""

from typing import NamedTuple

import numpy as np

from ..compiled import compiled
from ..model.regression import regression
from ..problem.data import Points
from ..types import FloatArray

WEIGHT, MIDDLE, MEAN, SXX, SLOPE, RSS = range(6)
"""Columns of `fits_of`."""


class Quadratic(NamedTuple):
    """a (u - b)^2 + c, what the data up to a tied joint cost if the value there is u; a = inf: u = b."""

    a: float
    b: float
    c: float


class Piece(NamedTuple):
    """height + slope x."""

    height: float
    slope: float


@compiled
def fits_of(points: Points) -> FloatArray:
    """(m + 1, m + 1, 6) the moments and the regression line of the data i..j-1, in O(m^3)."""
    m = len(points.x)
    fits = np.zeros((m + 1, m + 1, 6))
    for i in range(m):
        for j in range(i + 1, m + 1):
            fit = regression(points, i, j)
            row = fits[i, j]
            row[WEIGHT], row[MIDDLE], row[MEAN] = fit.weight, fit.first + fit.offset, fit.mean
            row[SXX], row[SLOPE], row[RSS] = fit.sxx, fit.slope, fit.rss
    return fits


@compiled
def piece_of(fit: FloatArray) -> Piece:
    """The regression line itself."""
    return Piece(fit[MEAN] - fit[SLOPE] * fit[MIDDLE], fit[SLOPE])


@compiled
def beside(fit: FloatArray, x: float) -> tuple[Quadratic, float]:
    """What some data cost under a line with the value u at x; its slope is theirs + q (u - b).

    A datum alone, away from x, is met with any u.
    """
    apart = x - fit[MIDDLE]
    value = fit[MEAN] + fit[SLOPE] * apart
    about = fit[SXX] + fit[WEIGHT] * (apart * apart)
    return Quadratic(fit[WEIGHT] * fit[SXX] / about, value, fit[RSS]), fit[WEIGHT] * apart / about


@compiled
def level(fit: FloatArray) -> Quadratic:
    """What some data cost under the constant u."""
    return Quadratic(fit[WEIGHT], fit[MEAN], fit[RSS] + fit[SLOPE] * fit[SLOPE] * fit[SXX])


@compiled
def joined(one: Quadratic, two: Quadratic) -> Quadratic:
    """The sum of two quadratics of one value."""
    apart = two.b - one.b
    if one.a == np.inf:
        return Quadratic(np.inf, one.b, one.c + two.c + two.a * (apart * apart))
    both = one.a + two.a
    c = one.c + two.c + (one.a * two.a / both) * (apart * apart)
    return Quadratic(both, one.b + (two.a / both) * apart, c)


@compiled
def between(fit: FloatArray, left: Quadratic, x: float, z: float) -> tuple[Quadratic, float, float]:
    """The quadratic of the joint at z after one at x, the data right of x up to z between them.

    The value at x is p + q v then, if v is the one at z. Three squares in u and v, with the weights a_i, say
    how the data are missed: u - b, (1 - s) u + s v - ybar, v - u - h s*. By the formula of Cauchy and Binet
    everything is a quotient of sums of squares of their determinants.
    """
    h = z - x
    share = (fit[MIDDLE] - x) / h
    a2, a3 = fit[WEIGHT], fit[SXX] / (h * h)
    u2, v2, y2, y3 = 1.0 - share, share, fit[MEAN], fit[SLOPE] * h
    if left.a == np.inf:
        g2, g3 = y2 - u2 * left.b, y3 + left.b
        a = a2 * (v2 * v2) + a3
        miss = v2 * g3 - g2
        return (
            Quadratic(a, (a2 * v2 * g2 + a3 * g3) / a, left.c + fit[RSS] + a2 * a3 / a * (miss * miss)),
            left.b,
            0.0,
        )
    a1, y1 = left.a, left.b
    whole = a1 + a2 * (u2 * u2) + a3
    # d_ij = u_i v_j - u_j v_i and e_ij = u_i y_j - u_j y_i, with (u, v) = (1, 0), (u2, v2), (-1, 1)
    d12, d13, d23 = v2, 1.0, u2 + v2
    e12, e13, e23 = y2 - u2 * y1, y3 + y1, u2 * y3 + y2
    w12, w13, w23 = a1 * a2, a1 * a3, a2 * a3
    both = w12 * (d12 * d12) + w13 * (d13 * d13) + w23 * (d23 * d23)
    miss = v2 * e13 - e12
    c = left.c + fit[RSS] + a1 * a2 * a3 / both * (miss * miss)
    v = (w12 * d12 * e12 + w13 * d13 * e13 + w23 * d23 * e23) / both
    p, q = (a1 * y1 + a2 * u2 * y2 - a3 * y3) / whole, (a3 - a2 * u2 * v2) / whole
    return Quadratic(both / whole, v, c), p, q


@compiled
def meeting(x: FloatArray, j: int, one: Piece, two: Piece) -> float:
    """Where two lines meet, if that is in the gap left of datum j; else nan.

    Left of all data a line that falls towards zero on its way to the left does, however far away.
    """
    height, slope = two.height - one.height, two.slope - one.slope
    right = height + slope * x[j]
    if j == 0:
        return x[0] - right / slope if right * slope > 0.0 else np.nan
    left = height + slope * x[j - 1]
    if left * right > 0.0 or left == right:
        return np.nan
    return x[j - 1] + (x[j] - x[j - 1]) * (left / (left - right))
