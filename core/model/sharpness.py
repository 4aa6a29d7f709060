"""Sharpness: the largest curvature of the loss, and the step beyond which descent leaves its course.

Within a pattern the mean loss has the Hessian H = s (J^T J + E) in (free b, all c),
where J has the columns -c_j 1[x > b_j] and max(x - b_j, 0), and E couples b_j with
its own c_j by -G_j, G_j = sum of w r over the data that neuron j sees. Gradient
descent follows a mode of curvature lambda > 0 only if its step is below 2/lambda, so
2 / lambda_max(H) is the largest stable step at that state: of b and c together.

H v costs O(n): on each U_l the change of the network is a line, and its slope and
its value at mu_l run forward through the neurons, the sums of the change over the
data that a neuron sees run back. lambda_max then is what a Lanczos iteration with
full reorthogonalisation finds in a few dozen products.
"""

from typing import NamedTuple

import numpy as np

from ..compiled import compiled
from ..portable.spectrum import tridiagonal_eigenvalue
from ..problem.data import TrainingData
from ..types import BoolArray, FloatArray
from .pattern import Pattern, pattern_of, segments
from .pattern.pins import pulls

LANCZOS_STEPS = 60
"""Of the Lanczos iteration: the largest eigenvalue stands apart from the others, and has come long before."""


class Curvature(NamedTuple):
    """What H needs to know of a state: neurons by gap, one entry each; U_l right of each."""

    b: FloatArray
    c: FloatArray
    moves: BoolArray
    """Whether the bias may move: neither pinned nor dead."""
    steps: BoolArray
    """Whether the coefficient may."""
    pull: FloatArray
    """G_j."""
    weight: FloatArray
    mean: FloatArray
    """mu_l; that of the set before where U_l is empty."""
    sxx: FloatArray
    scale: float
    """s = 2/W."""


@compiled
def product(h: Curvature, v: FloatArray) -> FloatArray:
    """H v for v = (changes of b, changes of c), each in the order of the neurons."""
    n = h.b.shape[0]
    out = np.zeros(2 * n)
    values, slopes = np.empty(n), np.empty(n)
    slope, value = 0.0, 0.0
    for j in range(n):
        if j > 0:
            value += slope * (h.mean[j] - h.mean[j - 1])
        slope += v[n + j]
        value += v[n + j] * (h.mean[j] - h.b[j]) - h.c[j] * v[j]
        values[j], slopes[j] = h.weight[j] * value, h.sxx[j] * slope
    total, turn = 0.0, 0.0
    for j in range(n - 1, -1, -1):
        if j + 1 < n:
            turn += total * (h.mean[j + 1] - h.mean[j])
        total += values[j]
        turn += slopes[j]
        if h.moves[j]:
            out[j] = h.scale * (-h.c[j] * total - h.pull[j] * v[n + j])
        if h.steps[j]:
            out[n + j] = h.scale * (turn + total * (h.mean[j] - h.b[j]) - h.pull[j] * v[j])
    return out


@compiled
def largest_eigenvalue(h: Curvature) -> float:
    """lambda_max(H) by Lanczos, from one fixed start."""
    n = h.b.shape[0]
    size = 2 * n
    basis = np.zeros((min(LANCZOS_STEPS, size) + 1, size))
    diagonal, beside = np.zeros(LANCZOS_STEPS), np.zeros(LANCZOS_STEPS)
    length = 0.0
    for j in range(n):
        # No symmetry of a problem is one of this start.
        basis[0, j] = (1.0 + 0.01 * ((7 * j) % 11)) * (1.0 if h.moves[j] else 0.0)
        basis[0, n + j] = (1.0 + 0.01 * ((5 * j) % 13)) * (1.0 if h.steps[j] else 0.0)
        length += basis[0, j] * basis[0, j] + basis[0, n + j] * basis[0, n + j]
    if length == 0.0:
        return 0.0
    for i in range(size):
        basis[0, i] /= np.sqrt(length)
    done = 0
    largest = 0.0
    for k in range(min(LANCZOS_STEPS, size)):
        image = product(h, basis[k])
        for i in range(size):
            diagonal[k] += basis[k, i] * image[i]
        for _ in range(2):
            for q in range(k + 1):
                part = 0.0
                for i in range(size):
                    part += basis[q, i] * image[i]
                for i in range(size):
                    image[i] -= part * basis[q, i]
        done = k + 1
        length = 0.0
        for i in range(size):
            length += image[i] * image[i]
        length = np.sqrt(length)
        largest = max(largest, abs(diagonal[k]) + length)
        if length <= 1e-14 * largest:
            break
        beside[k] = length
        for i in range(size):
            basis[k + 1, i] = image[i] / length
    return tridiagonal_eigenvalue(diagonal[:done], beside[: max(done - 1, 0)], done - 1)


def curvature(data: TrainingData, pattern: Pattern, b: FloatArray, c: FloatArray) -> Curvature:
    """The Hessian of the mean loss at a state; pinned biases count as standing on their data."""
    pinned = pattern.pin >= 0
    b = np.where(pinned, data.x[np.maximum(pattern.pin, 0)], b)
    part = segments(data, pattern, b, c)
    order = part.order
    live = pattern.gap[order] < data.m
    # An empty set has no mean: any place will do, since its weight is 0.
    mean = np.where(part.weight[1:] > 0.0, part.mean_x[1:], b[order])
    return Curvature(
        b=b[order],
        c=c[order],
        moves=live & ~pinned[order],
        steps=live,
        pull=pulls(data, b, c)[pattern.gap[order]],
        weight=part.weight[1:],
        mean=np.ascontiguousarray(mean),
        sxx=part.sxx[1:],
        scale=data.s,
    )


def sharpness(data: TrainingData, pattern: Pattern, b: FloatArray, c: FloatArray) -> float:
    """lambda_max of the Hessian of the mean loss in (free b, all c)."""
    return float(largest_eigenvalue(curvature(data, pattern, b, c)))


def largest_stable_step(data: TrainingData, b: FloatArray, c: FloatArray) -> float:
    """2 / sharpness at (b, c), no neuron pinned; with a longer step gradient descent overshoots."""
    curved = sharpness(data, pattern_of(data.x, b), b, c)
    return 2.0 / curved if curved > 0.0 else float("inf")
