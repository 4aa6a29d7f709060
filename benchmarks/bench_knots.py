"""How far ANLS+ is from the proven optimum, on thirty small problems: tables in docs/rivals.md.

A problem has 20 to 60 data and 2 to 6 neurons: a wave, a jump beside a faster wave, or a kink that is no
hinge, without noise, with some and with much. `one run` is the median over twenty random starts, as a run of
the page has them; `best of four` are the fixed starts that the best known loss of larger problems comes from.
"""

from time import process_time
from typing import Any

import numpy as np

from benchmarks import rivals_file
from core.analysis.best_known import FEW_NEURONS, starts
from core.analysis.free_knots import free_knot_optimum
from core.config.run_config import RunConfig
from core.least_squares.solve import least_loss
from core.methods.parameters import OFFSET
from core.problem.data import TrainingData
from core.rivals.anls_plus.growth import beginning, grow
from core.rivals.anls_plus.plus import anls_plus
from core.types import FloatArray

PROBLEMS, RUNS = 30, 20
NAMES = ("wave", "jump", "kink")


def problem(seed: int) -> tuple[TrainingData, int]:
    """The data of one, and its width."""
    rng = np.random.default_rng(seed)
    points, width = int(rng.integers(20, 61)), int(rng.integers(2, 7))
    x = np.sort(rng.uniform(-1.0, 1.0, points))
    shapes = (
        np.sin((2.0 + seed % 4) * np.pi * x),
        np.where(x > 0.0, 1.0, 0.0) + 0.5 * x * np.cos(9.0 * x),
        np.abs(x - 0.2) ** 1.5,
    )
    noise = (0.0, 0.05, 0.2)[seed // 10]
    return TrainingData(x, shapes[seed % 3] + rng.normal(0.0, noise, points)), width


def descended(data: TrainingData, b: FloatArray) -> float:
    """Where ANLS+ ends."""
    anls_plus(data.points, b, OFFSET, 3_000)
    return least_loss(data, b)


def widths() -> dict[str, Any]:
    """The least loss for each number of neurons: what adaptive width finds on its way, and the optimum."""
    names = {"sin πx": "f1", "step": "step", "abs x": "abs", "sin πx, noise 0.2": "f1&noise=0.2"}
    most = FEW_NEURONS
    rows: dict[str, Any] = {}
    for name, target in names.items():
        data = RunConfig.from_query(f"target={target}&points=60&sampling=equidistant").training_data()
        now, move = grow(data.points, beginning(np.zeros(most)), OFFSET, 1e-3)
        while move is not None:
            now, move = grow(data.points, now, OFFSET, 1e-3)
        cells: list[tuple[float, float] | None] = []
        for k in range(1, most + 1):
            loss = float(now.losses[k]) / data.weight
            least = free_knot_optimum(data, k, loss).loss if np.isfinite(loss) else 0.0
            gap = loss / least - 1.0 if least > 1e-20 else 0.0
            cells.append((loss, gap) if np.isfinite(loss) else None)
        rows[name] = cells
    return rows


def main() -> None:
    """The thirty, and the medians; then the widths."""
    rows, seconds = [], []
    for seed in range(PROBLEMS):
        data, width = problem(seed)
        four = min(descended(data, b) for b in starts(data, width))
        normal = np.random.default_rng([seed, 1]).normal(0.0, np.sqrt(2.0), (RUNS, width))
        one = float(np.median([descended(data, b) for b in normal]))
        start = process_time()
        optimum = free_knot_optimum(data, width, four)
        seconds.append(process_time() - start)
        assert optimum.proven
        name = f"{NAMES[seed % 3]}, {('no', 'little', 'much')[seed // 10]} noise"
        gaps = {"one": one / optimum.loss - 1.0, "four": four / optimum.loss - 1.0}
        rows.append({"problem": name, "data": data.m, "neurons": width, "optimum": optimum.loss, **gaps})
        print(f"{rows[-1]} {seconds[-1]:.2f} s", flush=True)
    print(f"median {np.median(seconds):.3f} s, at most {max(seconds):.2f} s")
    rivals_file.keep("knots", {"problems": rows, "widths": widths()})
