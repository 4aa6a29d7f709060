"""The least-squares problem of given biases: its coefficients of least norm, its rank, its loss.

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
    """c of least norm among those of least loss: A^+ y (section 4.1, def:LSQ), in O(m + n log n)."""
    c = np.empty(len(b))
    min_norm(data.points, np.array(b), ascending(b), c)
    return c


def least_loss(data: TrainingData, b: FloatArray) -> float:
    """The least mean squared loss over c for the biases b."""
    knots = open_knots(data.x, np.asarray(b), ascending(b))
    return float(least_sum_of(data.points, knots)) / data.weight


def solve(data: TrainingData, b: FloatArray) -> Solution:
    """Coefficients, rank and loss of the least-squares problem for the biases b."""
    c = np.empty(len(b))
    rank = min_norm(data.points, np.array(b), ascending(b), c)
    return Solution(c, int(rank), least_loss(data, b))
