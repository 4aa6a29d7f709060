"""Macroscopic data and regression line of a set U_l: what it knows of its data.

For the data i..j-1, with the weights w_k and u = sum of w,

    sum w (f(x) - y)^2 = u (f(mu) - ybar)^2 + Sxx (slope of f - s*)^2 + rss    for every line f,

because the residuals about the regression line are orthogonal to all lines. Here
(mu, ybar) are the macroscopic data of U_l, Sxx = sum w (x - mu)^2, Sxy likewise,
s* = Sxy / Sxx and rss the residual sum of squares about the line.

Sums are taken about the first datum and then about the mean: prefix sums of
squares over all data would lose most digits of a short segment's variance. mu is
kept as (datum, offset), so that mu - b does not cancel for a bias next to it.

A kernel that has no use for rss does not compute it, since the regression is compiled into its callers.
"""

from typing import NamedTuple

from ..compiled import compiled, compiled_inline
from ..problem.data import Points


class Regression(NamedTuple):
    """Moments and regression line of some neighbouring data."""

    weight: float
    """u, the sum of the weights: how many data there are where all are 1."""
    first: float
    """x of the first datum; mu = first + offset."""
    offset: float
    mean: float
    """ybar."""
    sxx: float
    sxy: float
    slope: float
    """s*; 0 for a single datum, which leaves it open."""
    rss: float


@compiled_inline
def regression(points: Points, i: int, j: int) -> Regression:
    """Of the data i..j-1, at least one."""
    x, y, w = points
    x0, y0 = x[i], y[i]
    if j - i == 1:
        return Regression(w[i], x0, 0.0, y0, 0.0, 0.0, 0.0, 0.0)
    weight = w[i]
    sum_x = 0.0
    sum_y = 0.0
    for k in range(i + 1, j):
        weight += w[k]
        sum_x += w[k] * (x[k] - x0)
        sum_y += w[k] * (y[k] - y0)
    offset = sum_x / weight
    rise = sum_y / weight
    sxx = 0.0
    sxy = 0.0
    for k in range(i, j):
        dx = (x[k] - x0) - offset
        sxx += w[k] * (dx * dx)
        sxy += w[k] * (dx * ((y[k] - y0) - rise))
    slope = sxy / sxx
    rss = 0.0
    if j - i > 2:
        for k in range(i, j):
            d = ((y[k] - y0) - rise) - slope * ((x[k] - x0) - offset)
            rss += w[k] * (d * d)
    return Regression(weight, x0, offset, y0 + rise, sxx, sxy, slope, rss)


@compiled
def _moments(points: Points, i: int, j: int) -> tuple[float, float, float, float, float, float, float, float]:
    fit = regression(points, i, j)
    return fit.weight, fit.first, fit.offset, fit.mean, fit.sxx, fit.sxy, fit.slope, fit.rss


def regression_of(points: Points, i: int, j: int) -> Regression:
    """The same for Python: a kernel must not hand over a named tuple (core.methods.stepping.epochs)."""
    return Regression(*_moments(points, i, j))
