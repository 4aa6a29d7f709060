"""What the data between two knots say about a linear spline: its segment's rows.

With u data, means mu and ybar, S = sum (x - mu)^2 and regression slope s*, and
with the spline's values v_p and v_q at the knots p < q, h = q - p,

    sum (f(x_i) - y_i)^2 = u (f(mu) - ybar)^2 + S ((v_q - v_p)/h - s*)^2 + rss,

because the residuals about the regression line are orthogonal to all lines. So a
segment is two rows in (v_p, v_q) and a constant, however many data it holds.
The weights of f(mu) on v_p and v_q are formed as (q - mu)/h and (mu - p)/h with
mu kept as (datum, offset): 1 - t would cancel for a datum close to a knot.
"""

import numpy as np
from numba import njit

from core.types import FloatArray

COINCIDENT = 1e-12
"""Knots closer than this part of the span of the data, with no datum between them, count as one."""

EMPTY, SINGLE, MANY, END, JOINED = 0.0, 1.0, 2.0, 3.0, 4.0
"""Kinds of segments: no datum, one, several; free last slope; knots that coincide."""

KIND, LEFT, RIGHT, MEAN, GRADIENT, SLOPE, RSS = 0, 1, 2, 3, 4, 5, 6
"""Columns of a segment's row: kind; weights of the mean on the left and right knot; its right-hand side;
weight of the slope; its right-hand side; residual sum of squares about the regression line. An END
segment keeps its quadratic (r, z) in the columns LEFT and MEAN."""


@njit(cache=True)
def regression(
    x: FloatArray, y: FloatArray, i: int, j: int
) -> tuple[float, float, float, float, float, float]:
    """Regression line of the data i..j-1: mean of x as (datum, offset), mean of y, S, slope, rss.

    Sums are taken about the first datum and then about the mean: prefix sums of
    squares over all data would lose most digits of a short segment's variance.
    """
    u = j - i
    x0, y0 = x[i], y[i]
    if u == 1:
        return x0, 0.0, y0, 0.0, 0.0, 0.0
    sum_x = 0.0
    sum_y = 0.0
    for k in range(i + 1, j):
        sum_x += x[k] - x0
        sum_y += y[k] - y0
    offset = sum_x / u
    rise = sum_y / u
    sxx = 0.0
    sxy = 0.0
    for k in range(i, j):
        dx = (x[k] - x0) - offset
        sxx += dx * dx
        sxy += dx * ((y[k] - y0) - rise)
    slope = sxy / sxx
    rss = 0.0
    if u > 2:
        for k in range(i, j):
            d = ((y[k] - y0) - rise) - slope * ((x[k] - x0) - offset)
            rss += d * d
    return x0, offset, y0 + rise, sxx, slope, rss


@njit(cache=True)
def write_row(
    row: FloatArray,
    u: int,
    x0: float,
    offset: float,
    mean: float,
    sxx: float,
    slope: float,
    rss: float,
    p: float,
    q: float,
) -> None:
    """The row of u data with the given regression line, between the knots p and q."""
    h = q - p
    weight = np.sqrt(float(u))
    tilt = np.sqrt(sxx)
    row[KIND] = SINGLE if u == 1 else MANY
    row[LEFT] = weight * (((q - x0) - offset) / h)
    row[RIGHT] = weight * (((x0 - p) + offset) / h)
    row[MEAN] = weight * mean
    row[GRADIENT] = tilt / h
    row[SLOPE] = tilt * slope
    row[RSS] = rss


@njit(cache=True)
def write_end(
    row: FloatArray,
    u: int,
    x0: float,
    offset: float,
    mean: float,
    sxx: float,
    slope: float,
    rss: float,
    p: float,
) -> None:
    """The last segment, right of the knot p: its free slope is eliminated at once."""
    row[:] = 0.0
    row[KIND] = END
    row[RSS] = rss
    if u > 1:
        d = (x0 - p) + offset
        r = np.sqrt(u * sxx / (sxx + u * d * d))
        row[LEFT] = r
        row[MEAN] = r * (mean - d * slope)


@njit(cache=True)
def segment(
    x: FloatArray, y: FloatArray, i: int, j: int, p: float, q: float, apart: float, row: FloatArray
) -> None:
    """Write the row of the data i..j-1 between the knots p and q (q = inf: none follows)."""
    if j == i:
        row[:] = 0.0
        row[KIND] = EMPTY if q - p > apart else JOINED
        return
    x0, offset, mean, sxx, slope, rss = regression(x, y, i, j)
    if q == np.inf:
        write_end(row, j - i, x0, offset, mean, sxx, slope, rss, p)
    else:
        write_row(row, j - i, x0, offset, mean, sxx, slope, rss, p, q)
