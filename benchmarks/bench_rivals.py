"""The rivals: an iteration against its dense reference, and all methods in one race for a second.

Times are processor seconds, single-threaded; the race has two processes. What is measured goes to
benchmarks/data/rivals.json, and from there into docs/rivals.md: the ratios, and the median loss over the same
20 starts after a tenth of a second and after a second of computing. For each method and target the settings
of GRIDS are tried first on other seeds, a second each: all on three, the best and the defaults on ten. What
has the lower median runs, and the defaults beside it. It takes about forty minutes on two cores.
"""

import multiprocessing
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from time import process_time
from typing import Any

import numpy as np

from benchmarks import rivals_file
from benchmarks.bars import verdict
from benchmarks.bench_squares import best_of, problem
from core.analysis.best_known import best_known
from core.config.run_config import RunConfig
from core.methods import METHODS
from core.model.loss import mean_loss
from core.problem.data import TrainingData
from core.types import FloatArray

TARGETS = ("f1", "sin5", "f2")
SEEDS = 20
OTHERS = {"step": "step", "chirp": "chirp", "noise": "f1&noise=0.2"}
FEW_SEEDS = 5
"""Further problems, with fewer starts: a jump, a wave that gets faster, the first one with noise."""
MOMENTS = (0.1, 1.0)
"""Seconds of computing after which the loss is taken."""
PROCESSES = 2
TUNING, DECIDING = range(500, 503), range(500, 510)
"""Seeds on which settings are tried, and on which the best of them has to beat the default; none races."""
RATES = tuple(f"learning_rate={rate}" for rate in ("0.003", "0.01", "0.03", "0.1", "0.3"))
ADAPTIVE = tuple(f"learning_rate={rate}" for rate in ("0.0001", "0.0003", "0.003", "0.01", "0.03", "0.1"))
HEAVY = tuple(f"{rate}&momentum={part}" for part in ("0.9", "0.99") for rate in RATES[:4])
DAMPED = tuple(f"damping={part}" for part in ("1e-6", "1e-5", "1e-4", "0.01", "0.1", "1"))
GRIDS: dict[str, tuple[str, ...]] = {
    "gd": RATES,
    "sgd": RATES,
    "ls_gd": RATES,
    "adam": ADAPTIVE,
    "ls_adam": ADAPTIVE,
    "momentum": HEAVY,
    "nesterov": HEAVY,
    "gauss_newton": DAMPED,
    "sggn": DAMPED,
    "varpro": DAMPED,
    "lbfgs": ("memory=3", "memory=5", "memory=20", "memory=50"),
}
"""What is tried beside the default of each method. ANLS, ANLS+ and adaptive width keep theirs, as does the
flow, whose step is chosen by its error."""
SIZE = (300, 1000)
"""Neurons and data of the problem on which an iteration is timed."""
MOMENTUM, NEWTON = ("momentum", "nesterov"), ("gauss_newton", "sggn", "varpro")


