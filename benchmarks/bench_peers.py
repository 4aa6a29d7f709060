"""`make bench ARGS=peers`: gradient descent against NumPy, JAX, PyTorch; free-knot fits against pwlf, SciPy.

It runs in an environment of its own (requirements-peers.txt). Times are processor seconds on one thread,
taken in turn in one process. What is measured goes to benchmarks/data/peers.json and from there into
docs/peers.md and docs/peers.svg; a bar that is missed is named, and the exit code is 1. `--quick` takes a
few seconds and writes nothing; `--page` writes the page again from the file.
"""

import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from scipy.optimize import least_squares

from benchmarks.peers import PEERS
from benchmarks.rivals_file import processor
from components.figures.printed import Axes, Curve, curves_svg
from core import RunConfig, fit
from core.fitting import FitResult
from core.run import Training
from core.types import FloatArray

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "benchmarks" / "data" / "peers.json"
DOCUMENT, DRAWING = ROOT / "docs" / "peers.md", ROOT / "docs" / "peers.svg"
SINGLE = {
    **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
    "JAX_PLATFORMS": "cpu",
}
TARGETS = {"f1": (1e8, 80.0), "sin5": (1e7, 400.0), "f2": (3e6, 600.0)}
"""Epochs of ours, and how many times JAX's epoch it has to be shorter."""
SETS, POINTS, NEURONS, STARTS, IMPROVED = 20, 100, 8, 24, 8
FEW_STARTS = 10
"""Of the others, whose starts take longer."""
FASTER = 50.0
LIBRARIES = ("numpy", "scipy", "numba", "jax", "torch", "pwlf")
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")


def per_epoch(peer: Callable[..., object], config: RunConfig, epochs: int, pieces: int) -> float:
    """Seconds per epoch: the best of some pieces, after one that compiles."""
    data, (b, c) = config.training_data(), config.initial()
    peer(data.x, data.y, b, c, 1e-3, epochs)
    best = np.inf
    for _ in range(pieces):
        start = process_time()
        peer(data.x, data.y, b, c, 1e-3, epochs)
        best = min(best, (process_time() - start) / epochs)
    return float(best)


def descent(part: float) -> dict[str, dict[str, float]]:
    """Seconds per epoch by target and library; ours is a whole run, frames and diagnostics included."""
    found: dict[str, dict[str, float]] = {}
    for target, (epochs, _) in TARGETS.items():
        config = RunConfig.from_query(f"target={target}&method=gd&seed=0&epochs={part * epochs:g}")
        whole(config.with_epochs(2000.0))
        piece = 20_000 // config.width
        found[target] = {"ours": whole(config)}
        for name, peer in PEERS.items():
            count = 10 * piece if name == "JAX" else piece
            found[target][name] = per_epoch(peer, config, max(1, int(min(1.0, 10 * part) * count)), 10)
        text = ", ".join(f"{name} {seconds * 1e6:.3g} µs" for name, seconds in found[target].items())
        print(f"{target}: {text}", flush=True)
    return found


def bare(config: RunConfig) -> float:
    """Seconds per epoch of the method alone: no frame is made, nothing stops where the pattern changes."""
    data, method = config.training_data(), config.method
    state, ended = method.init(data, *config.initial()), False
    start = process_time()
    while not ended and float(state["epoch"]) < config.epochs:
        went = method.advance(data, state, float(config.epochs), stop_at_change=False)
        state, ended = went.state, went.end is not None
    return (process_time() - start) / float(state["epoch"])


def whole(config: RunConfig) -> float:
    """Seconds per epoch of the run with its frames and diagnostics, over the epochs until it ends."""
    training = Training(config)
    start = process_time()
    training.run()
    return (process_time() - start) / training.epoch


