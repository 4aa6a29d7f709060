"""The least-squares problem of given biases: its coefficients of least norm, its rank, its loss.

Losses are mean squared losses here; the modules below work with sums of squares.
"""

from dataclasses import dataclass

import numpy as np

from core.problem.data import TrainingData
from core.squares.min_norm import min_norm
from core.squares.quadratics import ascending, live_knots, new_sweep, sum_of_squares
from core.squares.rows import COINCIDENT
from core.types import FloatArray


@dataclass(frozen=True, eq=False)
class Solution:
    """Least-squares coefficients of least norm for given biases."""

    c: FloatArray
    rank: int
    """Rank of the matrix max(x_i - b_j, 0), found by counting."""
    loss: float
    """The least mean squared loss, from the sweep: free of the rounding of huge coefficients."""


def apart(data: TrainingData) -> float:
    """The distance up to which two biases of one gap count as equal."""
    return COINCIDENT * float(data.x[-1] - data.x[0])


def coefficients(data: TrainingData, b: FloatArray) -> FloatArray:
    """c of least norm among those of least loss: A^+ y, in O(m + n log n)."""
    c, _ = min_norm(data.x, data.y, np.array(b), ascending(b), apart(data))
    return c


def solve(data: TrainingData, b: FloatArray) -> Solution:
    """Coefficients, rank and loss of the least-squares problem for the biases b."""
    b = np.array(b)  # a read-only view would be another type to the compiler
    order, distance = ascending(b), apart(data)
    c, rank = min_norm(data.x, data.y, b, order, distance)
    sweep = new_sweep(data.x, data.y, *live_knots(data.x, b, order), distance)
    return Solution(c, int(rank), float(sum_of_squares(data.y, sweep)) / data.m)
