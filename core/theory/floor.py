"""The floor of a stage: the loss that no motion within the stage can undercut.

While the pattern stays the same the network can only move within

    𝒲 = span{1[x > b_j] for free j, max(x - b_j, 0) for all j},

which does not depend on where in its gap a free bias stands: at a gap with a
free neuron the fit may take up any new line, at a gap with pinned neurons only
it may bend, continuously, at the datum they are pinned to; left of all neurons
it is 0. (With no pinned neuron 𝒲 is V_t of Theorem 3.1 (thm:conti-loss-n).) The network
itself lies in 𝒲, so that the part of the residual orthogonal to 𝒲 is the
constant (1 - P_𝒲) y, and the mean loss stays above

    Q_0 = (1/W) sum w ((1 - P_𝒲) y)^2,    W = sum w.

In other words: Q_0 is exactly the least-squares loss of a network with two neurons
in every gap that holds a free neuron and one on the datum of every gap that holds pinned
neurons only. Such a network is a chain of lines with free and tied joints, and
core.least_squares fits it in O(m + n); P_𝒲 v of any vector v comes from its residuals.
It is a bound from the tangent space: a network with the pattern need not attain it, as
the lines of neighbouring segments need not meet inside the gap. So the infimum of the loss
over the networks with the pattern may lie above Q_0. The paper calls Q_0 the horizontal
asymptote of the stage: where the flow stays in the stage for good and int r_min is infinite,
Q_0 is the infimum of L(t). (The paper's has half the sum of the squares, as its loss.)

Frames take it from `write_measures` (core.run.measures), which calls the kernels here.
"""

import numpy as np

from ..compiled import compiled
from ..least_squares.joints import lines_over, residuals
from ..least_squares.min_norm import fit_lines
from ..model.loss import mean_square
from ..model.network import evaluate
from ..model.pattern import Pattern
from ..problem.data import Points, TrainingData
from ..types import FloatArray, IntArray

EMPTY, ONLY_PINNED, SOME_FREE = 0, 1, 2
"""What lives in a gap."""


def occupancy(m: int, pattern: Pattern) -> IntArray:
    """For each gap 0..m: EMPTY, ONLY_PINNED or SOME_FREE (at least one free neuron)."""
    return occupancy_of(m, pattern.gap, pattern.pin)


@compiled
def occupancy_of(m: int, gap: IntArray, pin: IntArray) -> IntArray:
    """The same for kernels."""
    kind = np.zeros(m + 1, dtype=np.int64)
    for j in range(gap.shape[0]):
        kind[gap[j]] = max(kind[gap[j]], ONLY_PINNED if pin[j] >= 0 else SOME_FREE)
    return kind


@compiled
def misfit(points: Points, kind: IntArray) -> FloatArray:
    """(P_𝒲 - 1) y, for 𝒲 given by the occupancy of the gaps."""
    m = len(points.x)
    begin, count = np.empty(m + 1, dtype=np.int64), 0
    for g in range(m):
        if kind[g] != EMPTY:
            begin[count] = g
            count += 1
    begin[count] = m
    lines = lines_over(begin[: count + 1])
    for g in range(len(lines.base)):
        if kind[begin[g]] == SOME_FREE:
            lines.spread[g] = 1.0
        else:
            lines.base[g] = points.x[begin[g] - 1]
    fit_lines(points, lines)
    return residuals(points, lines)


def project(data: TrainingData, v: FloatArray, kind: IntArray) -> FloatArray:
    """P_𝒲 v, for 𝒲 given by the occupancy of the gaps; orthogonal in the scalar product sum w u v."""
    target = np.array(v, dtype=np.float64)
    target.setflags(write=False)  # as the data are: one type for the compiler
    return target + misfit(Points(data.x, target, data.w), kind)


def best_fit(data: TrainingData, pattern: Pattern) -> FloatArray:
    """Values at the data of the best that this stage can reach, P_𝒲 y.

    Parameters
    ----------
    data, pattern
        The y to be projected, and the stage that 𝒲 belongs to.

    Returns
    -------
    FloatArray
        P_𝒲 y, one value for each datum.

    Examples
    --------
    >>> from core.model.example import data, pattern, b, c
    >>> from core.theory import best_fit
    >>> best_fit(data, pattern).round(3).tolist()
    [0.0, 1.0, 0.0, 1.0]
    """
    return project(data, data.y, occupancy(data.m, pattern))


def floor(data: TrainingData, pattern: Pattern) -> float:
    """Q_0 of the pattern, for the mean loss: the floor of Theorem 3.1 (thm:conti-loss-n).

    Parameters
    ----------
    data, pattern
        What is fitted, and in which stage.

    Returns
    -------
    float
        Q_0, a mean squared loss.

    Examples
    --------
    >>> from core.model.example import data, pattern, b, c
    >>> from core.theory import floor
    >>> round(floor(data, pattern), 4)
    0.0
    """
    return mean_square(data, misfit(data.points, occupancy(data.m, pattern)))


def excess(data: TrainingData, pattern: Pattern, b: FloatArray, c: FloatArray) -> float:
    """(1/W) sum w (P_𝒲 r)^2: how far the loss lies above the floor, without subtracting the two.

    It is loss - floor if each pinned bias stands exactly on its datum. Gradient
    descent leaves it up to a step beside, and the two then differ by as much.

    Parameters
    ----------
    data, pattern
        The problem, and the stage whose floor is taken off.
    b, c
        The network whose loss it is taken off from.

    Returns
    -------
    float
        What the loss can still lose in this stage.

    Examples
    --------
    >>> import numpy as np
    >>> from core.model.example import data, pattern, b, c
    >>> from core.model import mean_loss
    >>> from core.theory import excess, floor
    >>> bool(np.isclose(excess(data, pattern, b, c), mean_loss(data, b, c) - floor(data, pattern)))
    True
    """
    r = evaluate(b, c, data.x) - data.y
    return mean_square(data, project(data, r, occupancy(data.m, pattern)))


def rank(m: int, pattern: Pattern) -> int:
    """Dimension of 𝒲: a fresh line counts 2 (1 on a single datum), a bend 1.

    With no pinned neuron this is 2n - 2 #{u_l = 0} - #{u_l = 1} (Lemma A.1, app:lem:V).

    Parameters
    ----------
    m
        Number of data.
    pattern
        The stage, by the gap and the pin of every neuron.

    Returns
    -------
    int
        dim 𝒲.

    Examples
    --------
    >>> from core.model.example import data, pattern, b, c
    >>> from core.theory import rank
    >>> rank(data.m, pattern)
    4
    """
    kind = occupancy(m, pattern)[:m]
    begin = np.flatnonzero(kind)
    u = np.diff(np.append(begin, m))
    return sum(np.where(kind[begin] == SOME_FREE, np.minimum(u, 2), 1).tolist())
