"""LS/GD and LS/Adam against a dense loop with lstsq, and the telling of crossings and pins."""

from itertools import pairwise

import numpy as np
import pytest

from core.config.run_config import RunConfig
from core.methods.contract import Advance, Method, State
from core.methods.ls_adam import LeastSquaresAdam
from core.methods.ls_gd import LeastSquaresGradientDescent
from core.problem.data import TrainingData
from core.types import FloatArray
from tests.problems import DEGENERATE

RATES = {"ls_gd": 0.05, "ls_adam": 0.01}


def hybrid(method: str, learning_rate: float) -> Method:
    if method == "ls_gd":
        return LeastSquaresGradientDescent(learning_rate=learning_rate)
    return LeastSquaresAdam(learning_rate=learning_rate)


def dense(data: TrainingData, b: FloatArray, adaptive: bool, epochs: int, rate: float = 1e-3) -> FloatArray:
    """The biases after some iterations, as Cyr et al. describe them."""
    b = b.copy()
    first, second = np.zeros_like(b), np.zeros_like(b)
    for t in range(1, epochs + 1):
        a = np.maximum(data.x[:, None] - b, 0.0)
        c = np.linalg.lstsq(a, data.y, rcond=1e-12)[0]
        r = a @ c - data.y
        gradient = -(2.0 / data.m) * c * ((data.x[:, None] > b) * r[:, None]).sum(axis=0)
        if adaptive:
            first = 0.9 * first + 0.1 * gradient
            second = 0.999 * second + 0.001 * gradient**2
            b -= rate * (first / (1 - 0.9**t)) / (np.sqrt(second / (1 - 0.999**t)) + 1e-8)
        else:
            b -= rate * gradient
    return b


def run(data: TrainingData, b: FloatArray, method: str, epochs: float, learning_rate: float) -> State:
    trained = hybrid(method, learning_rate)
    state = trained.init(data, b, np.zeros_like(b))
    while state["epoch"] < epochs:
        result = trained.advance(data, state, epochs, stop_at_change=False)
        state = result.state
        if result.met is not None:
            break
    return state


@pytest.mark.parametrize("method", ["ls_gd", "ls_adam"])
@pytest.mark.parametrize("seed", range(4))
def test_iterates_are_those_of_the_dense_loop(method: str, seed: int) -> None:
    """Away from doubtful ranks; Adam divides by the gradient, so where that is rounding it may differ."""
    config = RunConfig.from_query(f"target=f1&points=60&width=6&seed={seed}&method={method}")
    data, b = config.training_data(), config.initial()[0]
    rate = 1e-2 if method == "ls_gd" else 1e-3
    state = run(data, b, method, 400.0, learning_rate=rate)
    expected = dense(data, b, method == "ls_adam", 400, rate)
    a = np.maximum(data.x[:, None] - state["b"], 0.0)
    fit = a @ state["c"] - data.y
    other = np.maximum(data.x[:, None] - expected, 0.0)
    best = other @ np.linalg.lstsq(other, data.y, rcond=1e-12)[0] - data.y
    if method == "ls_gd":
        np.testing.assert_allclose(state["b"], expected, rtol=0.0, atol=1e-9)
    assert float(fit @ fit) == pytest.approx(float(best @ best), rel=1e-6)


@pytest.mark.parametrize("method", ["ls_gd", "ls_adam"])
@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_problems_run(method: str, name: str) -> None:
    problem = DEGENERATE[name]
    state = run(problem.data, problem.b, method, 300.0, learning_rate=1e-2)
    assert np.isfinite(state["b"]).all()
    assert np.isfinite(state["c"]).all()


def stepwise(data: TrainingData, b: FloatArray, method: str, epochs: int) -> list[Advance]:
    trained = hybrid(method, RATES[method])
    results = [Advance(trained.init(data, b, np.zeros_like(b)))]
    for epoch in range(1, epochs + 1):
        result = trained.advance(data, results[-1].state, float(epoch), stop_at_change=True)
        results.append(result)
        if result.met is not None:
            break
    return results


@pytest.mark.parametrize("method", ["ls_gd", "ls_adam"])
def test_changes_tell_every_change_of_the_pattern(method: str) -> None:
    config = RunConfig.from_query("target=sin5&points=60&width=14&seed=2&method=ls_gd")
    data, b = config.training_data(), config.initial()[0]
    results = stepwise(data, b, method, 600)
    kinds = set()
    for before, after in pairwise(results):
        old, new = before.state, after.state
        pinned = new["pin"] >= 0
        np.testing.assert_array_equal(new["gap"][pinned], new["pin"][pinned] + 1)
        raw = np.searchsorted(data.x, new["b"], side="right")
        np.testing.assert_array_equal(new["gap"][~pinned], raw[~pinned])
        changed = (old["gap"] != new["gap"]) | (old["pin"] != new["pin"])
        told = {change.neuron for change in after.changes}
        assert set(np.flatnonzero(changed).tolist()) <= told
        assert after.stages == (1 if told else 0)
        for change in after.changes:
            kinds.add(change.kind)
            if change.kind == "pinned":
                assert new["pin"][change.neuron] == change.datum
    assert {"crossed", "pinned"} <= kinds


@pytest.mark.parametrize("method", ["ls_gd", "ls_adam"])
def test_the_way_may_be_cut_anywhere(method: str) -> None:
    config = RunConfig.from_query("target=sin5&points=80&width=20&seed=5&method=ls_gd")
    data, b = config.training_data(), config.initial()[0]
    cut = stepwise(data, b, method, 150)
    trained = hybrid(method, RATES[method])
    whole = trained.advance(data, cut[0].state, 150.0, stop_at_change=False)
    assert whole.stages == sum(result.stages for result in cut)
    for key, value in whole.state.items():
        np.testing.assert_array_equal(value, cut[-1].state[key], err_msg=key)


def test_a_pinned_neuron_is_pushed_back_from_both_sides() -> None:
    config = RunConfig.from_query("target=sin5&points=60&width=14&seed=2&method=ls_gd")
    data, b = config.training_data(), config.initial()[0]
    seen = 0
    for result in stepwise(data, b, "ls_gd", 600):
        state = result.state
        r = np.maximum(data.x[:, None] - state["b"], 0.0) @ state["c"] - data.y
        for j in np.flatnonzero(state["pin"] >= 0):
            k = int(state["pin"][j])
            beyond = float(r[k + 1 :].sum())
            slack = 1e-12 * abs(float(state["c"][j]))
            assert state["c"][j] * beyond <= slack
            assert state["c"][j] * (beyond + r[k]) >= -slack
            seen += 1
    assert seen > 0
