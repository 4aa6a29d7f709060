"""Theorem 3.5 (thm:LSQ-Stationary): on each U_l of two data or more a fully trained network is the
regression line of these data. A single datum it passes through, with any slope.
"""

from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from ..model.pattern import Pattern, segments
from ..problem.data import TrainingData
from ..types import FloatArray, IntArray

Number = TypeVar("Number", float, FloatArray)


@dataclass(frozen=True)
class Line:
    """The line height + slope (x - center) that belongs to U_l, drawn from `low` to `high`."""

    l: int  # noqa: E741
    low: float
    high: float
    center: float
    height: float
    slope: float
    count: int
    """u_l; a single datum leaves the slope open, and the least-norm line is given"""


def least_norm_slope(x: Number, y: Number) -> Number:
    """Slope of the line a x + d through (x, y) with the least a^2 + d^2 (the paper's alpha_l = 0)."""
    return x * y / (1 + x * x)


def regression_lines(data: TrainingData, pattern: Pattern) -> tuple[Line, ...]:
    """The regression line of the data in each U_l, l >= 1, u_l > 0 (Theorem 3.5).

    Where u_l > 1 a fully trained network without pinned neurons *is* this line: the theorem's lines for the
    modified data, summed up to l. Where u_l = 1 it passes through the datum, and any slope is possible.

    Parameters
    ----------
    data, pattern
        What is fitted, and the stage whose U_l hold it.

    Returns
    -------
    tuple of Line
        One line for each U_l that holds data, from the left.

    Examples
    --------
    >>> from core.model.example import data, pattern, b, c
    >>> from core.theory import regression_lines
    >>> [(line.l, line.low, line.high, round(line.slope, 3)) for line in regression_lines(data, pattern)]
    [(1, 0.0, 1.0, 1.0), (2, 2.0, 3.0, 1.0)]
    """
    zero = np.zeros(pattern.width)
    part = segments(data, pattern, zero, zero)
    lines = []
    for index in np.flatnonzero(part.u[1:] > 0).tolist():
        i = index + 1
        mean_x, mean_y = float(part.mean_x[i]), float(part.mean_y[i])
        single = part.u[i] == 1
        slope = least_norm_slope(mean_x, mean_y) if single else float(part.sxy[i] / part.sxx[i])
        low, high = data.x[part.start[i]], data.x[part.start[i + 1] - 1]
        lines.append(Line(i, float(low), float(high), mean_x, mean_y, slope, int(part.u[i])))
    return tuple(lines)


@dataclass(frozen=True)
class ModifiedLines:
    """Theorem 3.5 as printed: entry l - 1 is about neuron `order[l - 1]`; nan where u_l = 0.

    `slope` x - `offset` is the regression line of the modified data
    y - sum_{j<l} c_j max(x - b_j, 0) over U_l (least-norm for a single datum).
    At a stationary point slope = c_l and offset = c_l b_l if u_l >= 2; if
    u_l = 1 they may differ by alpha_l and alpha_l x for any alpha_l; `alpha` is c_l - slope.
    """

    order: IntArray
    slope: FloatArray
    offset: FloatArray
    alpha: FloatArray


def modified_lines(data: TrainingData, pattern: Pattern, b: FloatArray, c: FloatArray) -> ModifiedLines:
    """Regression lines of the modified data, one for each neuron with u_l > 0.

    Parameters
    ----------
    data, pattern
        What is fitted, and the stage that the lines belong to.
    b, c
        The network, of which the neurons left of each line are taken off.

    Returns
    -------
    ModifiedLines
        One entry for each neuron, from the left.

    Examples
    --------
    >>> import numpy as np
    >>> from core.model.example import data
    >>> from core.model import pattern_of
    >>> from core.theory import fully_trained_network, modified_lines
    >>> b, c = fully_trained_network(data, np.array([1.5]))
    >>> found = modified_lines(data, pattern_of(data.x, b), b, c)
    >>> seen = ~np.isnan(found.slope)
    >>> bool(np.allclose(found.slope[seen], c[found.order][seen]))
    True
    """
    part = segments(data, pattern, b, c)
    x, u = part.mean_x[1:], part.u[1:]
    # subtracting the line S_{l-1} x - T_{l-1} from the data subtracts it from their regression line
    y = part.mean_y[1:] - (part.value[1:] - c[part.order] * (x - b[part.order]))
    with np.errstate(invalid="ignore", divide="ignore"):
        several = part.sxy[1:] / part.sxx[1:] - part.slope[:-1]
    slope = np.where(u > 1, several, least_norm_slope(x, y))
    alpha = np.where(u == 1, c[part.order] - slope, np.where(u > 1, 0.0, np.nan))
    return ModifiedLines(part.order, slope, slope * x - y, alpha)
