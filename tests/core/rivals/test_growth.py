"""Adaptive width: every decision against dense least squares, and what the curve over widths promises."""

import numpy as np
import pytest

from core.analysis.free_knots import free_knot_optimum
from core.config.run_config import RunConfig
from core.methods.parameters import OFFSET
from core.problem.data import TrainingData
from core.rivals.anls_plus.growth import BETTER, Growth, beginning, grow, used
from core.rivals.anls_plus.insertion import room
from core.rivals.anls_plus.plus import ADDED, CHEAP, CLEARED, REMOVED, RESTORED, anls_plus
from core.run.train import Training
from core.types import FloatArray
from tests.problems import DEGENERATE, random_problem

LEAST_GAIN = 1e-3


def dense(data: TrainingData, b: FloatArray) -> float:
    """The least sum of w r^2, by numpy."""
    root = np.sqrt(data.w)
    matrix = root[:, None] * np.maximum(data.x[:, None] - b, 0.0)
    c = np.linalg.lstsq(matrix, root * data.y, rcond=1e-13)[0]
    return float(np.sum((root * data.y - matrix @ c) ** 2))


def check_decision(data: TrainingData, now: Growth, then: Growth, kind: int | None) -> None:
    """What is done where no move of ANLS+ helps is what weighing all neurons and all gaps anew tells."""
    seen = used(data.x, now.b)
    count, total = len(seen), dense(data, now.b)
    slack = 1e-9 * float(now.losses[0])
    fewer = min((dense(data, np.delete(now.b, j)) for j in seen), default=np.inf)
    could_remove = count > 1 and fewer < (1.0 - BETTER) * now.losses[count - 1]
    places = [room(data.x, j) for j in range(data.m)]
    more = min(dense(data, np.append(now.b, q)) for q in places if not np.isnan(q))
    if kind == REMOVED:
        assert dense(data, then.b) <= fewer + slack
        assert fewer < (1.0 - BETTER) * now.losses[count - 1] + slack
        assert len(used(data.x, then.b)) == count - 1
        return
    assert not could_remove or fewer > (1.0 - BETTER) * now.losses[count - 1] - slack
    if kind == ADDED:
        assert dense(data, then.b) <= more + slack
        assert total - dense(data, then.b) > LEAST_GAIN * total - slack
        assert len(used(data.x, then.b)) == count + 1
        return
    assert count == len(now.b) or total - more <= LEAST_GAIN * total + slack
    if kind == RESTORED:
        np.testing.assert_array_equal(then.b, now.kept)
        assert dense(data, then.b) < total + slack


@pytest.mark.parametrize("seed", range(8))
def test_every_decision_is_that_of_dense_least_squares(seed: int) -> None:
    p = random_problem(seed, 24, 6, weighted=seed % 2 == 1)
    data = p.data
    now, done = beginning(p.b), set()
    for _ in range(1_000):
        then, move = grow(data.points, now, OFFSET, LEAST_GAIN)
        kind = None if move is None else move.kind
        done.add(kind)
        if kind is None or CHEAP < kind < CLEARED:
            b = now.b[used(data.x, now.b)]
            assert b.size == 0 or anls_plus(data.points, b, OFFSET, 1)[1] == []
            check_decision(data, now, then, kind)
        if move is None:
            break
        now = then
    assert {ADDED, None} <= done
    count = len(used(data.x, then.b))
    assert dense(data, then.b) == pytest.approx(then.losses[count], rel=1e-9)
    assert np.all(np.diff(then.losses[: count + 1]) < 0.0)


def test_neurons_are_taken_away_and_networks_come_back() -> None:
    """Over some problems; else half of the rules would go untested."""
    kinds = set()
    for seed in range(40):
        p = random_problem(seed, 40, 8)
        data = p.data
        now, move = grow(data.points, beginning(p.b), OFFSET, LEAST_GAIN)
        while move is not None:
            kinds.add(move.kind)
            now, move = grow(data.points, now, OFFSET, LEAST_GAIN)
    assert {ADDED, REMOVED, RESTORED} <= kinds


@pytest.mark.parametrize("seed", range(4))
def test_the_curve_is_never_below_the_proven_one(seed: int) -> None:
    p = random_problem(seed, 30, 4)
    data = p.data
    now, move = grow(data.points, beginning(p.b), OFFSET, LEAST_GAIN)
    while move is not None:
        now, move = grow(data.points, now, OFFSET, LEAST_GAIN)
    for width in range(1, 5):
        if np.isfinite(now.losses[width]):
            loss = float(now.losses[width]) / data.weight
            assert loss >= free_knot_optimum(data, width, loss).loss * (1.0 - 1e-8)


@pytest.mark.parametrize(("target", "needed"), [("step", 2), ("abs", 3), ("x", 2), ("0*x", 0)])
def test_how_many_neurons_a_target_needs(target: str, needed: int) -> None:
    training = Training(RunConfig.from_query(f"target={target}&method=adaptive_width&width=10"))
    frames = []
    while training.outcome is None:
        frames += training.step()
    assert len(used(training.data.x, frames[-1].b)) == needed
    assert frames[-1].loss <= 1e-25
    assert training.outcome.kind == "settled"
    assert training.outcome.sentence.startswith(f"{needed} of 10 neurons are enough")


@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_problems_end(name: str) -> None:
    p = DEGENERATE[name]
    now, move = grow(p.data.points, beginning(p.b), OFFSET, LEAST_GAIN)
    count = 0
    while move is not None and count < 500:
        now, move = grow(p.data.points, now, OFFSET, LEAST_GAIN)
        count += 1
    assert move is None
