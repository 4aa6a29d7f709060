"""Least squares over the coefficients for given biases (paper, eq. def:LSQ and Theorem LSQ), in O(m + n).

The data between two knots are two rows (rows), a sweep of rotations carries them along the knots
(quadratics), groups of neurons in one gap are joints between lines (joints), and the coefficients of
least norm follow (min_norm); the paper's own dense decomposition is kept as the reference (cod). It may
import the model and the problem.
"""

from core.squares.solve import Solution, coefficients, solve

__all__ = ["Solution", "coefficients", "solve"]
