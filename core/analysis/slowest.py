"""The direction in which a stage goes to its floor most slowly, and the neurons that have to move in it.

r_min of Theorem 3.1 (thm:conti-loss-n) is the square of the rank(W)-th largest singular value of the matrix
M of Lemma A.2 (core.theory.rates). Its left singular vector u says which part of the residual waits
longest, and M^T u which parameters wait with it. One step of inverse iteration on M M^T, shifted to beside
r_min, all but makes u; a few are taken.
"""

from typing import NamedTuple

import numpy as np

from ..compiled import compiled
from ..model.pattern import Pattern, segments
from ..portable.sums import total
from ..problem.data import TrainingData
from ..theory.rates import canonical, rates, reduced_jacobian
from ..types import FloatArray, IntArray

SHIFT = 1e-4
"""Part of r_min by which the shift lies beside it: a singular matrix has no inverse."""
ROUNDS = 4
QUOTIENT_TOLERANCE = 0.01
"""The vector belongs to r_min if its own quotient differs from it by less than this part."""


class Slowest(NamedTuple):
    """The slowest rate of a stage, and who takes part."""

    rate: float
    """r_min, for (1/2) sum r^2: times 2 s it is the decay of the excess in time."""
    share: FloatArray
    """Of each neuron in the squared direction, adding up to 1; empty where rounding hides it."""


def slowest(data: TrainingData, pattern: Pattern, b: FloatArray, c: FloatArray) -> Slowest:
    """r_min and its direction, in O(n^3)."""
    rate = rates(data, pattern, b, c).r_min
    nobody = Slowest(rate, np.zeros(0))
    if rate <= 0.0:
        return nobody
    exact = canonical(data, pattern, b)
    part = segments(data, pattern, exact, c)
    order = part.order
    matrix = np.hstack(reduced_jacobian(part, pattern, exact, c))
    direction = np.zeros(matrix.shape[1])
    quotient = slow_direction(matrix, rate, direction)
    if not abs(quotient - rate) <= QUOTIENT_TOLERANCE * rate:
        return nobody
    share = np.zeros(pattern.width)
    free = order[pattern.pin[order] < 0]
    share[free] += direction[: free.size] * direction[: free.size]
    share[order] += direction[free.size :] * direction[free.size :]
    return Slowest(rate, share / total(share))


@compiled
def slow_direction(matrix: FloatArray, rate: float, direction: FloatArray) -> float:
    """Add M^T u, u the left singular vector to the squared singular value `rate`, to zeros; |M^T u|^2."""
    rows, columns = matrix.shape
    gram = np.zeros((rows, rows))
    for i in range(rows):
        for k in range(i + 1):
            for j in range(columns):
                gram[i, k] += matrix[i, j] * matrix[k, j]
            gram[k, i] = gram[i, k]
    for i in range(rows):
        gram[i, i] -= rate * (1.0 - SHIFT)
    u = np.empty(rows)
    for i in range(rows):
        u[i] = 1.0 + 0.01 * ((7 * i) % 11)  # no symmetry of a problem is one of this start
    swaps = eliminate_columns(gram)
    for _ in range(ROUNDS):
        substitute(gram, swaps, u)
        length = 0.0
        for i in range(rows):
            length += u[i] * u[i]
        for i in range(rows):
            u[i] /= np.sqrt(length)
    quotient = 0.0
    for j in range(columns):
        for i in range(rows):
            direction[j] += matrix[i, j] * u[i]
        quotient += direction[j] * direction[j]
    return quotient


@compiled
def eliminate_columns(a: FloatArray) -> IntArray:
    """Gauss's elimination in place, with the largest pivot of each column; the rows that were swapped."""
    n = a.shape[0]
    swaps = np.zeros(n, dtype=np.int64)
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if abs(a[i, k]) > abs(a[best, k]):
                best = i
        swaps[k] = best
        if best != k:
            for j in range(n):
                a[k, j], a[best, j] = a[best, j], a[k, j]
        if a[k, k] == 0.0:
            a[k, k] = 1e-300
        for i in range(k + 1, n):
            a[i, k] /= a[k, k]
            for j in range(k + 1, n):
                a[i, j] -= a[i, k] * a[k, j]
    return swaps


@compiled
def substitute(a: FloatArray, swaps: IntArray, v: FloatArray) -> None:
    """Solve with the eliminated matrix, in place."""
    n = a.shape[0]
    for k in range(n):
        v[k], v[swaps[k]] = v[swaps[k]], v[k]
    for k in range(n):
        for i in range(k + 1, n):
            v[i] -= a[i, k] * v[k]
    for k in range(n - 1, -1, -1):
        for j in range(k + 1, n):
            v[k] -= a[k, j] * v[j]
        v[k] /= a[k, k]