def besides(part: float) -> dict[str, float]:
    """Which part of our time goes into what the bare loops of the others do not do, by target.

    Under "fits" it is that of the starts of ANLS+, with a run's definition too. Of five times the shortest.
    """
    found = {}
    for target, (epochs, _) in TARGETS.items():
        config = RunConfig.from_query(f"target={target}&method=gd&seed=0&epochs={part * epochs:g}")
        whole(config.with_epochs(2000.0))
        pairs = [(bare(config), whole(config)) for _ in range(5)]
        found[target] = 1.0 - min(one for one, _ in pairs) / min(other for _, other in pairs)
    method = with_all = 0.0
    for x, y in map(data_set, range(max(1, round(part * SETS)))):
        start = process_time()
        fitted = [fit(x, y, width=NEURONS, method="anls_plus", seed=seed) for seed in range(STARTS)]
        with_all += process_time() - start
        start = process_time()
        for one in fitted:
            bare(one.config)
        method += process_time() - start
    return found | {"fits": 1.0 - method / with_all}


DRAW = 7
"""Which data sets: another number once the fits have been tuned on those before, so that none was seen."""


def data_set(seed: int) -> tuple[FloatArray, FloatArray]:
    """A wave, a jump beside a faster wave, or a kink that is no hinge; with noise or without."""
    rng = np.random.default_rng([seed, DRAW])
    x = np.sort(rng.uniform(-1.0, 1.0, POINTS))
    shapes = (
        np.sin((2.0 + seed % 4) * np.pi * x) + 1.0,
        np.where(x > 0.0, 1.0, 0.0) + 0.5 * x * np.cos(9.0 * x),
        3.0 * np.abs(x - 0.2) ** 1.5 - x,
    )
    return x, shapes[seed % 3] + rng.normal(0.0, (0.0, 0.05, 0.2)[seed % 5 % 3], POINTS)


def by_ours(x: FloatArray, y: FloatArray) -> FitResult:
    """ANLS+ from some starts, the best few of them improved by VarPro."""
    found = [fit(x, y, width=NEURONS, method="anls_plus", seed=seed) for seed in range(STARTS)]
    found.sort(key=lambda result: result.loss)
    improved = [
        fit(x, y, width=NEURONS, method="varpro", biases=listed(one.b), coefficients=listed(one.c))
        for one in found[:IMPROVED]
    ]
    return min((*found, *improved), key=lambda result: result.loss)


def bends(result: FitResult, x: FloatArray) -> int:
    """Of a line with bends that has as many parameters: neurons left of all data are a line."""
    return min(int(np.count_nonzero((result.b > x[0]) & (result.b < x[-1]))), len(result.b) - 1)


def listed(values: FloatArray) -> str:
    """As the setting of a start."""
    return ",".join(map(repr, values.tolist()))


def by_pwlf(x: FloatArray, y: FloatArray, count: int, *, fast: bool) -> float:
    """The global search of pwlf, or its fast one from several starts."""
    pwlf = import_module("pwlf")
    np.random.seed(0)
    model = pwlf.PiecewiseLinFit(x, y)
    if fast:
        model.fitfast(count + 1, pop=FEW_STARTS)
    else:
        model.fit(count + 1)
    return float(model.ssr) / len(x)


def by_scipy(x: FloatArray, y: FloatArray, count: int) -> float:
    """Trust regions for a line, bends and coefficients together, from equal distances and random ones."""

    def residual(p: FloatArray) -> FloatArray:
        hinges = np.maximum(x[:, None] - p[2 : count + 2], 0.0)
        return np.asarray(p[0] + p[1] * x + hinges @ p[count + 2 :] - y)

    rng = np.random.default_rng(0)
    drawn = np.sort(rng.uniform(-1.0, 1.0, (FEW_STARTS - 1, count)))
    starts = [np.linspace(-1.0, 1.0, count + 2)[1:-1], *drawn]
    ends = [
        least_squares(residual, np.concatenate([[y[0], 0.0], b, np.zeros(count)]), max_nfev=200)
        for b in starts
    ]
    return float(min(2.0 * end.cost for end in ends)) / len(x)


OTHERS: dict[str, Callable[[FloatArray, FloatArray, int], float]] = {
    "pwlf fit": lambda x, y, count: by_pwlf(x, y, count, fast=False),
    "pwlf fitfast": lambda x, y, count: by_pwlf(x, y, count, fast=True),
    "SciPy": by_scipy,
}


