"""The mean squared loss, and the error against the function behind the data."""

from functools import lru_cache

import numpy as np

from ..portable.sums import squared_distance, weighted_square
from ..problem.data import TrainingData
from ..types import FloatArray
from .exact_fit import exact_loss
from .network import evaluate

GRID_POINTS = 10_000
"""Of the prediction error."""


def mean_square(data: TrainingData, r: FloatArray) -> float:
    """(1/W) sum w r^2 of a residual."""
    return float(weighted_square(data.w, r)) / data.weight


def rounding_of(data: TrainingData) -> float:
    """The loss below which all is rounding: the largest of an exact fit (core.model.exact_fit)."""
    return float(exact_loss(mean_square(data, data.y)))


def mean_loss(data: TrainingData, b: FloatArray, c: FloatArray) -> float:
    """The mean squared loss (section 2, def:Loss; the paper's analysis has half the sum).

    Parameters
    ----------
    data
        What the network is to fit.
    b, c
        The network.

    Returns
    -------
    float
        (1/W) sum of w (f(x) - y)^2.

    Examples
    --------
    >>> import numpy as np
    >>> from core.model.example import data
    >>> from core.model import mean_loss
    >>> mean_loss(data, np.array([0.0]), np.array([1.0]))
    2.0
    """
    return mean_square(data, evaluate(b, c, data.x) - data.y)


@lru_cache(maxsize=64)
def truth_on_grid(data: TrainingData, points: int) -> tuple[FloatArray, FloatArray]:
    """Equidistant points of the domain, and the function behind the data there."""
    grid = np.linspace(*data.domain, points)
    if data.truth is None:
        raise ValueError("the data have no truth to compare with")
    truth = np.array(data.truth(grid), dtype=np.float64)
    for array in (grid, truth):
        array.setflags(write=False)  # as the data are: one type for the compiler
    return grid, truth


def prediction_error(data: TrainingData, b: FloatArray, c: FloatArray, points: int = GRID_POINTS) -> float:
    """Discrete L2 error sqrt(mean (f - truth)^2) on equidistant points (section 5); nan without a truth.

    The paper does not print its normalisation; the mean makes the number
    independent of the number of points.

    Parameters
    ----------
    data
        With the function behind them, and its domain.
    b, c
        The network to be compared with that function.
    points
        How many points of the domain.

    Returns
    -------
    float
        The error; nan where the data have no function behind them.

    Examples
    --------
    >>> import numpy as np
    >>> from core.model import prediction_error
    >>> from core.problem import TrainingData
    >>> data = TrainingData([0.0, 1.0], [0.0, 1.0], lambda x: x)
    >>> prediction_error(data, np.array([0.0]), np.array([1.0]))
    0.0
    """
    if data.truth is None:
        return float("nan")
    grid, truth = truth_on_grid(data, points)
    return float(np.sqrt(float(squared_distance(evaluate(b, c, grid), truth)) / points))
