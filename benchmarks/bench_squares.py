"""Least squares, ANLS and ANLS+ against dense linear algebra and against variable projection, in one run.

Times are processor seconds, single-threaded. Brute force solves a dense
least-squares problem per candidate (numpy's lstsq, an SVD, as the paper's
minimum-norm solution asks for); it is timed on a sample of the candidates.
"""

from collections.abc import Callable
from time import process_time

import numpy as np
from scipy.optimize import least_squares

from benchmarks.bars import verdict
from core.config.run_config import RunConfig
from core.least_squares.chain import ascending
from core.least_squares.solve import coefficients, least_loss
from core.methods.anls.iteration import anls
from core.methods.anls.table import candidate_table
from core.methods.ls_gd import LeastSquaresGradientDescent
from core.methods.parameters import OFFSET
from core.problem.data import TrainingData
from core.rivals.anls_plus.plus import anls_plus
from core.types import FloatArray
from reproduction.measures.cod import design

SAMPLE = 12
"""Candidates that brute force is timed on."""

SCRATCH_BARS = {(10, 100): 50.0, (100, 500): 2_000.0, (300, 1000): 10_000.0}


def best_of(repeats: int, work: Callable[[], object]) -> float:
    """The least processor time of several runs."""
    least = np.inf
    for _ in range(repeats):
        start = process_time()
        work()
        least = min(least, process_time() - start)
    return float(least)


def problem(width: int, points: int) -> tuple[TrainingData, FloatArray]:
    """f2 with uniform data, and a He start; beyond the limits of a run, too."""
    rng = np.random.default_rng([1, width, points])
    x = np.unique(rng.uniform(-1.0, 1.0, points))
    y = np.where(x > 0.0, 1.0 + 0.5 * x * np.cos(15.0 * np.pi * x), 0.5 * np.sin(5.0 * np.pi * x))
    return TrainingData(x, y), rng.normal(0.0, np.sqrt(2.0), width)


def brute_force_seconds(data: TrainingData, b: FloatArray) -> float:
    """One iteration of ANLS, a dense solve for each candidate."""
    table = candidate_table(data, b)
    sample = np.linspace(0, len(table) - 1, min(SAMPLE, len(table))).astype(int)
    start = process_time()
    for i in sample:
        moved = b.copy()
        moved[table.neuron[i]] = table.position[i]
        a = design(data.x, moved)
        r = a @ np.linalg.lstsq(a, data.y, rcond=None)[0] - data.y
        float(r @ r)
    return (process_time() - start) * len(table) / len(sample)


def iteration_seconds(data: TrainingData, b: FloatArray) -> tuple[float, float]:
    """An iteration from scratch (sort, sweep, weigh all candidates, choose), and one within a run."""
    points = data.points

    def run(iterations: int) -> int:
        start = b.copy()
        return anls(points, start, ascending(start), OFFSET, iterations).done

    done = run(60)
    scratch = best_of(50, lambda: run(0))
    return scratch, (best_of(50, lambda: run(60)) - scratch) / done


def iterations() -> None:
    """An ANLS iteration against brute force."""
    for width, points in SCRATCH_BARS:
        data, b = problem(width, points)
        scratch, more = iteration_seconds(data, b)
        brute = brute_force_seconds(data, b)
        print(
            f"ANLS iteration n={width:4d} m={points:5d}: {scratch * 1e6:6.0f} µs from scratch, "
            f"{more * 1e6:5.1f} µs incrementally; lstsq per candidate {brute:7.3f} s: "
            f"{brute / scratch:8,.0f}x "
            f"{verdict(brute / scratch, SCRATCH_BARS[width, points], 'more')}",
            flush=True,
        )
        if width == 300:
            ratio = scratch / more
            print(f"  incremental against scratch: {ratio:.1f}x {verdict(ratio, 5.0, 'more')}")
    data, b = problem(1000, 100_000)
    scratch, more = iteration_seconds(data, b)
    print(
        f"ANLS iteration n=1000 m=100000: {scratch * 1e3:.2f} ms from scratch "
        f"{verdict(scratch * 1e3, 10.0, 'less')}, {more * 1e6:.0f} µs incrementally"
    )


