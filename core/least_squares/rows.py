"""What the data between two knots say about a linear spline: their row.

With the spline's values v_p and v_q at the knots p < q, h = q - p, and the
regression line of the data between them (core.model.regression),

    sum w (f(x) - y)^2 = u (f(mu) - ybar)^2 + Sxx ((v_q - v_p)/h - s*)^2 + rss,

so a segment is two equations in (v_p, v_q) and a constant, however many data it
holds. The weights of f(mu) on v_p and v_q are formed as (q - mu)/h and (mu - p)/h
with mu kept as (datum, offset): 1 - t would cancel for a datum close to a knot.
"""

import numpy as np

from ..compiled import compiled_inline
from ..model.regression import Regression, regression
from ..problem.data import Points
from ..types import FloatArray

COINCIDENT = 1e-12
"""Knots closer than this part of the span of the data, with no datum between them, count as one."""

EMPTY, SINGLE, MANY, LAST, JOINED = 0.0, 1.0, 2.0, 3.0, 4.0
"""Kinds of segments: no datum; one; several; the last, with a free slope; between knots that coincide."""

KIND, LEFT, RIGHT, MEAN, GRADIENT, SLOPE, RSS = 0, 1, 2, 3, 4, 5, 6
"""Columns of a row: kind; weights of the mean on the left and right knot; its right-hand side; weight of
the slope; its right-hand side; residual sum of squares about the regression line. The LAST segment keeps
its quadratic (r, z) in the columns LEFT and MEAN."""
ROW_LENGTH = 7


@compiled_inline
def are_apart(x: FloatArray, p: float, q: float) -> bool:
    """Whether the knots p <= q of one gap count as two.

    Telling closer ones apart would ask for coefficients so large that their rounding spoils the fit.
    """
    return q - p > COINCIDENT * (x[len(x) - 1] - x[0])


@compiled_inline
def write_between(row: FloatArray, fit: Regression, p: float, q: float) -> None:
    """The row of the data of a regression, between the knots p and q, without rss."""
    h = q - p
    weight = np.sqrt(fit.weight)
    tilt = np.sqrt(fit.sxx)
    row[KIND] = MANY if fit.sxx > 0.0 else SINGLE
    row[LEFT] = weight * (((q - fit.first) - fit.offset) / h)
    row[RIGHT] = weight * (((fit.first - p) + fit.offset) / h)
    row[MEAN] = weight * fit.mean
    row[GRADIENT] = tilt / h
    row[SLOPE] = tilt * fit.slope


@compiled_inline
def end_quadratic(fit: Regression, d: float) -> tuple[float, float]:
    """(r, z) of data with a free slope for the value v at distance d before their mean: (r v - z)^2 + rss."""
    if fit.sxx == 0.0:
        return 0.0, 0.0
    u = fit.weight
    r = np.sqrt(u * fit.sxx / (fit.sxx + u * d * d))
    return r, r * (fit.mean - d * fit.slope)


@compiled_inline
def write_last(row: FloatArray, fit: Regression, p: float) -> None:
    """The row right of the last knot p, without rss: its free slope is eliminated at once."""
    row[:] = 0.0
    row[KIND] = LAST
    row[LEFT], row[MEAN] = end_quadratic(fit, (fit.first - p) + fit.offset)


@compiled_inline
def write_fit(row: FloatArray, fit: Regression, p: float, q: float) -> None:
    """The row of the data of a regression between the knots p and q (q = inf: none follows)."""
    if fit.weight == 0.0:
        row[:] = 0.0
        return
    if q == np.inf:
        write_last(row, fit, p)
    else:
        write_between(row, fit, p, q)
    row[RSS] = fit.rss


@compiled_inline
def write_segment(row: FloatArray, points: Points, i: int, j: int, p: float, q: float) -> None:
    """The row of the data i..j-1 between the knots p and q (q = inf: none follows)."""
    if j > i:
        write_fit(row, regression(points, i, j), p, q)
        return
    row[:] = 0.0
    row[KIND] = EMPTY if are_apart(points.x, p, q) else JOINED
