"""The sets U_l of an activation pattern, their macroscopic data, and the network on them."""

from dataclasses import dataclass

import numpy as np

from ...compiled import compiled
from ...problem.data import Points, TrainingData
from ...types import FloatArray, IntArray
from ..regression import regression
from .gaps import Pattern


@dataclass(frozen=True)
class Segments:
    """The sets U_l of data that activate exactly l neurons, l = 0..n, and the network on them.

    Neuron `order[l - 1]` is the l-th from the left. U_l holds data
    `start[l]..start[l + 1] - 1`; entries of an empty U_l are nan, sums are 0.
    On U_l the network is the line S_l x - T_l.
    """

    order: IntArray
    """(n,) neurons by gap, then by bias"""
    start: IntArray
    """(n + 2,)"""
    u: IntArray
    """(n + 1,) u_l, the number of data"""
    weight: FloatArray
    """(n + 1,) the sum of their weights: u_l where all are 1"""
    mean_x: FloatArray
    """mu_l: with `mean_y`, the macroscopic data"""
    mean_y: FloatArray
    sxx: FloatArray
    """sum of w (x - mu_l)^2, that is u_l sigma_l^2"""
    sxy: FloatArray
    """sum of w (x - mu_l)(y - mean_y)"""
    slope: FloatArray
    """S_l"""
    offset: FloatArray
    """T_l"""
    value: FloatArray
    """S_l mu_l - T_l, the network at mu_l"""


@compiled
def segment_sums(points: Points, start: IntArray, b: FloatArray, c: FloatArray, sums: FloatArray) -> None:
    """One regression for each segment, one pass over the neurons; into the rows of `sums`."""
    weight, mean_x, mean_y, sxx, sxy, slope, offset, value = (
        sums[0], sums[1], sums[2], sums[3], sums[4], sums[5], sums[6], sums[7],
    )  # fmt: skip
    height = 0.0
    for part in range(start.shape[0] - 1):
        weight[part], sxx[part], sxy[part], slope[part], offset[part] = 0.0, 0.0, 0.0, 0.0, 0.0
        mean_x[part], mean_y[part], value[part] = np.nan, np.nan, np.nan
        if part > 0:
            if part > 1:
                height += slope[part - 1] * (b[part - 1] - b[part - 2])
            slope[part] = slope[part - 1] + c[part - 1]
            offset[part] = offset[part - 1] + c[part - 1] * b[part - 1]
        if start[part + 1] <= start[part]:
            continue
        fit = regression(points, start[part], start[part + 1])
        weight[part], sxx[part], sxy[part] = fit.weight, fit.sxx, fit.sxy
        mean_x[part], mean_y[part] = fit.first + fit.offset, fit.mean
        value[part] = 0.0
        if part > 0:
            value[part] = height + slope[part] * ((fit.first - b[part - 1]) + fit.offset)


def segments(data: TrainingData, pattern: Pattern, b: FloatArray, c: FloatArray) -> Segments:
    """The U_l of a pattern with their macroscopic data (section 3, def:U-set and def:mean-variance-data),
    and the lines that (b, c) draws on them, in O(m + n log n).

    Parameters
    ----------
    data, pattern
        What is cut into the U_l, and the gaps that say where.
    b, c
        The network that draws the lines; biases of one gap are sorted.

    Returns
    -------
    Segments
        Arrays with one entry for each U_l, l = 0 to n.

    Examples
    --------
    >>> from core.model.example import data, pattern, b, c
    >>> from core.model import segments
    >>> part = segments(data, pattern, b, c)
    >>> part.u.tolist(), part.mean_x[1:].tolist(), part.mean_y[1:].tolist()
    ([0, 2, 2], [0.5, 2.5], [0.5, 0.5])
    """
    order = np.lexsort((b, pattern.gap))
    start = np.concatenate(([0], pattern.gap[order], [data.x.size]))
    sums = np.empty((8, len(start) - 1))
    segment_sums(data.points, start, b[order], c[order], sums)
    return Segments(order, start, np.diff(start), *sums)
