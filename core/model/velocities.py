"""One-sided velocities of a bias at a datum, and Filippov's condition."""

import numpy as np
from numba import njit

from core.model.network import evaluate
from core.model.pattern import gaps
from core.portable.sums import cumulative_from_right
from core.problem.data import TrainingData
from core.types import FloatArray, IntArray


@njit(cache=True)
def is_held(right: float, left: float) -> bool:
    """Filippov's condition v+ <= 0 <= v-: the velocity points at the datum from both sides."""
    return right <= 0.0 <= left


def side_of(left: float, right: float, threshold: float) -> int:
    """Where a bias on a datum goes, by its velocities v- and v+ there: -1, 1, or 0 when it is pinned.

    Velocities up to the threshold have no sign. Where both sides pull away the solution is not unique; a
    bias on a datum does not see it, so v+ counts.
    """
    return 1 if right > threshold else -1 if left < -threshold else 0


def pulls(data: TrainingData, b: FloatArray, c: FloatArray) -> FloatArray:
    """The sums of w r over the data k, k + 1, ..., for k = 0..m: G_j of a neuron is entry gap_j."""
    return cumulative_from_right(data.w * (evaluate(b, c, data.x) - data.y))


def velocities(
    data: TrainingData, b: FloatArray, c: FloatArray, neuron: IntArray, datum: IntArray
) -> tuple[FloatArray, FloatArray]:
    """One-sided velocities (v+, v-) of each named neuron's bias at its named datum, in O(m + n log n).

    The flow of the mean loss moves b_j at s c_j G_j, where G_j sums the residuals
    that the neuron sees and s = 2/W. Just right of x_k it does not see x_k,
    v+ = s c_j sum_{i > k} w_i r_i; just left of it it does, v- = v+ + s c_j w_k r_k.
    """
    beyond = pulls(data, b, c)
    scale = 2.0 / data.weight * c[neuron]
    return scale * beyond[datum + 1], scale * beyond[datum]


def one_sided_velocities(
    data: TrainingData, b: FloatArray, c: FloatArray, j: int, k: int
) -> tuple[float, float]:
    """(v+, v-) of neuron j at datum k: it is held there iff v+ <= 0 <= v-."""
    right, left = velocities(data, b, c, np.array([j]), np.array([k]))
    return float(right[0]), float(left[0])


def judge_pins(data: TrainingData, b: FloatArray, c: FloatArray, learning_rate: float) -> IntArray:
    """Which neurons of a gradient descent state are pinned, and to which datum (-1: free).

    Judged from the state alone: the velocities at a neighbouring datum point
    towards it from both sides, and the bias is as near as hopping over it
    would leave it, |b_j - x_k| <= 2 eta max(|v+|, |v-|). The last datum holds
    no bias: beyond it a neuron is dead, and nothing drives it back.
    """
    pin = np.full(b.size, -1, dtype=np.int64)
    nearest = np.full(b.size, np.inf)
    gap = gaps(data.x, b)
    for datum in (gap - 1, gap):
        neuron = np.flatnonzero((datum >= 0) & (datum < data.x.size - 1)).astype(np.int64)
        k = datum[neuron]
        right, left = velocities(data, b, c, neuron, k)
        reach = 2 * learning_rate * np.maximum(np.abs(right), np.abs(left))
        distance = np.abs(b[neuron] - data.x[k])
        held = (right <= 0) & (left >= 0) & (reach > 0) & (distance <= reach) & (distance < nearest[neuron])
        pin[neuron[held]] = k[held]
        nearest[neuron[held]] = distance[held]
    return pin