def fits(count: int) -> list[dict[str, Any]]:
    """The bends of ours, and loss and seconds by library, each with as many bends."""
    by_ours(*data_set(0))
    rows = []
    for seed in range(count):
        x, y = data_set(seed)
        start = process_time()
        ours = by_ours(x, y)
        row: dict[str, Any] = {"bends": bends(ours, x), "ours": [ours.loss, process_time() - start]}
        for name, method in OTHERS.items():
            start = process_time()
            loss = method(x, y, row["bends"])
            row[name] = [loss, process_time() - start]
        rows.append(row)
        print(f"data set {seed}: {row}", flush=True)
    return rows


FITS = ("ours", *OTHERS)


def missed(document: dict[str, Any]) -> list[str]:
    """The bars that are not met, each in a sentence."""
    bars, rest = [], document["besides"]
    for target, (_, bar) in TARGETS.items():
        times, config = document["descent"][target], RunConfig.from_query(f"target={target}")
        ratio = times["JAX"] / times["ours"]
        if ratio < bar:
            product = times["JAX"] * 1e9 / (config.width * config.points)
            bars.append(
                f"GD on {target}: {ratio:.0f} times JAX, where {bar:g} are wanted. Frames and diagnostics, "
                f"which JAX's loop lacks, take {100 * rest[target]:.0f} % of our time; without them it is "
                f"{ratio / (1.0 - rest[target]):.0f} times. JAX needs {product:.2g} ns per neuron and datum, "
                f"ours {times['ours'] * 1e9 / config.width:.2g} ns per neuron, for {config.points} data."
            )
    rows = document["fits"]
    worse = [seed for seed, row in enumerate(rows) if row["ours"][0] > row["pwlf fit"][0] * (1.0 + 1e-9)]
    if worse:
        most = max(rows[seed]["ours"][0] / rows[seed]["pwlf fit"][0] - 1.0 for seed in worse)
        bars.append(
            f"Free knots: on {len(worse)} of {len(rows)} data sets the loss is above that of pwlf's global "
            f"search, by {100 * most:.2g} % at most. They are {', '.join(map(str, worse))}. There its search "
            f"found a better place for some bend than ANLS+ did from {STARTS} starts."
        )
    slower = float(np.median([row["pwlf fit"][1] / row["ours"][1] for row in rows]))
    if slower < FASTER:
        bars.append(
            f"Free knots: {slower:.0f} times as fast as pwlf, where {FASTER:g} are wanted. Of the time for "
            f"our starts {100 * rest['fits']:.0f} % go into each run's definition, frames and diagnostics. "
            f"The method alone would be about {slower / (1.0 - rest['fits']):.0f} times as fast."
        )
    return bars


