"""The activation pattern: which data each neuron sees, and what stays fixed in a stage.

Neuron j is active at x_k iff x_k > b_j (strictly), so all that matters of b_j
is its gap, the number of data left of it or on it. Gap 0 is left of all data;
gap m is dead. A bias that meets a datum x_k and is driven back from both sides
stays there (a Filippov sliding mode): it is *pinned*, and counts as standing
exactly on x_k, which is gap k + 1, however it hops about. A stage is a maximal
interval of time in which the gaps and the pins are constant.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numba import njit

from ..problem.data import Points, TrainingData
from ..types import FloatArray, IntArray
from .regression import regression

Status = Literal["live", "dead", "left", "pinned", "hopping"]


def gaps(x: FloatArray, b: FloatArray) -> IntArray:
    """Number of data left of or on each bias."""
    return np.searchsorted(x, b, side="right").astype(np.int64)


@dataclass(frozen=True, eq=False)
class Pattern:
    """Gap of every neuron, and the datum it is pinned to (-1 when free, -2 - k when it hops over datum k).

    One that hops counts as free in the gap in which it is at the moment.
    """

    gap: IntArray
    pin: IntArray

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Pattern):
            return NotImplemented
        return np.array_equal(self.gap, other.gap) and np.array_equal(self.pin, other.pin)

    def __hash__(self) -> int:
        return hash((self.gap.tobytes(), self.pin.tobytes()))

    @property
    def width(self) -> int:
        return int(self.gap.size)


def pattern_of(x: FloatArray, b: FloatArray, pin: IntArray | None = None) -> Pattern:
    """The pattern of biases b over data x; pinned neurons get their canonical gap."""
    gap = gaps(x, b)
    if pin is None:
        return Pattern(gap, np.full(gap.size, -1, dtype=np.int64))
    if pin.shape != gap.shape:
        raise ValueError(f"pin has shape {pin.shape}, but there are {gap.size} neurons")
    if np.any((pin < -1 - x.size) | (pin >= x.size)):
        raise ValueError(
            f"pin {pin.tolist()} must hold data indices from 0 to {x.size - 1}, -1 when free, or -2 - k"
        )
    return Pattern(np.where(pin >= 0, pin + 1, gap), pin.astype(np.int64))


def statuses(x: FloatArray, pattern: Pattern) -> tuple[Status, ...]:
    """What each neuron can do: dead sees no datum, left sees all, pinned cannot move, hopping is thrown
    about, live is the rest."""

    def status(gap: int, pin: int) -> Status:
        if gap == x.size:
            return "dead"
        if pin >= 0:
            return "pinned"
        if pin <= -2:
            return "hopping"
        return "left" if gap == 0 else "live"

    return tuple(status(g, p) for g, p in zip(pattern.gap.tolist(), pattern.pin.tolist(), strict=True))


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


@njit(cache=True)
def _segment_sums(points: Points, start: IntArray, b: FloatArray, c: FloatArray, sums: FloatArray) -> None:
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
    """The U_l of a pattern, with the lines that (b, c) draws on them, in O(m + n log n)."""
    order = np.lexsort((b, pattern.gap))
    start = np.concatenate(([0], pattern.gap[order], [data.x.size]))
    sums = np.empty((8, len(start) - 1))
    _segment_sums(data.points, start, b[order], c[order], sums)
    return Segments(order, start, np.diff(start), *sums)
