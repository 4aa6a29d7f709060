"""Random least-squares cases that are as often degenerate as not."""

from dataclasses import dataclass

import numpy as np

from core.problem.data import TrainingData
from core.types import FloatArray


@dataclass(frozen=True, eq=False)
class Case:
    """Data and biases."""

    x: FloatArray
    y: FloatArray
    b: FloatArray

    @property
    def data(self) -> TrainingData:
        return TrainingData(self.x, self.y)


def random_case(seed: int, largest_m: int = 12, largest_n: int = 9) -> Case:
    """By turns: generic; biases on data and in the middle of gaps; equal biases; lattice; close data;
    wide networks; constant y; smooth y; data far from the origin."""
    rng = np.random.default_rng([17, seed])
    m = int(rng.integers(2, largest_m + 1))
    n = int(rng.integers(1, largest_n + 1))
    kind = seed % 8
    y = rng.normal(size=m)
    x = np.sort(rng.uniform(-1.0, 1.0, m))
    b = rng.normal(0.0, 1.0, n)
    if kind == 1:
        b = np.where(rng.random(n) < 0.5, rng.choice(x, n), b)
    elif kind == 2:
        b = rng.choice(b, n)
    elif kind == 3:
        x = np.arange(m, dtype=np.float64)
        b = rng.integers(-4, 4 * m + 2, n) / 4.0
    elif kind == 4:
        x = np.sort(np.concatenate([x, x[: m // 2] + 1e-5]))
        y = rng.normal(size=len(x))
    elif kind == 5:
        b = rng.uniform(-1.3, 1.0, m + 2)
    elif kind == 6:
        y = np.ones(m) if rng.random() < 0.3 else np.sin(3.0 * x)
        b = rng.uniform(-1.1, 1.1, n)
    elif kind == 7:
        x, b = x + 1000.0, b + 1000.0
    return Case(x, y, b)
