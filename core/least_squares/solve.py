"""The least-squares problem of given biases: its coefficients of least norm, its rank, its loss.

`core.least_squares.min_norm` finds the coefficients and the rank, `core.least_squares.chain` the least loss.
Losses are mean squared losses here; the modules below work with sums of w r^2.
"""

from dataclasses import dataclass

import numpy as np

from ..problem.data import TrainingData
from ..types import FloatArray
from .chain import ascending, least_sum_of, open_knots
from .min_norm import min_norm


@dataclass(frozen=True, eq=False)
class Solution:
    """Least-squares coefficients of least norm for given biases."""

    c: FloatArray
    rank: int
    """Rank of the matrix max(x_i - b_j, 0), found by counting."""
    loss: float
    """The least mean squared loss, from the chain: free of the rounding of huge coefficients."""


def coefficients(data: TrainingData, b: FloatArray) -> FloatArray:
    """c of least norm among those of least loss (section 4.1, def:LSQ), in O(m + n log n).

    It is A^+ y where all weights are 1, else (D A)^+ D y with D = diag(sqrt(w)). The algorithm is in
    core.least_squares.min_norm.

    Parameters
    ----------
    data
        The training data.
    b
        Biases.

    Returns
    -------
    FloatArray
        c, one for each neuron.

    Examples
    --------
    >>> import numpy as np
    >>> from core.model.example import data
    >>> from core.least_squares import coefficients
    >>> coefficients(data, np.array([-1.0, 0.5, 1.5])).round(4).tolist()
    [0.4286, -0.8571, 0.8571]
    """
    c = np.empty(len(b))
    min_norm(data.points, np.array(b), ascending(b), c)
    return c


def least_loss(data: TrainingData, b: FloatArray) -> float:
    """The least mean squared loss over c for the biases b.

    Parameters
    ----------
    data
        What is fitted, with its weights.
    b
        The knots of the fit.

    Returns
    -------
    float
        It is found without the coefficients (core.least_squares.chain), and free of their rounding.

    Examples
    --------
    >>> import numpy as np
    >>> from core.model.example import data
    >>> from core.least_squares import least_loss
    >>> round(least_loss(data, np.array([-1.0, 0.5, 1.5])), 4)
    0.1786
    """
    knots = open_knots(data.x, np.asarray(b), ascending(b))
    return float(least_sum_of(data.points, knots)) / data.weight


def solve(data: TrainingData, b: FloatArray) -> Solution:
    """Coefficients, rank and loss of the least-squares problem for the biases b.

    Parameters
    ----------
    data
        The right-hand side y, at x.
    b
        The columns max(x - b_j, 0).

    Returns
    -------
    Solution
        c, the rank of the problem, and the loss.

    Examples
    --------
    >>> import numpy as np
    >>> from core.model.example import data
    >>> from core.least_squares import solve
    >>> found = solve(data, np.array([-1.0, 0.5, 1.5]))
    >>> found.rank, round(found.loss, 4)
    (3, 0.1786)
    """
    c = np.empty(len(b))
    rank = min_norm(data.points, np.array(b), ascending(b), c)
    return Solution(c, int(rank), least_loss(data, b))
