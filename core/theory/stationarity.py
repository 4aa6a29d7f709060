"""Lemma 3.4 (lemma:critical): when a network is fully trained, and how far from it a network is.

A network is fully trained when its parameters are stationary for the gradient
flow. Lemma 3.4 says when: with the sets U_l of the activation pattern and their macroscopic
data (mu_l, mean y on U_l), both of core.model.pattern.segments,

    (i)   f(mu_l) = mean y on U_l           wherever u_l > 0,
    (ii)  S_l = Cov_l(x, y) / sigma_l^2     wherever u_l > 1,

l = 1..n. So (i) says that the network interpolates the macroscopic data. The lemma
holds for c_l != 0. A neuron with c_l = 0 has no say in b_l (its
gradient vanishes whatever r is) and bends nothing, so that it must not cut a set U_l
in two; what it has to satisfy is the equation of its coefficient alone,

    (iii) H_l - b_l G_l = sum of w r (x - b_l) over the data that it sees = 0.

So the sets are formed without such neurons, and (iii) is added for each that sees data,
in units of a slope. Frames take the mean of the squares from `write_measures`
(core.run.measures), which calls the kernels here.
"""

from dataclasses import dataclass

import numpy as np

from ..compiled import compiled
from ..model.network import evaluate
from ..model.pattern import Pattern, Segments, segments
from ..model.pattern.pins import velocities
from ..portable.sums import dot, sum_of_squares, weighted_square
from ..problem.data import TrainingData
from ..types import FloatArray, IntArray
from .floor import excess


@dataclass(frozen=True)
class Stationarity:
    """How far a network is from being fully trained, in three measures.

    `mse` is the paper's: the mean of the squared residuals of all equations of
    Lemma 3.4. It presumes that no neuron is pinned: one that is need not
    satisfy its own bias equation, and `mse` may then stay above 0 for good.
    It is what frames call `stationarity`, and `critical_error` gives it alone.
    `residual` is right with pinned neurons too. The free b_j and all c_j are at
    rest if r is orthogonal to 𝒲 (core.theory.floor). The converse fails only where all free neurons
    of a gap have c_j = 0, as where one is alone in its gap: b_j then rests whatever G_j is.
    `residual` is (1/W) sum w (P_𝒲 r)^2, which is the excess of the loss above the floor
    if pinned biases stand exactly on their data.
    `violation` is what that leaves out: a pinned bias is at rest iff v+ <= 0 <= v-, and this is
    the largest velocity, over pinned neurons, with which that is violated.
    """

    mse: float
    count: int
    """number of equations in `mse`"""
    residual: float
    violation: float
    """0 when every pinned neuron is held from both sides, or none is pinned"""


def critical_error(data: TrainingData, pattern: Pattern, b: FloatArray, c: FloatArray) -> tuple[float, int]:
    """Mean of the squared residuals of the equations of Lemma 3.4, and their number.

    Parameters
    ----------
    data, pattern
        The problem, and the stage that says which equations there are.
    b, c
        The network to be put into them.

    Returns
    -------
    tuple of float and int
        The mean, and how many equations there are.

    Examples
    --------
    >>> from core.model.example import data, pattern, b, c
    >>> from core.theory import critical_error
    >>> mse, count = critical_error(data, pattern, b, c)
    >>> round(float(mse), 4), count
    (0.345, 4)
    """
    if not has_zero_coefficient(c, pattern.gap, data.m):
        total, count = _equations(segments(data, pattern, b, c))
        return total / count if count else 0.0, count
    zero = (c == 0.0) & (pattern.gap < data.m)
    active = ~zero
    active_pattern = Pattern(pattern.gap[active], pattern.pin[active])
    total, count = _equations(segments(data, active_pattern, b[active], c[active]))
    residuals = np.array(
        [_coefficient_residual(data, b, c, j, int(pattern.gap[j])) for j in np.flatnonzero(zero).tolist()]
    )
    return (total + float(sum_of_squares(residuals))) / (count + residuals.size), count + residuals.size


@compiled
def has_zero_coefficient(c: FloatArray, gap: IntArray, m: int) -> bool:
    """Whether a neuron that sees data has the coefficient 0."""
    for j in range(c.shape[0]):  # noqa: SIM110 - compiled
        if c[j] == 0.0 and gap[j] < m:
            return True
    return False


def _equations(part: Segments) -> tuple[float, int]:
    return squared_residuals(part.u, part.value, part.mean_y, part.slope, part.sxy, part.sxx)


@compiled
def squared_residuals(
    u: IntArray, value: FloatArray, mean_y: FloatArray, slope: FloatArray, sxy: FloatArray, sxx: FloatArray
) -> tuple[float, int]:
    """Sum of the squared residuals of (i) and (ii), and their number."""
    heights, slopes = np.empty(u.shape[0]), np.empty(u.shape[0])
    seen, several = 0, 0
    for part in range(1, u.shape[0]):
        if u[part] > 0:
            heights[seen] = value[part] - mean_y[part]
            seen += 1
        if u[part] > 1:
            slopes[several] = slope[part] - sxy[part] / sxx[part]
            several += 1
    return sum_of_squares(heights[:seen]) + sum_of_squares(slopes[:several]), seen + several


def _coefficient_residual(data: TrainingData, b: FloatArray, c: FloatArray, j: int, gap: int) -> float:
    """The coefficient that neuron j, alone, would take on at once: -(H_j - b_j G_j) / sum w (x - b_j)^2."""
    along = data.x[gap:] - b[j]
    r = (evaluate(b, c, data.x) - data.y)[gap:]
    return -float(dot(data.w[gap:] * along, r)) / float(weighted_square(data.w[gap:], along))


def stationarity(data: TrainingData, pattern: Pattern, b: FloatArray, c: FloatArray) -> Stationarity:
    """Lemma 3.4 evaluated on a pattern, in O(m + n log n).

    Parameters
    ----------
    data, pattern
        The problem, and the stage in which the neurons are free or pinned.
    b, c
        The network that may be fully trained.

    Returns
    -------
    Stationarity
        How far the network is from being fully trained.

    Examples
    --------
    >>> import numpy as np
    >>> from core.model.example import data
    >>> from core.model import pattern_of
    >>> from core.theory import fully_trained_network, stationarity
    >>> b, c = fully_trained_network(data, np.array([1.5]))
    >>> bool(stationarity(data, pattern_of(data.x, b), b, c).mse < 1e-25)
    True
    """
    mse, count = critical_error(data, pattern, b, c)
    pinned = np.flatnonzero(pattern.pin >= 0)
    violation = 0.0
    if pinned.size:
        right, left = velocities(data, b, c, pinned, pattern.pin[pinned])
        violation = max(0.0, float(np.max(right)), float(np.max(-left)))
    return Stationarity(mse, count, excess(data, pattern, b, c), violation)
