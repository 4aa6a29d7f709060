"""Gradient descent as the paper writes it: no pins, every crossing of a datum is a change of some u_l.

Of a bias that is driven to a datum from both sides the paper's counting sees no rest: it hops over the
datum for good. The loop is written out, so that it shares nothing with what it is compared with.
"""

import numpy as np
from numba import njit

from core.problem import TrainingData
from core.types import FloatArray
from reproduction.measures import Numbers


@njit(cache=True)
def plain_descent(
    x: FloatArray, y: FloatArray, b: FloatArray, c: FloatArray, rate: float, epochs: int
) -> tuple[int, int, float]:
    """Epochs of gradient descent on the mean loss, in place; (changes, the last of them, loss)."""
    m, n = x.shape[0], b.shape[0]
    seen = np.empty(n, dtype=np.int64)
    slope_b, slope_c = np.empty(n), np.empty(n)
    for j in range(n):
        seen[j] = np.searchsorted(x, b[j], side="right")
    changes, last, loss = 0, 0, 0.0
    for epoch in range(1, epochs + 1):
        slope_b[:] = 0.0
        slope_c[:] = 0.0
        loss = 0.0
        for k in range(m):
            r = -y[k]
            for j in range(n):
                if x[k] > b[j]:
                    r += c[j] * (x[k] - b[j])
            loss += r * r
            for j in range(n):
                if x[k] > b[j]:
                    slope_b[j] -= r * c[j]
                    slope_c[j] += r * (x[k] - b[j])
        changed = False
        for j in range(n):
            b[j] -= rate * 2.0 / m * slope_b[j]
            c[j] -= rate * 2.0 / m * slope_c[j]
            gap = seen[j]
            while gap < m and x[gap] <= b[j]:
                gap += 1
            while gap > 0 and x[gap - 1] > b[j]:
                gap -= 1
            changed = changed or gap != seen[j]
            seen[j] = gap
        if changed:
            changes += 1
            last = epoch
    return changes, last, loss / m


def plain_counts(data: TrainingData, b: FloatArray, c: FloatArray, rate: float, epochs: int) -> Numbers:
    """How often some u_l changes in the paper's own counting, and when last."""
    changes, last, loss = plain_descent(data.x, data.y, np.array(b), np.array(c), rate, epochs)
    return {"plain_changes": float(changes), "plain_last": float(last), "plain_loss": float(loss)}
