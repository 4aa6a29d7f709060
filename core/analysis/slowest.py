"""The direction in which a stage goes to its floor most slowly, and the neurons that have to move in it.

r_min of Theorem 3.1 (thm:conti-loss-n) is the square of the rank(𝒲)-th largest singular value of the matrix
M of Lemma A.2 (lem:def-M, core.theory.rates). Its right singular vector says which parameters wait longest.
"""

from typing import NamedTuple

import numpy as np

from ..model.pattern import Pattern, segments
from ..problem.data import TrainingData
from ..theory.floor import rank
from ..theory.rates import canonical, reduced_jacobian
from ..types import FloatArray

ROUNDED = 1e-8
"""A singular value below this part of the largest has a direction that is mostly rounding."""


class Slowest(NamedTuple):
    """The slowest rate of a stage, and who takes part."""

    rate: float
    """r_min, for (1/2) sum r^2: times 2 s it is the decay of the excess in time."""
    share: FloatArray
    """Of each neuron in the squared direction, adding up to 1; empty where rounding hides it."""


def slowest(data: TrainingData, pattern: Pattern, b: FloatArray, c: FloatArray) -> Slowest:
    """r_min and its direction, in O(n^3)."""
    last = rank(data.m, pattern) - 1
    exact = canonical(data, pattern, b)
    part = segments(data, pattern, exact, c)
    order = part.order
    _, singular, directions = np.linalg.svd(np.hstack(reduced_jacobian(part, pattern, exact, c)))
    rate = float(singular[last] * singular[last]) if 0 <= last < len(singular) else 0.0
    if rate <= 0.0 or singular[last] < ROUNDED * singular[0]:
        return Slowest(rate, np.zeros(0))
    direction = directions[last]
    share = np.zeros(pattern.width)
    free = order[pattern.pin[order] < 0]
    share[free] += direction[: free.size] * direction[: free.size]
    share[order] += direction[free.size :] * direction[free.size :]
    return Slowest(rate, share)
