"""GD and Adam against naive full-batch training, as ratios measured in one run.

Times are processor seconds, so that other work on the machine disturbs little;
everything, BLAS included, is single-threaded. Ours is the whole of a run: chunks, frames,
diagnostics. NumPy's mean suffers where the system is slow to hand out memory for its m x n matrices; its
best piece, set against our mean, is the strict reading.
"""

from collections.abc import Callable
from itertools import count
from time import process_time

import numpy as np

from benchmarks.bars import verdict
from benchmarks.peers import jax_descent, numpy_adam, numpy_descent
from core import RunConfig
from core.run.train import Training
from core.service.workers.kernels import load_kernels
from core.types import FloatArray

PROBLEMS = {"f1": (10, 100), "sin5": (100, 500), "f2": (300, 1000)}
BARS = {
    ("gd", "f1"): 250.0,
    ("gd", "sin5"): 150.0,
    ("gd", "f2"): 500.0,
    ("adam", "f1"): 100.0,
    ("adam", "sin5"): 60.0,
    ("adam", "f2"): 100.0,
}
EPOCHS = {
    ("gd", "f1"): 1e8,
    ("gd", "sin5"): 1e7,
    ("gd", "f2"): 3e6,
    ("adam", "f1"): 1e7,
    ("adam", "sin5"): 1e6,
    ("adam", "f2"): 1e6,
}
Peer = Callable[[FloatArray, FloatArray, FloatArray, FloatArray, float, int], tuple[FloatArray, FloatArray]]
NUMPY: dict[str, Peer] = {"gd": numpy_descent, "adam": numpy_adam}


class Stopwatch:
    """Processor seconds and epochs, summed over pieces."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.epochs = 0.0
        self.best = np.inf

    def run(self, peer: Peer, config: RunConfig, epochs: int) -> None:
        data, (b, c) = config.training_data(), config.initial()
        start = process_time()
        peer(data.x, data.y, b, c, 1e-3, epochs)
        spent = process_time() - start
        self.seconds += spent
        self.epochs += epochs
        self.best = min(self.best, spent / epochs)

    @property
    def per_epoch(self) -> float:
        return self.seconds / self.epochs


def ratio_line(method: str, target: str) -> str:
    """One row of the table. Peers run between pieces of ours, so that all meet the same machine."""
    width, points = PROBLEMS[target]
    config = RunConfig.from_query(f"target={target}&method={method}&seed=0&epochs={EPOCHS[method, target]:g}")
    assert (config.width, config.training_data().m) == (width, points)
    piece = 20_000 // width
    ours, naive, compiled = Stopwatch(), Stopwatch(), Stopwatch()
    training = Training(config)
    frames = 0
    stages = 0
    for turn in count():
        if turn % 10 == 0:
            naive.run(NUMPY[method], config, piece)
            if method == "gd" and jax_descent is not None:
                compiled.run(jax_descent, config, 10 * piece)
        start = process_time()
        recorded = training.step()
        ours.seconds += process_time() - start
        frames += len(recorded)
        stages = recorded[-1].stage if recorded else stages
        if training.outcome is not None:
            break
    ours.epochs = training.epoch
    strict = naive.best / ours.per_epoch
    row = (
        f"{method:5s}{target:5s} n={width:4d} m={points:5d}  {ours.epochs:.1e} epochs, {ours.seconds:6.2f} s "
        f"({frames} frames, {stages} stages): {ours.per_epoch * 1e9:6.0f} ns; NumPy mean "
        f"{naive.per_epoch * 1e6:.1f} µs: {naive.per_epoch / ours.per_epoch:.0f}x, best piece "
        f"{naive.best * 1e6:.1f} µs: {strict:.0f}x {verdict(strict, BARS[method, target])}"
    )
    if compiled.epochs:
        row += f"; JAX {compiled.per_epoch * 1e6:6.1f} µs: {compiled.per_epoch / ours.per_epoch:4.0f}x"
    return row


def late_cost(width: int, points: int) -> float:
    """Seconds of an epoch of GD far from the start (epoch 2e5 on), the best of twenty pieces."""
    config = RunConfig.from_query(f"target=f1&method=gd&width={width}&points={points}&epochs=2e5")
    training = Training(config)
    while training.outcome is None:
        training.step()
    state = {
        key.removeprefix("state_"): value
        for key, value in training.checkpoint().items()
        if key.startswith("state_")
    }
    best = np.inf
    for _ in range(20):
        start, begin = process_time(), float(state["epoch"])
        state = config.method.advance(training.data, state, begin + 1e9, stop_at_change=False).state
        best = min(best, (process_time() - start) / (float(state["epoch"]) - begin))
    return float(best)


def main() -> None:
    """Print the table."""
    load_kernels()
    for method, target in BARS:
        print(ratio_line(method, target), flush=True)
    costs = {points: late_cost(10, points) for points in (100, 1_000, 10_000)}
    print("GD, n = 10, cost by m:", ", ".join(f"{m}: {t * 1e9:.0f} ns" for m, t in costs.items()))
    growth = costs[10_000] / costs[100]
    print(f"  m = 10,000 against m = 100: {growth:.2f} {verdict(growth, 1.3, 'less')}")
    widths = {n: late_cost(n, 1_000) for n in (10, 100, 1_000)}
    print("GD, m = 1,000, cost by n:", ", ".join(f"{n}: {t * 1e9:.0f} ns" for n, t in widths.items()))
    print(f"  a neuron: {', '.join(f'{t / n * 1e9:.1f} ns' for n, t in widths.items())} (linear in n)")
