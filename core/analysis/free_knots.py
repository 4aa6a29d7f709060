"""The best network of a width, proven: least squares by a linear spline with free knots, on few data.

A network is zero, then a line after each of its biases. Which data lie on which line is a partition; two
neighbouring lines must meet in the gap between their data. So the best network solves one of finitely many
convex problems, and at its solution every joint is of one of four kinds:

- *free*: the two lines happen to meet in the gap, and neither knows of the other;
- *tied*: they meet on a datum at an end of the gap, which holds them;
- *jump*: two biases in one gap, which lead from any line to any other;
- *far*: the first bias is infinitely far to the left, and the first line is a constant (a limit of networks).

Given the kinds, the lines between two joints that are not tied are a least-squares problem of their own,
solved along the way: what the data left of a tied joint cost is one quadratic of the value there. A line that
meets a single datum and is free on both sides can be turned until a joint is tied, at no cost, so that only
those whose solution is unique need be looked at.

A depth-first search goes through the kinds and places, from left to right. The data right of a joint cost at
least what lines cost that need not meet, by dynamic programming over their first data and the joints that
are left (Bellman 1961). A branch that cannot be better than the best network so far is cut.
"""

from typing import NamedTuple

import numpy as np

from ..model.exact_fit import fits_exactly
from ..model.loss import mean_square
from ..problem.data import Points, TrainingData
from ..types import FloatArray
from .knot_search import FREE, OUTSIDE, TIED, search_knots

MAX_BRANCHES = 1_000_000.0
"""Branches after which the search gives up."""
AWAY = 1e8
"""Where a bias infinitely far to the left is put, in spans of the data."""


def biases_at_joints(found: FloatArray, data: TrainingData) -> FloatArray:
    """The biases of the best network that a search has found."""
    x = data.x
    span = float(x[-1] - x[0])
    b: list[float] = []
    for kind, datum, place in found[1 : 1 + int(found[0, 0])].tolist():
        j = int(datum)
        if kind == TIED:
            b.append(float(x[j]))
        elif kind == FREE:
            b.append(float(x[0]) + place)
        elif kind == OUTSIDE:
            b.append(float(x[0]) - AWAY * span)
        else:
            gap = float(x[j] - x[j - 1]) if j > 0 else span
            b += [float(x[j]) - 2.0 * gap / 3.0, float(x[j]) - gap / 3.0]
    return np.array(b)


class Optimum(NamedTuple):
    """The best network of a width that was found, and whether there is no better one."""

    loss: float
    b: FloatArray
    """its biases; none where it is the network that was known before"""
    proven: bool


def free_knot_optimum(data: TrainingData, width: int, known: float = np.inf) -> Optimum:
    """The least mean squared loss of a network with so many neurons, of which one reaches `known`.

    For tens of data and a few neurons; a fraction of a second as a rule, and a few seconds at most.
    """
    if fits_exactly(known, mean_square(data, data.y)):
        return Optimum(known, np.empty(0), proven=True)
    points = Points(data.x - data.x[0], data.y, data.w)
    best, joints = np.empty(3), np.empty((width + 1, 3))
    search_knots(points, width, known * data.weight, MAX_BRANCHES, best, joints)
    found = biases_at_joints(joints, data)
    loss = float(best[0]) / data.weight if len(found) else known
    return Optimum(loss, found, proven=bool(best[1] <= MAX_BRANCHES))
