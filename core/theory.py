"""What the paper's theorems say about a network at a moment, for the mean loss (1/m) sum r^2.

A network is fully trained when its parameters are stationary for the gradient
flow. Lemma critical says when: with the sets U_l of the activation pattern,

    (i)   f(mu_l) = mean y on U_l           wherever u_l > 0 and c_l != 0,
    (ii)  S_l = Cov_l(x, y) / sigma_l^2     wherever u_l > 1,

l = 1..n. The floor (core.floor), the rates (core.rates) and the explicit
construction (core.construction) are offered here too.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from core.arrays import FloatArray, IntArray
from core.construction import fully_trained_network
from core.data import TrainingData
from core.floor import best_fit, excess, floor, rank
from core.network import evaluate
from core.pattern import Pattern, segments, velocities
from core.rates import QDecrease, Rates, largest_stable_step, linearised_eigenvalues, q_decrease, rates

__all__ = [
    "Line",
    "QDecrease",
    "Rates",
    "Stationarity",
    "best_fit",
    "critical_error",
    "excess",
    "floor",
    "fully_trained_network",
    "largest_stable_step",
    "linearised_eigenvalues",
    "loss",
    "modified_lines",
    "prediction_error",
    "q_decrease",
    "rank",
    "rates",
    "regression_lines",
    "stationarity",
]


def loss(data: TrainingData, b: FloatArray, c: FloatArray) -> float:
    """The mean squared loss."""
    r = evaluate(b, c, data.x) - data.y
    return float(r @ r) / data.x.size


@dataclass(frozen=True)
class Stationarity:
    """How far a network is from being fully trained, in three measures.

    `mse` is the paper's: the mean of the squared residuals of all equations of
    Lemma critical. It presumes that no neuron is pinned: one that is need not
    satisfy its own bias equation, and `mse` may then stay above 0 for good.
    `residual` is right with pinned neurons too. The free b_j and all c_j are at
    rest iff r is orthogonal to W (core.floor), and it is (1/m) |P_W r|^2, which
    is also the excess of the loss above the floor. `violation` is the rest of
    the story: a pinned bias is at rest iff v+ <= 0 <= v-, and this is the
    largest velocity, over pinned neurons, with which that is violated.
    """

    mse: float
    count: int
    """number of equations in `mse`"""
    residual: float
    violation: float
    """0 when every pinned neuron is held from both sides, or none is pinned"""


def critical_error(data: TrainingData, pattern: Pattern, b: FloatArray, c: FloatArray) -> tuple[float, int]:
    """Mean of the squared residuals of the equations of Lemma critical, and their number."""
    part = segments(data, pattern, b, c)
    u = part.u[1:]
    seen = (u > 0) & (c[part.order] != 0.0)
    several = u > 1
    heights = (part.value - part.mean_y)[1:][seen]
    slopes = part.slope[1:][several] - (part.sxy[1:][several] / part.sxx[1:][several])
    count = heights.size + slopes.size
    return float(heights @ heights + slopes @ slopes) / count if count else 0.0, count


def stationarity(data: TrainingData, pattern: Pattern, b: FloatArray, c: FloatArray) -> Stationarity:
    """Lemma critical evaluated on a pattern, in O(m + n log n)."""
    mse, count = critical_error(data, pattern, b, c)
    pinned = np.flatnonzero(pattern.pin >= 0)
    violation = 0.0
    if pinned.size:
        right, left = velocities(data, b, c, pinned, pattern.pin[pinned])
        violation = max(0.0, float(np.max(right)), float(np.max(-left)))
    return Stationarity(mse, count, excess(data, pattern, b, c), violation)


@lru_cache(maxsize=64)
def _truth_on_grid(data: TrainingData, points: int) -> tuple[FloatArray, FloatArray]:
    grid = np.linspace(*data.domain, points)
    if data.truth is None:
        raise ValueError("the data have no truth to compare with")
    return grid, np.asarray(data.truth(grid), dtype=np.float64)


def prediction_error(data: TrainingData, b: FloatArray, c: FloatArray, points: int = 10_000) -> float:
    """Discrete L2 error sqrt(mean (f - truth)^2) on equidistant points of the domain; nan without a truth.

    The paper does not print its normalisation; the mean makes the number
    independent of the number of points.
    """
    if data.truth is None:
        return float("nan")
    grid, truth = _truth_on_grid(data, points)
    miss = evaluate(b, c, grid) - truth
    return float(np.sqrt(miss @ miss / points))


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


def _least_norm_slope(x: float, y: float) -> float:
    """Slope of the line a x + d through (x, y) with the least a^2 + d^2 (the paper's alpha_l = 0)."""
    return x * y / (1 + x * x)


def regression_lines(data: TrainingData, pattern: Pattern) -> tuple[Line, ...]:
    """The regression line of the data in each U_l, l >= 1, u_l > 0 (Theorem LSQ-Stationary).

    On U_l a fully trained network without pinned neurons *is* this line: the
    theorem's lines for the modified data, summed up to l.
    """
    zero = np.zeros(pattern.width)
    part = segments(data, pattern, zero, zero)
    lines = []
    for index in np.flatnonzero(part.u[1:] > 0).tolist():
        i = index + 1
        mean_x, mean_y = float(part.mean_x[i]), float(part.mean_y[i])
        single = part.u[i] == 1
        slope = _least_norm_slope(mean_x, mean_y) if single else float(part.sxy[i] / part.sxx[i])
        low, high = data.x[part.start[i]], data.x[part.start[i + 1] - 1]
        lines.append(Line(i, float(low), float(high), mean_x, mean_y, slope, int(part.u[i])))
    return tuple(lines)


@dataclass(frozen=True)
class ModifiedLines:
    """Theorem LSQ-Stationary as printed: entry l - 1 is about neuron `order[l - 1]`; nan where u_l = 0.

    `slope` x - `offset` is the regression line of the modified data
    y - sum_{j<l} c_j max(x - b_j, 0) over U_l (least-norm for a single datum).
    At a stationary point slope = c_l and offset = c_l b_l if u_l >= 2; if
    u_l = 1 they may differ by alpha_l and alpha_l x, and `alpha` is c_l - slope.
    """

    order: IntArray
    slope: FloatArray
    offset: FloatArray
    alpha: FloatArray


def modified_lines(data: TrainingData, pattern: Pattern, b: FloatArray, c: FloatArray) -> ModifiedLines:
    """Regression lines of the modified data, one for each neuron with u_l > 0."""
    part = segments(data, pattern, b, c)
    x, u = part.mean_x[1:], part.u[1:]
    # subtracting the line S_{l-1} x - T_{l-1} from the data subtracts it from their regression line
    y = part.mean_y[1:] - (part.value[1:] - c[part.order] * (x - b[part.order]))
    with np.errstate(invalid="ignore", divide="ignore"):
        several = part.sxy[1:] / part.sxx[1:] - part.slope[:-1]
    slope = np.where(u > 1, several, x * y / (1 + x * x))
    alpha = np.where(u == 1, c[part.order] - slope, np.where(u > 1, 0.0, np.nan))
    return ModifiedLines(part.order, slope, slope * x - y, alpha)