def rendered(document: dict[str, Any]) -> str:
    """The page, from what was measured."""
    state = document["state"]
    libraries = ", ".join(f"{name} {number}" for name, number in state["libraries"].items())
    rows = document["fits"]
    peers = _peers(document)
    lines = [
        "# Against other libraries",
        "",
        "Written by `make bench ARGS=peers`, which installs what it needs in an environment of its own.",
        "",
        f"Measured on {state['date']}, on {state['processor']}, with Python {state['python']}, {libraries}. "
        "One thread, processor seconds, all in turn in one process." + _apart(state),
        "",
        "## Gradient descent, per epoch",
        "",
        "Double precision, all data at once, the paper's sizes. Ours is a whole run with its frames and "
        "diagnostics; the others are bare loops, and show the best of ten pieces. NumPy has matrices, JAX a "
        "compiled loop, PyTorch autograd.",
        "",
        "| problem | neurons, data | ours | " + " | ".join(f"{name} | ratio" for name in peers) + " |",
        "|---" * (3 + 2 * len(peers)) + "|",
    ]
    for target, times in document["descent"].items():
        config = RunConfig.from_query(f"target={target}")
        cells = [f"{times[name] * 1e6:.3g} µs | **{times[name] / times['ours']:,.0f}**" for name in peers]
        sizes = f"{config.width}, {config.points}"
        lines.append(f"| {target} | {sizes} | {times['ours'] * 1e9:.0f} ns | {' | '.join(cells)} |")
    lines += [
        "",
        "![Microseconds per epoch against neurons](peers.svg)",
        "",
        "## Piecewise linear fits with free bends",
        "",
        f"{len(rows)} data sets of {POINTS} points: waves, jumps and kinks, with noise and without. Ours is "
        f"ANLS+ with {NEURONS} neurons from {STARTS} starts, the best {IMPROVED} improved by VarPro. Neurons "
        "left of all data are a line. The others are a line with as many bends among the data as ours. Where "
        f"all {NEURONS} neurons of ours are bends they have {NEURONS - 1}, which is as many parameters. The "
        f"global search of pwlf is `fit`; `fitfast` has {FEW_STARTS} starts. SciPy is `least_squares` from "
        f"{FEW_STARTS} starts. The lowest loss is bold.",
        "",
        "| data set | bends | " + " | ".join(f"{name}, loss | s" for name in FITS) + " |",
        "|---" * (2 + 2 * len(FITS)) + "|",
    ]
    for seed, row in enumerate(rows):
        least = min(row[name][0] for name in FITS)
        cells = [
            f"{f'**{loss:.3e}**' if loss <= least * (1 + 1e-9) else f'{loss:.3e}'} | {seconds:.2g}"
            for loss, seconds in (row[name] for name in FITS)
        ]
        lines.append(f"| {seed} | {row['bends']} | {' | '.join(cells)} |")
    bars = missed(document)
    met = ["", "All bars are met."]
    lines += ["", "## Where a bar is missed", "", *(f"- {one}" for one in bars)] if bars else met
    return "\n".join(lines) + "\n"


def _apart(state: dict[str, Any]) -> str:
    """How the shares of our time were measured, if not in the same run."""
    return f" The shares of our own time were {state['besides']}." if "besides" in state else ""


def _peers(document: dict[str, Any]) -> list[str]:
    """The libraries that were measured."""
    return [name for name in next(iter(document["descent"].values())) if name != "ours"]


def drawing(document: dict[str, Any]) -> str:
    """Microseconds per epoch over the number of neurons."""
    widths = {target: RunConfig.from_query(f"target={target}").width for target in document["descent"]}
    curves = [
        Curve(name, colour, [(widths[at], 1e6 * times[name]) for at, times in document["descent"].items()])
        for name, colour in zip(("ours", *_peers(document)), COLOURS, strict=True)
    ]
    return curves_svg(curves, Axes(x="neurons", y="µs per epoch"))


def main(arguments: Sequence[str] = ()) -> int:
    """Measure and write; 1 where a bar is missed."""
    if any(os.environ.get(name) != value for name, value in SINGLE.items()):
        again = [sys.executable, "-m", "benchmarks.bench_peers", *arguments]
        return subprocess.run(again, env=os.environ | SINGLE).returncode
    if "--page" in arguments:
        return written(json.loads(FILE.read_text(encoding="utf-8")))
    quick = "--quick" in arguments
    document = {
        "state": {
            "date": datetime.now(UTC).date().isoformat(),
            "processor": processor(),
            "python": platform.python_version(),
            "libraries": {name: version(name) for name in LIBRARIES},
        },
        "descent": descent(0.01 if quick else 1.0),
        "fits": fits(2 if quick else SETS),
        "besides": besides(0.01 if quick else 1.0),
    }
    if quick:
        return exit_code(document)
    FILE.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    return written(document)


def written(document: dict[str, Any]) -> int:
    """Write page and drawing."""
    DOCUMENT.write_text(rendered(document), encoding="utf-8")
    DRAWING.write_text(drawing(document), encoding="utf-8")
    return exit_code(document)


def exit_code(document: dict[str, Any]) -> int:
    """Name the bars that are missed; 1 if there are any."""
    bars = missed(document)
    print("\n".join(f"MISSED {one}" for one in bars) or "All bars are met.")
    return min(len(bars), 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
