"""What a frame says of a network: loss, floor, stationarity and prediction error, in one compiled call.

The numbers and their bits are those of `mean_loss`, `floor`, `critical_error` and `prediction_error`. These
are the definitions, which the tests compare with it. They are written out a second time here because they
would sort the neurons and enter a kernel once each, which would take most of the time of a frame.
"""

from math import isfinite, isnan, nan, sqrt
from typing import NamedTuple

import numpy as np

from ..compiled import compiled
from ..model.loss import GRID_POINTS, truth_on_grid
from ..model.network import all_finite, walk
from ..model.pattern import Pattern
from ..model.pattern.segments import segment_sums
from ..portable.sums import squared_distance, weighted_square
from ..problem.data import Points, TrainingData
from ..theory.floor import misfit, occupancy_of
from ..theory.stationarity import critical_error, has_zero_coefficient, squared_residuals
from ..types import FloatArray, IntArray

NO_GRID = np.empty(0)
NO_GRID.setflags(write=False)  # as the data are: one type for the compiler


class Measures(NamedTuple):
    """What a frame says of a network."""

    loss: float
    floor: float
    """Q_0 of Theorem 3.1 (thm:conti-loss-n)."""
    stationarity: float
    """Mean of the squared residuals of Lemma 3.4 (lemma:critical)."""
    prediction_error: float


@compiled
def write_measures(
    points: Points,
    grid: FloatArray,
    truth: FloatArray,
    b: FloatArray,
    c: FloatArray,
    gap: IntArray,
    pin: IntArray,
    by_gap: IntArray,
    with_floor: bool,
    out: FloatArray,
) -> int:
    """Write the sums behind the measures to out: squares of residuals, above the floor, of the equations of
    Lemma 3.4 and on the grid; returns how many equations there are, -1 if the network is not finite.

    `by_gap` sorts the neurons by gap, then by bias. Where a coefficient is 0 other equations hold: their sum
    is left to be nan.
    """
    x, y, w = points
    n, m = b.shape[0], x.shape[0]
    if not (all_finite(b) and all_finite(c)):
        return -1
    sorted_b, sorted_c = np.empty(n), np.empty(n)
    for p, j in enumerate(sorted_by_bias(b, by_gap)):
        sorted_b[p], sorted_c[p] = b[j], c[j]
    r = walk(sorted_b, sorted_c, x)
    for k in range(m):
        r[k] -= y[k]
    out[0] = weighted_square(w, r)
    if with_floor:
        out[1] = weighted_square(w, misfit(points, occupancy_of(m, gap, pin)))
    out[3] = squared_distance(walk(sorted_b, sorted_c, grid), truth)
    if has_zero_coefficient(c, gap, m):
        out[2] = np.nan
        return 1
    start, u, sums = np.empty(n + 2, dtype=np.int64), np.empty(n + 1, dtype=np.int64), np.empty((8, n + 1))
    start[0], start[n + 1] = 0, m
    for p in range(n):
        j = by_gap[p]
        start[p + 1], sorted_b[p], sorted_c[p] = gap[j], b[j], c[j]
    for part in range(n + 1):
        u[part] = start[part + 1] - start[part]
    segment_sums(points, start, sorted_b, sorted_c, sums)
    out[2], count = squared_residuals(u, sums[7], sums[2], sums[5], sums[4], sums[3])
    return count


@compiled
def sorted_by_bias(b: FloatArray, by_gap: IntArray) -> IntArray:
    """The stable order of the biases, by insertion into that of the gaps: pins alone make them differ."""
    order = by_gap.copy()
    for p in range(1, len(order)):
        j, q = order[p], p
        while q > 0 and (b[order[q - 1]] > b[j] or (b[order[q - 1]] == b[j] and order[q - 1] > j)):
            order[q] = order[q - 1]
            q -= 1
        order[q] = j
    return order


def measured(
    data: TrainingData, pattern: Pattern, b: FloatArray, c: FloatArray, floor: float | None
) -> Measures | None:
    """The measures of a network; None if one of its numbers, or its loss, is not finite.

    Parameters
    ----------
    floor
        That of the pattern if it is known; else it is computed.
    """
    grid, truth = (NO_GRID, NO_GRID) if data.truth is None else truth_on_grid(data, GRID_POINTS)
    out = np.empty(4)
    count = write_measures(
        data.points,
        grid,
        truth,
        b,
        c,
        pattern.gap,
        pattern.pin,
        np.lexsort((b, pattern.gap)),
        floor is None,
        out,
    )
    squares, above, equations, misses = out.tolist()
    loss = squares / data.weight
    if count < 0 or not isfinite(loss):
        return None
    mse = critical_error(data, pattern, b, c)[0] if isnan(equations) else equations / count if count else 0.0
    error = nan if data.truth is None else sqrt(misses / GRID_POINTS)
    return Measures(loss, above / data.weight if floor is None else floor, mse, error)
