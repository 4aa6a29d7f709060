"""Pins judged from a state alone, the slow way: what gradient descent's own bookkeeping is compared with."""

import numpy as np

from core.model.pattern import gaps
from core.model.pattern.pins import velocities
from core.problem.data import TrainingData
from core.types import FloatArray, IntArray


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