def hinges(data: TrainingData, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Hinge and step of every neuron at every datum: two matrices of m times n."""
    apart = data.x[:, None] - b
    return np.maximum(apart, 0.0), (apart > 0.0).astype(np.float64)


def dense_momentum(data: TrainingData, b: FloatArray, c: FloatArray) -> Callable[[], object]:
    """An epoch of momentum, as one writes it with NumPy."""
    velocity = np.zeros((2, len(b)))

    def epoch() -> None:
        hinge, step = hinges(data, b)
        r = (2.0 / data.m) * (hinge @ c - data.y)
        velocity[:] = 0.9 * velocity - 1e-6 * np.stack((-c * (step.T @ r), hinge.T @ r))
        b[:] += velocity[0]
        c[:] += velocity[1]

    return epoch


def dense_momentum_at_hand(data: TrainingData, b: FloatArray, c: FloatArray) -> Callable[[], object]:
    """The same, with the memory for its matrices taken once."""
    velocity = np.zeros((2, len(b)))
    apart, hinge, step = (np.empty((data.m, len(b))) for _ in range(3))

    def epoch() -> None:
        np.subtract(data.x[:, None], b, out=apart)
        np.maximum(apart, 0.0, out=hinge)
        np.greater(apart, 0.0, out=step)
        r = (2.0 / data.m) * (hinge @ c - data.y)
        velocity[:] = 0.9 * velocity - 1e-6 * np.stack((-c * (r @ step), r @ hinge))
        b[:] += velocity[0]
        c[:] += velocity[1]

    return epoch


def dense_newton(data: TrainingData, b: FloatArray, c: FloatArray) -> Callable[[], object]:
    """An iteration of Gauss-Newton with a dense Jacobian, by the normal equations: the cheapest dense way."""

    def iteration() -> object:
        hinge, step = hinges(data, b)
        j = np.hstack([-c * step, hinge])
        matrix = j.T @ j
        matrix[np.diag_indices_from(matrix)] += 1e-3
        d = np.linalg.solve(matrix, j.T @ (data.y - hinge @ c))
        return np.maximum(data.x[:, None] - (b + d[: len(b)]), 0.0) @ (c + d[len(b) :])

    return iteration


def dense_lbfgs(data: TrainingData, b: FloatArray, c: FloatArray) -> Callable[[], object]:
    """An iteration of L-BFGS whose first trial is taken: the two loops over ten pairs, loss and gradient."""
    pairs = np.random.default_rng(0).normal(0.0, 1.0, (2, 10, 2 * len(b)))

    def iteration() -> object:
        hinge, step = hinges(data, b)
        r = (2.0 / data.m) * (hinge @ c - data.y)
        d = np.concatenate([-c * (step.T @ r), hinge.T @ r])
        for one, other in zip(*pairs, strict=True):
            d -= (one @ d) / (one @ other) * other
        for one, other in zip(*pairs[:, ::-1], strict=True):
            d += (other @ d) / (one @ other) * one
        return float(r @ r), d

    return iteration


def per_iteration(name: str, dense: Callable[[], object], bar: float, iterations: int) -> dict[str, float]:
    """Ours within a run, chunks and all, against the dense one."""
    data, b = problem(*SIZE)
    c = np.random.default_rng(0).normal(0.0, 0.08, len(b))
    method = METHODS[name]()
    start = method.init(data, b, c)

    def run() -> tuple[float, float]:
        state = start
        while state["epoch"] < iterations:
            went = method.advance(data, state, float(iterations), stop_at_change=False)
            state = went.state
            if went.end is not None:
                break
        return float(state["epoch"]), float(state["gradients"])

    done, gradients = run()
    trials = max(1.0, gradients / done)  # a line search asks for more than one gradient now and then
    pairs = [(best_of(1, run) / done, best_of(1, dense)) for _ in range(7)]
    ours, theirs = (np.min(pairs, axis=0) * (1.0, trials)).tolist()
    print(
        f"{method.title:13s} n=300 m=1000: {ours * 1e6:7.2f} µs an iteration; dense {theirs * 1e3:5.2f} ms: "
        f"{theirs / ours:7,.0f}x {verdict(theirs / ours, bar, 'more')}",
        flush=True,
    )
    return {"microseconds": ours * 1e6, "dense_milliseconds": theirs * 1e3, "ratio": theirs / ours}


def ratios() -> dict[str, Any]:
    """Every rival's iteration against the dense one; momentum also against one that keeps its memory."""
    data, b = problem(*SIZE)
    c = np.random.default_rng(0).normal(0.0, 0.08, len(b))
    found = {
        name: per_iteration(name, dense_momentum(data, b.copy(), c.copy()), 300.0, 20_000)
        for name in MOMENTUM
    }
    at_hand = per_iteration("momentum", dense_momentum_at_hand(data, b.copy(), c.copy()), 300.0, 20_000)
    for name in NEWTON:
        found[name] = per_iteration(name, dense_newton(data, b, c), 100.0, 100)
    found["lbfgs"] = per_iteration("lbfgs", dense_lbfgs(data, b, c), 100.0, 300)
    return {"methods": found, "momentum_at_hand": at_hand}


def losses_of(
    name: str, target: str, seed: int, moments: Iterable[float] = MOMENTS, settings: str = ""
) -> list[float]:
    """The loss of one run at the moments; where it has ended, its last one. One that diverged has none."""
    query = f"target={OTHERS.get(target, target)}&seed={seed}&method={name}"
    config = RunConfig.from_query(f"{query}&{settings}" if settings else query)
    data, method = config.training_data(), config.method
    losses, ended = [], False
    start = process_time()
    state = method.init(data, *config.initial())
    for moment in moments:
        while not ended and process_time() - start < moment:
            went = method.advance(data, state, 1e9, stop_at_change=False)
            state, ended = went.state, went.end is not None
        with np.errstate(all="ignore"):
            loss = mean_loss(data, state["b"], state["c"])
        losses.append(loss if np.isfinite(loss) else float("inf"))
    return losses


def medians_of(name: str, target: str, seeds: Iterable[int], settings: str = "") -> list[float]:
    """Of the losses at the moments."""
    losses_of(name, target, 0, [1e-3])  # loads or compiles the kernels
    found = np.sort([losses_of(name, target, seed, settings=settings) for seed in seeds], axis=0)
    return [float(middle) for middle in 0.5 * (found[(len(found) - 1) // 2] + found[len(found) // 2])]


def tuned(name: str, target: str) -> str:
    """The settings with the lowest median loss at the last moment, on other seeds; "" is the default."""
    if name not in GRIDS:
        return ""
    return lowest(name, target, ("", lowest(name, target, ("", *GRIDS[name]), TUNING)), DECIDING)


def lowest(name: str, target: str, settings: Iterable[str], seeds: Iterable[int]) -> str:
    """Which of some settings has the lowest median at the last moment; of equal ones the first."""
    tried = {one: medians_of(name, target, seeds, one)[-1] for one in dict.fromkeys(settings)}
    return min(tried, key=lambda one: tried[one])


def compared(name: str, target: str, seeds: int) -> tuple[list[float], list[float], str]:
    """The medians at its best and with its defaults, and what is best."""
    best, plain = tuned(name, target), medians_of(name, target, range(seeds))
    return (medians_of(name, target, range(seeds), best) if best else plain), plain, best


def least_of(target: str, seeds: int) -> float:
    """The best known loss, in the median: some data depend on the seed."""
    configs = [
        RunConfig.from_query(f"target={OTHERS.get(target, target)}&seed={seed}") for seed in range(seeds)
    ]
    return float(np.median([best_known(one.training_data(), one.width).loss for one in configs]))


def race(targets: Iterable[str], seeds: int) -> dict[str, Any]:
    """By target and method: the median losses at the moments; runs side by side on two processes."""
    # Compiled kernels do not survive a fork.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(PROCESSES, mp_context=context) as pool:
        asked = {
            target: {name: pool.submit(compared, name, target, seeds) for name in METHODS}
            for target in targets
        }
        known = {target: pool.submit(least_of, target, seeds) for target in asked}
        losses: dict[str, dict[str, list[float]]] = {target: {} for target in asked}
        defaults: dict[str, dict[str, list[float]]] = {target: {} for target in asked}
        settings: dict[str, dict[str, str]] = {target: {} for target in asked}
        for target, futures in asked.items():
            for name, future in futures.items():
                losses[target][name], defaults[target][name], settings[target][name] = future.result()
                text = "  ".join(f"{loss:.3e}" for loss in losses[target][name])
                print(f"{target:5s} {name:14s} {text}  {settings[target][name]}", flush=True)
        best = {target: future.result() for target, future in known.items()}
    return {
        "seeds": seeds,
        "tuned_on": [len(TUNING), len(DECIDING)],
        "moments": list(MOMENTS),
        "losses": losses,
        "defaults": defaults,
        "settings": settings,
        "best_known": best,
    }


def main() -> None:
    """Ratios, then the races."""
    measured = {"ratios": ratios(), "race": race(TARGETS, SEEDS), "others": race(OTHERS, FEW_SEEDS)}
    rivals_file.keep("rivals", measured)
