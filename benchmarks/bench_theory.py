"""What one frame costs: pattern, floor and stationarity, against the same by dense linear algebra.

The dense version forms the m x 2n basis of W, projects by least squares, and
evaluates the network as a matrix product. Times are processor seconds, single-threaded.
"""

from collections.abc import Callable
from time import process_time

import numpy as np

from benchmarks.bars import verdict
from core import theory
from core.model.loss import prediction_error
from core.model.pattern import pattern_of
from core.problem.data import TrainingData
from core.types import FloatArray

BARS = {(10, 100): 2.0, (100, 500): 70.0, (300, 1000): 400.0}


def seconds(work: Callable[[], object], repeats: int) -> float:
    """Best of a few: the least disturbed."""
    work()
    times = []
    for _ in range(repeats):
        begin = process_time()
        work()
        times.append(process_time() - begin)
    return min(times)


def dense_frame(data: TrainingData, b: FloatArray, c: FloatArray) -> tuple[float, float]:
    """Floor and excess from m-vectors."""
    active = data.x[:, None] > b
    hidden = np.where(active, data.x[:, None] - b, 0.0)
    r = hidden @ c - data.y
    columns = np.hstack([active.astype(np.float64), hidden])
    inside = columns @ np.linalg.lstsq(columns, r, rcond=1e-12)[0]
    return float(np.mean((r - inside) ** 2)), float(np.mean(inside**2))


def frame(data: TrainingData, b: FloatArray, c: FloatArray) -> tuple[float, float]:
    pattern = pattern_of(data.x, b)
    return theory.floor(data, pattern), theory.stationarity(data, pattern, b, c).residual


def main() -> None:
    print(
        f"{'width':>6} {'points':>7} {'frame':>10} {'dense':>10} {'ratio':>8} {'error L2':>10} {'rates':>10}"
    )
    for (n, m), bar in BARS.items():
        rng = np.random.default_rng(0)
        x = np.linspace(-1, 1, m)
        data = TrainingData(x, np.sin(5 * np.pi * x), truth=lambda at: np.sin(5 * np.pi * at))
        b, c = rng.normal(0, np.sqrt(2), n), rng.normal(0, np.sqrt(2 / n), n)
        pattern = pattern_of(data.x, b)
        assert np.allclose(frame(data, b, c), dense_frame(data, b, c), rtol=1e-8)
        ours = seconds(lambda data=data, b=b, c=c: frame(data, b, c), 200)  # type: ignore[misc]
        theirs = seconds(lambda data=data, b=b, c=c: dense_frame(data, b, c), 3)  # type: ignore[misc]
        error = seconds(lambda data=data, b=b, c=c: prediction_error(data, b, c), 100)  # type: ignore[misc]
        exact = seconds(lambda d=data, p=pattern, b=b, c=c: theory.rates(d, p, b, c), 3)  # type: ignore[misc]
        print(
            f"{n:6d} {m:7d} {ours * 1e6:7.0f} µs {theirs * 1e3:7.1f} ms {theirs / ours:7.1f}x "
            f"{error * 1e6:7.0f} µs {exact * 1e3:7.2f} ms {verdict(theirs / ours, bar)}"
        )
