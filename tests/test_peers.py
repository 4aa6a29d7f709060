"""The page on other libraries is made from what was measured."""

import json

import numpy as np
import pytest

from benchmarks import bench_peers
from benchmarks.bench_peers import NEURONS, POINTS, SETS, data_set, exit_code, missed, rendered


@pytest.fixture
def document() -> dict[str, object]:
    """Measured numbers, as a run writes them."""
    times = {"ours": 1e-9, "NumPy": 1e-5, "JAX": 1e-6, "PyTorch": 1e-4}
    row = {
        "bends": 6,
        "ours": [1.0, 0.1],
        "pwlf fit": [1.0, 6.0],
        "pwlf fitfast": [2.0, 1.0],
        "SciPy": [2.0, 0.5],
    }
    state = {"date": "2026-11-18", "processor": "a processor", "python": "3.11", "libraries": {"jax": "0.10"}}
    return {
        "state": state,
        "descent": dict.fromkeys(bench_peers.TARGETS, times),
        "fits": [row] * SETS,
        "besides": dict.fromkeys((*bench_peers.TARGETS, "fits"), 0.5),
    }


def test_bars_that_are_met_and_missed(
    document: dict[str, object], capsys: pytest.CaptureFixture[str]
) -> None:
    assert missed(document) == [] and exit_code(document) == 0
    slow = {"ours": 1e-7, "NumPy": 1e-5, "JAX": 1e-6, "PyTorch": 1e-4}
    worse = {
        "bends": 6,
        "ours": [1.1, 1.0],
        "pwlf fit": [1.0, 6.0],
        "pwlf fitfast": [2.0, 1.0],
        "SciPy": [2.0, 0.5],
    }
    other = {**document, "descent": dict.fromkeys(bench_peers.TARGETS, slow), "fits": [worse] * SETS}
    told = missed(other)
    assert len(told) == 5 and "10 times JAX, where 80 are wanted" in told[0] and "by 10 % at most" in told[3]
    assert "take 50 % of our time; without them it is 20 times" in told[0] and "about 12 times" in told[4]
    assert exit_code(other) == 1 and "MISSED" in capsys.readouterr().out


def test_the_page_is_made_from_the_file() -> None:
    if not bench_peers.FILE.exists():
        pytest.skip("nothing is measured yet")
    measured = json.loads(bench_peers.FILE.read_text(encoding="utf-8"))
    assert bench_peers.DOCUMENT.read_text(encoding="utf-8") == rendered(measured)
    assert len(measured["fits"]) == SETS
    assert all(measured["state"].get(name) for name in ("date", "processor", "python", "libraries"))


def test_data_sets_are_of_every_kind() -> None:
    sets = [data_set(seed) for seed in range(SETS)]
    assert {len(x) for x, _ in sets} == {POINTS}
    assert len({y.tobytes() for _, y in sets}) == SETS
    assert np.isfinite([y for _, y in sets]).all()


def test_ours_is_better_than_equal_distances() -> None:
    x, y = data_set(0)
    ours = bench_peers.by_ours(x, y)
    knots = np.linspace(-1.0, 1.0, NEURONS + 2)[1:-1]
    matrix = np.column_stack([np.ones_like(x), x, np.maximum(x[:, None] - knots, 0.0)])
    residual = y - matrix @ np.linalg.lstsq(matrix, y)[0]
    assert ours.loss < float(np.mean(residual**2))
    assert bench_peers.bends(ours, x) <= NEURONS
