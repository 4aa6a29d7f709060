"""Least squares over the coefficients for given biases (section 4.1, def:LSQ), in O(m + n).

The data between two knots are two equations (rows), rotations carry them along the knots
(chain), groups of neurons in one gap are joints between lines (joints), and the coefficients of
least norm follow (min_norm). The paper's own dense decomposition, Theorem 4.2 (thm:LSQ), is the reference of
the tests and of the reproduction (reproduction.measures.cod). It may import the model and the problem.
"""

from .solve import Solution, coefficients, least_loss, solve

__all__ = ["Solution", "coefficients", "least_loss", "solve"]