def coefficients_and_hybrids() -> None:
    """Coefficients of least norm, and an iteration of LS/GD, against lstsq."""
    data, b = problem(300, 1000)
    coefficients(data, b)
    ours = best_of(50, lambda: coefficients(data, b))
    dense = best_of(3, lambda: np.linalg.lstsq(design(data.x, b), data.y, rcond=None))
    print(
        f"least-norm c n= 300 m= 1000: {ours * 1e6:.0f} µs; lstsq {dense * 1e3:.1f} ms: {dense / ours:,.0f}x "
        f"{verdict(dense / ours, 300.0, 'more')}"
    )
    hybrid = LeastSquaresGradientDescent()
    state = hybrid.init(data, b, np.zeros_like(b))
    hybrid.advance(data, state, 1.0, stop_at_change=False)
    seconds = best_of(5, lambda: hybrid.advance(data, state, 500.0, stop_at_change=False))
    print(f"LS/GD iteration n= 300 m= 1000: {seconds / 500.0 * 1e6:.0f} µs")


def runs() -> None:
    """Whole runs on f2, and the medians over 20 seeds."""
    losses, seconds = [], []
    for seed in range(20):
        config = RunConfig.from_query(f"target=f2&seed={seed}&method=anls")
        data, b = config.training_data(), config.initial()[0].copy()
        first, plus = b.copy(), b.copy()
        start = process_time()
        course = anls(data.points, b, ascending(b), OFFSET, 5000)
        middle = process_time()
        anls_plus(data.points, plus, OFFSET, 5000)
        seconds.append([middle - start, process_time() - middle])
        ends = course.history[99] / data.weight, course.total / data.weight
        losses.append([least_loss(data, first), *ends, least_loss(data, plus)])
    naive, hundred, last, best = np.median(losses, axis=0)
    one, other = np.median(seconds, axis=0)
    print(
        f"f2, 20 seeds, medians: LSQ {naive:.2g}, ANLS at 100 {hundred:.2g}, final {last:.2g}, "
        f"ANLS+ {best:.2g}"
    )
    print(f"  a whole ANLS run {one * 1e3:.1f} ms {verdict(one, 0.5, 'less')}, an ANLS+ run {other:.2f} s")


def against_variable_projection() -> None:
    """sin 5 pi x with 20 segments: scipy's least_squares over the knots, from evenly spread ones."""
    x = np.linspace(-1.0, 1.0, 500)
    data = TrainingData(x, np.sin(5.0 * np.pi * x))
    even = np.linspace(-1.0, 1.0, 20, endpoint=False) - 1e-3

    def miss(b: FloatArray) -> FloatArray:
        a = design(data.x, b)
        residual: FloatArray = a @ np.linalg.lstsq(a, data.y, rcond=None)[0] - data.y
        return residual

    start = process_time()
    projected = least_squares(miss, even)
    theirs, seconds = float(np.mean(projected.fun**2)), process_time() - start
    b = np.full(20, 2.0)  # from nothing: all dead
    start = process_time()
    reached = np.inf
    while True:
        settled, _ = anls_plus(data.points, b, OFFSET, 1)
        loss = least_loss(data, b)
        if loss <= theirs and reached == np.inf:
            reached = process_time() - start
        if settled:
            break
    whole = process_time() - start
    print(
        f"sin 5πx, 20 segments: variable projection {theirs:.4e} in {seconds * 1e3:.0f} ms; ANLS+ gets there "
        f"in {reached * 1e3:.0f} ms {verdict(reached * 1e3, round(seconds * 1e3), 'less')} "
        f"and ends at {loss:.4e} in {whole * 1e3:.0f} ms"
    )


def main() -> None:
    """Print the table."""
    iterations()
    coefficients_and_hybrids()
    runs()
    against_variable_projection()
