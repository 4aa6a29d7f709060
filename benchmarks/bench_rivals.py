"""The rivals: an iteration against its dense reference, and all methods in one race for a second.

Times are processor seconds, single-threaded. The race is a table in docs/rivals.md, which this writes: the
median loss over the same 20 starts after a tenth of a second and after a second of computing.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from time import process_time

import numpy as np

from benchmarks.bench_squares import best_of, problem, verdict
from core.config.run_config import RunConfig
from core.methods import METHODS
from core.model.loss import mean_loss
from core.problem.data import TrainingData
from core.theory.best_known import best_known
from core.types import FloatArray

TARGETS = ("f1", "sin5", "f2")
SEEDS = 20
OTHERS = {"step": "step", "chirp": "chirp", "noise": "f1&noise=0.2"}
FEW_SEEDS = 5
"""Further problems, with fewer starts: a jump, a wave that gets faster, the first one with noise."""
MOMENTS = (0.1, 1.0)
"""Seconds of computing after which the loss is taken."""
TABLE = Path(__file__).resolve().parent.parent / "docs" / "rivals.md"


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


def per_iteration(name: str, dense: Callable[[], object], bar: float, iterations: int) -> None:
    """Ours within a run, chunks and all, against the dense one."""
    data, b = problem(300, 1000)
    c = np.random.default_rng(0).normal(0.0, 0.08, len(b))
    method = METHODS[name]()
    start = method.init(data, b, c)

    def run() -> tuple[float, float]:
        state = start
        while state["epoch"] < iterations:
            went = method.advance(data, state, float(iterations), stop_at_change=False)
            state = went.state
            if went.outcome is not None:
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


def losses_of(name: str, target: str, seed: int) -> list[float]:
    """The loss of one run at the moments; where it has ended, its last one."""
    config = RunConfig.from_query(f"target={OTHERS.get(target, target)}&seed={seed}&method={name}")
    data, method = config.training_data(), config.method
    losses, ended = [], False
    start = process_time()
    state = method.init(data, *config.initial())
    for moment in MOMENTS:
        while not ended and process_time() - start < moment:
            went = method.advance(data, state, 1e9, stop_at_change=False)
            state, ended = went.state, went.outcome is not None
        losses.append(mean_loss(data, state["b"], state["c"]))
    return losses


def race(targets: Iterable[str], seeds: int) -> dict[str, dict[str, FloatArray]]:
    """By target and method: the losses (seeds, moments)."""
    found: dict[str, dict[str, FloatArray]] = {}
    for target in targets:
        found[target] = {}
        for name in METHODS:
            losses_of(name, target, 0)  # compiles
            found[target][name] = np.array([losses_of(name, target, seed) for seed in range(seeds)])
            middle = np.median(found[target][name], axis=0)
            print(f"{target:5s} {name:13s} " + "  ".join(f"{loss:.3e}" for loss in middle), flush=True)
    return found


def least_of(target: str, seed: int) -> float:
    """The best known loss; some data depend on the seed."""
    config = RunConfig.from_query(f"target={OTHERS.get(target, target)}&seed={seed}")
    return best_known(config.training_data(), config.width).loss


def told(found: dict[str, dict[str, FloatArray]]) -> str:
    """The table in Markdown; the lowest of each column is bold."""
    heads = [f"{target}, {moment:g} s" for target in found for moment in MOMENTS]
    rows = [f"| method | {' | '.join(heads)} |", "|---" * (1 + len(heads)) + "|"]
    names = list(next(iter(found.values())))
    columns = np.array([np.concatenate([np.median(found[t][name], axis=0) for t in found]) for name in names])
    lowest = columns.min(axis=0)
    for name, row in zip(names, columns, strict=True):
        cells = [
            f"**{v:.2e}**" if v <= 1.005 * low else f"{v:.2e}" for v, low in zip(row, lowest, strict=True)
        ]
        rows.append(f"| {METHODS[name].title} | {' | '.join(cells)} |")
    seeds = len(next(iter(found[next(iter(found))].values())))
    known = [float(np.median([least_of(target, seed) for seed in range(seeds)])) for target in found]
    rows.append("| *best known* | " + " | ".join(f"*{loss:.2e}* | *{loss:.2e}*" for loss in known) + " |")
    return f"Median loss of {seeds} starts.\n\n" + "\n".join(rows) + "\n"


def write(table: str, name: str) -> None:
    """Put a table where the document has its place."""
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
    text = TABLE.read_text()
    head, tail = text[: text.index(begin) + len(begin)], text[text.index(end) :]
    TABLE.write_text(head + table + tail)


def main() -> None:
    """Ratios, then the race."""
    data, b = problem(300, 1000)
    c = np.random.default_rng(0).normal(0.0, 0.08, len(b))
    for name in ("momentum", "nesterov"):
        per_iteration(name, dense_momentum(data, b.copy(), c.copy()), 300.0, 20_000)
    for name in ("gauss_newton", "sggn", "varpro"):
        per_iteration(name, dense_newton(data, b, c), 100.0, 100)
    per_iteration("lbfgs", dense_lbfgs(data, b, c), 100.0, 300)
    write(told(race(TARGETS, SEEDS)), "race")
    write(told(race(OTHERS, FEW_SEEDS)), "others")
