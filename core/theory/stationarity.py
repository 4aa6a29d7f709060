"""Lemma critical: when a network is fully trained, and how far from it a network is.

A network is fully trained when its parameters are stationary for the gradient
flow. Lemma critical says when: with the sets U_l of the activation pattern,

    (i)   f(mu_l) = mean y on U_l           wherever u_l > 0 and c_l != 0,
    (ii)  S_l = Cov_l(x, y) / sigma_l^2     wherever u_l > 1,

l = 1..n.
"""

from dataclasses import dataclass

import numpy as np

from core.model.pattern import Pattern, segments
from core.model.velocities import velocities
from core.problem.data import TrainingData
from core.theory.floor import excess
from core.types import FloatArray


@dataclass(frozen=True)
class Stationarity:
    """How far a network is from being fully trained, in three measures.

    `mse` is the paper's: the mean of the squared residuals of all equations of
    Lemma critical. It presumes that no neuron is pinned: one that is need not
    satisfy its own bias equation, and `mse` may then stay above 0 for good.
    `residual` is right with pinned neurons too. The free b_j and all c_j are at
    rest iff r is orthogonal to W (core.theory.floor), and it is (1/m) |P_W r|^2, which
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
