"""The floor of a stage: the loss that no motion within the stage can undercut.

While the pattern stays the same the network can only move within

    W = span{1[x > b_j] for free j, max(x - b_j, 0) for all j},

which does not depend on where in its gap a free bias stands: at a gap with a
free neuron the fit may take up any new line, at a gap with pinned neurons only
it may bend, continuously, at the datum they are pinned to; left of all neurons
it is 0. (With no pinned neuron W is V_t of Theorem conti-loss-n.) The network
itself lies in W, so that the part of the residual orthogonal to W is the
constant (1 - P_W) y, and the mean loss stays above

    Q_0 = (1/m) |(1 - P_W) y|^2.

P_W is found in O(m + n) without forming a basis. The data of a segment reduce
to two orthogonal rows, sqrt(u) (f(mu) - mean y) and sqrt(Sxx) (slope - s*). A
segment that starts at a free gap starts afresh; one that starts at a pinned
gap shares its left knot with the segment before. A sweep of Givens rotations
from left to right keeps all that lies left of a knot as one row r v = z for the
value v there; a sweep back reads off values and slopes. Every segment holds a
datum at its right end, which is where v is taken: each v is observed, so r > 0
always and the rank is a matter of counting, not of tolerances.
"""

import numpy as np
from numba import njit

from core.model.network import evaluate
from core.model.pattern import Pattern
from core.problem.data import TrainingData
from core.types import FloatArray, IntArray

EMPTY, PINNED, FREE = 0, 1, 2


def occupancy(m: int, pattern: Pattern) -> IntArray:
    """For each gap 0..m: EMPTY, PINNED (pinned neurons only) or FREE (at least one free neuron)."""
    kind = np.zeros(m + 1, dtype=np.int64)
    kind[pattern.gap[pattern.pin >= 0]] = PINNED
    kind[pattern.gap[pattern.pin < 0]] = FREE
    return kind


@njit(cache=True)
def project(x: FloatArray, y: FloatArray, kind: IntArray) -> FloatArray:
    """P_W y, for W given by the occupancy of the gaps."""
    m = x.shape[0]
    fit = np.zeros(m)
    begin = np.empty(m + 1, dtype=np.int64)
    parts = 0
    for gap in range(m):
        if kind[gap] != EMPTY:
            begin[parts] = gap
            parts += 1
    begin[parts] = m
    # the row that gives the unknown eliminated in each segment from the value at its right end
    pivot = np.zeros(parts)
    coupling = np.zeros(parts)
    target = np.zeros(parts)
    # the row for the value at the right end, from everything up to the next fresh start
    r = np.zeros(parts)
    z = np.zeros(parts)
    for i in range(parts):
        first, last = begin[i], begin[i + 1] - 1
        u = last - first + 1
        mu = 0.0
        mean = 0.0
        for k in range(first, last + 1):
            mu += x[k] - x[last]
            mean += y[k]
        mu /= u
        mean /= u
        sxx = 0.0
        sxy = 0.0
        for k in range(first, last + 1):
            sxx += ((x[k] - x[last]) - mu) ** 2
            sxy += ((x[k] - x[last]) - mu) * (y[k] - mean)
        weight = np.sqrt(float(u))
        spread = np.sqrt(sxx)
        moment = sxy / spread if u > 1 else 0.0
        if kind[first] == FREE:
            if u == 1:
                r[i], z[i] = 1.0, y[last]
                continue
            # rows in (slope, v): (weight mu, weight | weight mean), (spread, 0 | moment)
            pivot[i] = np.hypot(weight * mu, spread)
            cos, sin = weight * mu / pivot[i], spread / pivot[i]
            coupling[i] = cos * weight
            target[i] = cos * weight * mean + sin * moment
            r[i] = sin * weight
            z[i] = sin * weight * mean - cos * moment
            continue
        h = x[last] - x[first - 1]
        # rows in (left value, v): (near, far | weight mean), (-bend, bend | moment)
        near, far = weight * (-mu / h), weight * ((h + mu) / h)
        bend = spread / h
        if i == 0:  # the left value is 0: nothing is active there
            r[i] = np.hypot(far, bend)
            z[i] = (far * weight * mean + bend * moment) / r[i]
            continue
        one = np.hypot(r[i - 1], near)
        cos, sin = r[i - 1] / one, near / one
        first_far, first_rhs = sin * far, cos * z[i - 1] + sin * weight * mean
        second_far, second_rhs = cos * far, cos * weight * mean - sin * z[i - 1]
        pivot[i] = np.hypot(one, bend)
        cos, sin = one / pivot[i], -bend / pivot[i]
        coupling[i] = cos * first_far + sin * bend
        target[i] = cos * first_rhs + sin * moment
        third_far, third_rhs = cos * bend - sin * first_far, cos * moment - sin * first_rhs
        r[i] = np.hypot(second_far, third_far)
        z[i] = (second_far * second_rhs + third_far * third_rhs) / r[i]
    value = 0.0
    for i in range(parts - 1, -1, -1):
        first, last = begin[i], begin[i + 1] - 1
        if i == parts - 1 or kind[begin[i + 1]] == FREE:
            value = z[i] / r[i]
        slope = 0.0
        left = 0.0
        if kind[first] == FREE:
            if last > first:
                slope = (target[i] - coupling[i] * value) / pivot[i]
        else:
            if i > 0:
                left = (target[i] - coupling[i] * value) / pivot[i]
            slope = (value - left) / (x[last] - x[first - 1])
        for k in range(first, last + 1):
            fit[k] = value + slope * (x[k] - x[last])
        value = left
    return fit


def best_fit(data: TrainingData, pattern: Pattern) -> FloatArray:
    """Values at the data of the best that this stage can reach, P_W y."""
    return project(data.x, data.y, occupancy(data.x.size, pattern))


def floor(data: TrainingData, pattern: Pattern) -> float:
    """Q_0 of the pattern, for the mean loss."""
    miss = best_fit(data, pattern) - data.y
    return float(miss @ miss) / data.x.size


def excess(data: TrainingData, pattern: Pattern, b: FloatArray, c: FloatArray) -> float:
    """(1/m) |P_W r|^2: how far the loss lies above the floor, without subtracting the two.

    It is loss - floor if each pinned bias stands exactly on its datum. Gradient
    descent leaves it up to a step beside, and the two then differ by as much.
    """
    r = evaluate(b, c, data.x) - data.y
    part = project(data.x, r, occupancy(data.x.size, pattern))
    return float(part @ part) / data.x.size


def rank(m: int, pattern: Pattern) -> int:
    """Dimension of W: a fresh line counts 2 (1 on a single datum), a bend 1.

    With no pinned neuron this is 2n - 2 #{u_l = 0} - #{u_l = 1} (Lemma V).
    """
    kind = occupancy(m, pattern)[:m]
    begin = np.flatnonzero(kind)
    u = np.diff(np.append(begin, m))
    return int(np.sum(np.where(kind[begin] == FREE, np.minimum(u, 2), 1)))
