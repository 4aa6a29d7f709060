"""ANLS as the paper writes it: every candidate a least-squares problem of its own. Slow and plain."""

import numpy as np

from core.types import FloatArray

Move = tuple[int, int, float, int]
"""neuron, side (0 left, 1 right), new position, datum crossed"""


def least(x: FloatArray, y: FloatArray, b: FloatArray) -> float:
    """The least sum of squares over c."""
    a = np.maximum(x[:, None] - b[None, :], 0.0)
    r = a @ np.linalg.lstsq(a, y, rcond=1e-15)[0] - y
    return float(r @ r)


def moves(x: FloatArray, b: FloatArray) -> list[Move]:
    """The candidate rules, read off the sets U_k."""
    order = np.argsort(b, kind="stable")
    s = b[order]
    live = int(np.sum(s < x[-1]))
    found: list[Move] = []
    for k in range(live):
        before = np.flatnonzero((x <= s[k]) & ((x > s[k - 1]) if k > 0 else True))
        own = np.flatnonzero((x > s[k]) & ((x <= s[k + 1]) if k + 1 < live else True))
        if before.size:
            i = int(before[-1])
            if k > 0 and before.size == 1:
                q = 0.5 * (s[k - 1] + x[i])
            else:
                q = x[0] - 1e-8 if i == 0 else 0.5 * (x[i - 1] + x[i])
            found.append((int(order[k]), 0, float(q), i))
        if own.size > 1:
            i = int(own[0])
            found.append((int(order[k]), 1, float(0.5 * (x[i] + x[i + 1])), i))
        elif own.size == 1 and k + 1 < live and s[k + 1] > x[own[0]]:
            i = int(own[0])
            found.append((int(order[k]), 1, float(0.5 * (x[i] + s[k + 1])), i))
    return found


def anls(x: FloatArray, y: FloatArray, b: FloatArray, iterations: int) -> list[tuple[FloatArray, float]]:
    """The biases and the least sum of squares before each iteration and after the last."""
    b = b.copy()
    path = [(b.copy(), least(x, y, b))]
    for _ in range(iterations):
        trials = []
        for j, _, q, _ in moves(x, b):
            trial = b.copy()
            trial[j] = q
            trials.append((least(x, y, trial), trial))
        if not trials:
            break
        total, best = min(trials, key=lambda item: item[0])
        if path[-1][1] - total <= 1e-12 * path[-1][1]:
            break
        b = best
        path.append((b.copy(), total))
    return path
