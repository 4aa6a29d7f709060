"""Legal but odd problems: close data, huge and tiny scales, biases on data and far away, any width."""

import numpy as np

from core.problem.data import TrainingData
from core.types import FloatArray

Odd = tuple[TrainingData, FloatArray, FloatArray]


def odd_problem(seed: int) -> Odd:
    """Data and a starting network, chosen by a number."""
    rng = np.random.default_rng([seed, 77])
    m, n = int(rng.integers(2, 14)), int(rng.integers(1, 10))
    if rng.random() < 0.2:
        m = 2
    if rng.random() < 0.2:
        n = 1
    if rng.random() < 0.1:
        n = int(rng.integers(20, 40))
    x = np.sort(rng.uniform(-1.0, 1.0, m))
    if rng.random() < 0.3:  # pairs a billionth of the span apart
        i = int(rng.integers(0, m - 1))
        x[i + 1 :] += (x[i] + 1e-9 * float(x[-1] - x[0] + 1.0)) - x[i + 1]
    if rng.random() < 0.2:
        x = np.linspace(-1.0, 1.0, m)
    x = x * float(rng.choice([1.0, 1.0, 1e-3, 1e3])) + float(rng.choice([0.0, 0.0, 0.0, 100.0]))
    y = rng.normal(size=m)
    if rng.random() < 0.3:
        y = np.round(y)
    y = y * float(rng.choice([1.0, 1.0, 1.0, 1e-9, 1e-3, 1e3, 1e9]))
    low, span = float(x[0]), float(x[-1] - x[0])
    b = low + span * rng.normal(0.5, 0.7, n)
    c = rng.normal(size=n) * float(rng.choice([1.0, 1.0, 1.0, 1e-9, 1e9, 1e3]))
    kinds = rng.integers(0, 10, n)
    b = np.where(kinds == 0, rng.choice(x, n), b)
    b = np.where(kinds == 1, low - span * float(rng.choice([1e7, 1e3, 1e5])), b)
    if rng.random() < 0.1:
        b = rng.choice(x, n)
    if rng.random() < 0.05:
        b = np.full(n, float(x[-1])) + span * rng.random(n)
    if rng.random() < 0.1:
        c = np.where(rng.random(n) < 0.5, 0.0, c)
    if rng.random() < 0.1:
        b[:], c[:] = b[0], c[0]
    keep = np.append(True, np.diff(x) > 0.0)
    if keep.sum() < 2:
        return odd_problem(seed + 1_000_003)
    weights = rng.integers(1, 4, int(keep.sum())).astype(np.float64) if rng.random() < 0.3 else np.empty(0)
    return TrainingData(x[keep], y[keep], w=weights), b, c
