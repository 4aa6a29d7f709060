"""The structured Gauss-Newton iterations against dense ones, and what they promise."""

import numpy as np
import pytest

from core.methods import METHODS
from core.methods.contract import State
from core.model.loss import mean_loss
from core.model.pattern import Pattern
from core.rivals.damped.method import Damped
from core.theory.stationarity import stationarity
from tests.core.rivals.dense import Dense
from tests.problems import DEGENERATE, Problem, random_problem

NAMES = ("gauss_newton", "sggn", "varpro")
CASES = [
    random_problem(seed, m, n, weighted=seed % 3 == 0)
    for seed, (m, n) in enumerate([(20, 4), (30, 6), (30, 8), (25, 5), (36, 9), (40, 10), (24, 7), (32, 12)])
]


def dense(method: Damped, p: Problem, state: State) -> Dense:
    """The reference in this state."""
    b, c, pin, leaving = (np.array(state[key]) for key in ("b", "c", "pin", "leaving"))
    damping, growth = float(state["damping"]), float(state["growth"])
    return Dense(p, b, c, pin, leaving, damping, growth, method.kind.projected, method.kind.biases_alone)


def method_named(name: str) -> Damped:
    method = METHODS[name]()
    assert isinstance(method, Damped)
    return method


def distance(state: State, reference: Dense) -> float:
    """Of the networks, as a part of the largest number in them."""
    scale = 1.0 + max(np.abs(reference.b).max(), np.abs(reference.c).max())
    apart = max(np.abs(state["b"] - reference.b).max(), np.abs(state["c"] - reference.c).max())
    return float(apart / scale)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(len(CASES)))
@pytest.mark.parametrize("name", NAMES)
def test_fifty_iterations_agree_with_dense_ones(name: str, seed: int) -> None:
    """All of them, or all up to where both have come to rest."""
    p, method = CASES[seed], method_named(name)
    data = p.data
    state = method.init(data, p.b, p.c)
    reference = dense(method, p, state)
    for iteration in range(1, 51):
        went = method.advance(data, state, float(iteration), stop_at_change=False)
        assert reference.iterate() == (went.met is None)
        if went.met is not None:
            break
        state = went.state
        assert distance(state, reference) <= 1e-8, iteration
        assert (state["pin"] == reference.pin).all()
        assert (state["leaving"] == reference.leaving).all()
    assert iteration >= 3


@pytest.mark.parametrize("p", DEGENERATE)
@pytest.mark.parametrize("name", NAMES)
def test_a_step_from_anywhere_is_the_dense_one(name: str, p: str) -> None:
    """From every state on the way, since here it is often so singular that small things grow."""
    method, problem = method_named(name), DEGENERATE[p]
    data = problem.data
    state = method.init(data, problem.b, problem.c)
    for iteration in range(1, 11):
        reference = dense(method, problem, state)
        went = method.advance(data, state, float(iteration), stop_at_change=False)
        if went.met is not None:
            break
        reference.iterate()
        state = went.state
        assert distance(state, reference) <= 1e-8, iteration


@pytest.mark.parametrize("name", NAMES)
def test_the_loss_never_rises_and_it_rests_where_nothing_can_be_gained(name: str) -> None:
    """At rest the residual is orthogonal to all that the pattern lets change: no slow rate is left."""
    p = random_problem(1, 60, 6)
    method, data = METHODS[name](), p.data
    state = method.init(data, p.b, p.c)
    loss = mean_loss(data, state["b"], state["c"])
    for iteration in range(1, 1001):
        went = method.advance(data, state, float(iteration), stop_at_change=False)
        state = went.state
        after = mean_loss(data, state["b"], state["c"])
        assert after <= loss
        loss = after
        if went.met is not None:
            break
    measured = stationarity(data, Pattern(state["gap"], state["pin"]), state["b"], state["c"])
    assert went.met is not None
    assert measured.residual <= 1e-8 * loss
    assert measured.violation <= 1e-4 * np.sqrt(loss)


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
    if name == "sggn":
        assert theirs == pytest.approx(scale**2 * ours, rel=1e-6)
