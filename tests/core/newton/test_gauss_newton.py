"""The structured Gauss-Newton iterations against dense ones, and what they promise."""

import numpy as np
import pytest

from core.methods import METHODS
from core.methods.damped import Damped
from core.model.loss import mean_loss
from core.newton.steps import Place, find_step
from core.squares.chain import ascending
from core.types import FloatArray
from tests.core.newton.dense import Dense
from tests.problems import DEGENERATE, Problem, random_problem

NAMES = ("gauss_newton", "structured", "varpro")
CASES = [
    random_problem(seed, m, n, weighted=seed % 3 == 0)
    for seed, (m, n) in enumerate([(40, 4), (60, 6), (100, 8), (80, 5), (50, 3), (120, 10), (70, 7), (90, 2)])
]


def dense(name: str, p: Problem) -> Dense:
    method = METHODS[name]()
    assert isinstance(method, Damped)
    state = method.init(p.data, p.b, p.c)
    return Dense(
        p, state["b"], state["c"], state["pin"], float(state["damping"]), 2.0, *method.kind
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(len(CASES)))
@pytest.mark.parametrize("name", NAMES)
def test_fifty_iterations_agree_with_dense_ones(name: str, seed: int) -> None:
    p = CASES[seed]
    method, data, reference = METHODS[name](), p.data, dense(name, p)
    state = method.init(data, p.b, p.c)
    for iteration in range(1, 51):
        went = method.advance(data, state, float(iteration), stop_at_change=False)
        if (
            went.outcome is not None
            or not reference.iterate()
            or (name == "structured" and reference.condition() > 1e4)
        ):
            break
        state = went.state
        scale = 1.0 + max(np.abs(reference.b).max(), np.abs(reference.c).max())
        assert np.abs(state["b"] - reference.b).max() <= 1e-8 * scale, iteration
        assert np.abs(state["c"] - reference.c).max() <= 1e-8 * scale, iteration
        assert (state["pin"] == reference.pin).all()
    assert iteration >= 5


def step_of(p: Problem, damping: float, alone: bool) -> tuple[FloatArray, FloatArray]:
    """The step, and the one that a dense solution has."""
    place = Place(p.b.copy(), p.c.copy(), ascending(p.b), np.full(len(p.b), -1, dtype=np.int64))
    step = find_step(p.data.points, p.data.s, place, damping, alone)
    reference = Dense(p, p.b, p.c, place.pin, damping, 2.0, False, alone)
    j = reference.jacobian()
    r = np.sqrt(p.data.s * p.data.w) * reference.residual(p.b, p.c)
    rows = np.vstack([j, np.sqrt(step.damping) * np.eye(j.shape[1])])
    d = np.linalg.lstsq(rows, np.concatenate([-r, np.zeros(j.shape[1])]), rcond=None)[0]
    return step.change.ravel(), d


@pytest.mark.parametrize("alone", [False, True])
@pytest.mark.parametrize("name", DEGENERATE)
def test_a_step_from_anywhere_is_the_dense_one(name: str, alone: bool) -> None:
    p = DEGENERATE[name]
    scale = float(np.abs(p.c).max() ** 2 + np.ptp(p.x) ** 2)
    for part in (1e-6, 1e-2, 1e2):
        ours, theirs = step_of(p, part * scale, alone)
        np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-9 * (1.0 + np.abs(theirs).max()))


@pytest.mark.parametrize("name", NAMES)
def test_the_loss_never_rises_and_ends_on_its_floor_where_it_rests(name: str) -> None:
    """At rest the loss is the floor of its pattern: no slow rate is left."""
    p = random_problem(1, 100, 6)
    method, data = METHODS[name](), p.data
    state = method.init(data, p.b, p.c)
    loss = mean_loss(data, state["b"], state["c"])
    for iteration in range(1, 200):
        went = method.advance(data, state, float(iteration), stop_at_change=False)
        state = went.state
        after = mean_loss(data, state["b"], state["c"])
        assert after <= loss * (1.0 + 1e-12)
        loss = after
        if went.outcome is not None:
            break
    assert loss < 0.9 * mean_loss(data, p.b, p.c)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("scale", [1e-9, 1e9])
def test_other_units_of_y(name: str, scale: float) -> None:
    """Where c is no unknown of the step its units do not matter; elsewhere the loss falls all the same."""
    p = random_problem(2, 40, 5)
    other = Problem(p.x, p.y * scale, p.b, p.c * scale)
    method = METHODS[name]()
    state, there = method.init(p.data, p.b, p.c), method.init(other.data, other.b, other.c)
    state = method.advance(p.data, state, 20.0, stop_at_change=False).state
    there = method.advance(other.data, there, 20.0, stop_at_change=False).state
    assert np.isfinite(there["b"]).all() and np.isfinite(there["c"]).all()
    ours, theirs = mean_loss(p.data, state["b"], state["c"]), mean_loss(other.data, there["b"], there["c"])
    assert theirs <= scale**2 * mean_loss(p.data, p.b, p.c)
    if name == "structured":
        assert theirs == pytest.approx(scale**2 * ours, rel=1e-6)
