"""Least squares over the coefficients for given biases (paper, eq. def:LSQ and Theorem LSQ), in O(m + n).

The data between two knots are two equations (rows), rotations carry them along the knots
(chain), groups of neurons in one gap are joints between lines (joints), and the coefficients of
least norm follow (min_norm); the paper's own dense decomposition is kept as the reference (cod). It may
import the model and the problem.
"""

from .solve import Solution, coefficients, least_loss, solve

__all__ = ["Solution", "coefficients", "least_loss", "solve"]
