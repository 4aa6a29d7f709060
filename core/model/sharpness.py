"""Sharpness: the largest curvature of the loss, and the step beyond which descent leaves its course.

The loss is the one that steps follow: the mean loss (s = 2/W, W = sum w), or half the sum of w r^2 (s = 1)
where the data are halved. Within a pattern it has the Hessian H = s (J^T diag(w) J + E) in (free b, all c),
s as `data.s`. J has the columns -c_j 1[x > b_j] and max(x - b_j, 0), and E couples b_j with
its own c_j by -G_j, G_j = sum of w r over the data that neuron j sees. Gradient
descent follows a mode of curvature lambda > 0 only if its step is below 2/lambda, so
2 / lambda_max(H) is the largest stable step at that state: of b and c together.

H v costs O(n): on each U_l the change of the network is a line, and its slope and
its value at mu_l run forward through the neurons, the sums of the change over the
data that a neuron sees run back. lambda_max is what ARPACK finds in a few dozen products.
"""

from importlib import import_module
from typing import NamedTuple

import numpy as np

from ..compiled import compiled
from ..problem.data import TrainingData
from ..types import BoolArray, FloatArray
from .pattern import Pattern, pattern_of, segments
from .pattern.pins import pulls


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
    """s (`data.s`)."""


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


def largest_eigenvalue(h: Curvature) -> float:
    """lambda_max(H), from one fixed start."""
    sparse = import_module("scipy.sparse.linalg")  # late: a server starts without it
    n = h.b.shape[0]
    j = np.arange(n)
    # No symmetry of a problem is one of this start.
    start = np.append((1.0 + 0.01 * (7 * j % 11)) * h.moves, (1.0 + 0.01 * (5 * j % 13)) * h.steps)
    if not product(h, start).any():
        return 0.0
    whole = sparse.LinearOperator((2 * n, 2 * n), matvec=lambda v: product(h, v.ravel()), dtype=np.float64)
    return float(sparse.eigsh(whole, k=1, which="LA", v0=start, return_eigenvectors=False)[0])


def curvature(data: TrainingData, pattern: Pattern, b: FloatArray, c: FloatArray) -> Curvature:
    """The Hessian of the loss that steps follow; pinned biases count as standing on their data."""
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
    """lambda_max of the Hessian in (free b, all c) of the loss that steps follow (`data.s`).

    Parameters
    ----------
    data, pattern
        The problem, and the stage: pinned biases do not move.
    b, c
        Where the curvature is taken.

    Returns
    -------
    float
        The largest curvature; 0 where nothing sees data.

    Examples
    --------
    >>> from core.model.example import data, pattern, b, c
    >>> from core.model import sharpness
    >>> round(sharpness(data, pattern, b, c), 3)
    12.222
    """
    return largest_eigenvalue(curvature(data, pattern, b, c))


def largest_stable_step(
    data: TrainingData, b: FloatArray, c: FloatArray, pattern: Pattern | None = None
) -> float:
    """2 / sharpness at (b, c); with a longer step gradient descent overshoots.

    Parameters
    ----------
    data
        What the loss is the loss of.
    b, c
        Where a first step is to be stable.
    pattern
        Left out, no neuron is pinned.

    Returns
    -------
    float
        A learning rate; inf where there is no curvature.

    Examples
    --------
    >>> from core.model.example import data, b, c
    >>> from core.model import largest_stable_step
    >>> round(largest_stable_step(data, b, c), 3)
    0.164
    """
    curved = sharpness(data, pattern_of(data.x, b) if pattern is None else pattern, b, c)
    return 2.0 / curved if curved > 0.0 else float("inf")
