"""The compiled epochs give the iterates of textbook full-batch training."""

from collections.abc import Callable

import numpy as np
import pytest

from core.methods import METHODS
from core.methods.adam.method import Adam
from core.methods.contract import Method, State
from core.methods.gd.method import GradientDescent
from core.rivals.momentum import Momentum
from core.rivals.nesterov import Nesterov
from core.types import FloatArray
from tests.core import naive
from tests.effort import cases
from tests.problems import DEGENERATE, FIVE, Problem, random_problem

Reference = Callable[
    [FloatArray, FloatArray, FloatArray, FloatArray, float, int], tuple[FloatArray, FloatArray]
]
TRAINERS: dict[str, Method] = {
    "gd": GradientDescent(learning_rate=0.02),
    "adam": Adam(learning_rate=0.02),
    "momentum": Momentum(learning_rate=0.01),
    "nesterov": Nesterov(learning_rate=0.01),
}
REFERENCES: dict[str, Reference] = {
    "gd": naive.descend,
    "adam": naive.adam,
    "momentum": naive.momentum,
    "nesterov": naive.nesterov,
}
EPOCHS = {"gd": 2_000, "adam": 2_000, "momentum": 200, "nesterov": 200}
"""As far as the comparison goes: with momentum 0.9 an epoch leads ten times as far."""

TEN = [
    random_problem(seed, m, n, sampling="uniform" if seed % 2 else "equidistant")
    for seed, (m, n) in enumerate(
        [(30, 5), (60, 40), (100, 10), (40, 13), (80, 20), (30, 40), (60, 10), (100, 13), (40, 5), (80, 40)]
    )
]


def run(method: str, p: Problem, epochs: int) -> State:
    """The state after so many epochs, whatever the outcome says on the way."""
    trainer = METHODS[method]()
    state = trainer.init(p.data, p.b, p.c)
    data = p.data
    while state["epoch"] < epochs:
        state = trainer.advance(data, state, epochs, stop_at_change=False).state
    return state


def difference(state: State, reference: tuple[FloatArray, FloatArray]) -> float:
    return float(max(np.abs(state["b"] - reference[0]).max(), np.abs(state["c"] - reference[1]).max()))


@pytest.mark.parametrize("method", REFERENCES)
@pytest.mark.parametrize("p", [*DEGENERATE.values(), FIVE], ids=[*DEGENERATE, "five"])
def test_degenerate_problems(method: str, p: Problem) -> None:
    reference = REFERENCES[method](p.x, p.y, p.b, p.c, 1e-3, EPOCHS[method])
    assert difference(run(method, p, EPOCHS[method]), reference) <= 1e-12


@pytest.mark.parametrize("method", REFERENCES)
@pytest.mark.parametrize("seed", range(10))
def test_random_problems(method: str, seed: int) -> None:
    p = TEN[seed]
    reference = REFERENCES[method](p.x, p.y, p.b, p.c, 1e-3, EPOCHS[method])
    assert difference(run(method, p, EPOCHS[method]), reference) <= 1e-12


@pytest.mark.slow
@pytest.mark.parametrize("p", [*TEN[: cases(4, of=10)], *DEGENERATE.values(), FIVE])
def test_descent_for_longer(p: Problem) -> None:
    assert difference(run("gd", p, 20_000), naive.descend(p.x, p.y, p.b, p.c, 1e-3, 20_000)) <= 1e-9


@pytest.mark.slow
def test_adam_for_longer_wherever_it_is_reproducible() -> None:
    """Once Adam's gradient is rounding noise its steps are noise too: then even the textbook disagrees
    with itself when it sums the data in another order, and there is nothing to be identical to."""
    reproducible = 0
    for seed, p in enumerate(TEN[: cases(5, of=10)]):
        shuffled = np.random.default_rng(seed).permutation(len(p.x))
        reference = naive.adam(p.x, p.y, p.b, p.c, 1e-3, 20_000)
        again = naive.adam(p.x[shuffled], p.y[shuffled], p.b, p.c, 1e-3, 20_000)
        if max(np.abs(u - v).max() for u, v in zip(reference, again, strict=True)) < 1e-10:
            reproducible += 1
            assert difference(run("adam", p, 20_000), reference) <= 1e-9
    assert reproducible >= cases(2, of=4)


@pytest.mark.parametrize("method", REFERENCES)
def test_a_domain_far_from_zero_is_no_worse(method: str) -> None:
    """The same problem moved by 1024, exactly: the same to the digits that b has left."""
    p = random_problem(3, 40, 13, sampling="equidistant")
    grid = np.round(p.x * 2**20) / 2**20
    start = np.round(p.b * 2**20) / 2**20
    here = run(method, Problem(grid, p.y, start, p.c), 500)
    there = run(method, Problem(grid + 1024.0, p.y, start + 1024.0, p.c), 500)
    np.testing.assert_allclose(there["b"] - 1024.0, here["b"], atol=1e-9)
    np.testing.assert_allclose(there["c"], here["c"], atol=1e-9)


@pytest.mark.parametrize("method", REFERENCES)
def test_cutting_the_way_changes_no_bit(method: str) -> None:
    p = random_problem(5, 40, 30)
    trainer = TRAINERS[method]
    data = p.data
    whole = trainer.advance(data, trainer.init(data, p.b, p.c), 700.0, stop_at_change=False)
    state, stages, epochs = trainer.init(data, p.b, p.c), 0, []
    rng = np.random.default_rng(0)
    while state["epoch"] < 700.0:
        until = min(700.0, float(state["epoch"]) + int(rng.integers(1, 40)))
        result = trainer.advance(data, state, until, stop_at_change=bool(rng.integers(2)))
        stages += result.stages
        epochs += [change.epoch for change in result.changes]
        state = result.state
    assert stages == whole.stages > 20
    assert epochs[-1] == whole.changes[-1].epoch
    assert state.keys() == whole.state.keys()
    for key in state:
        assert np.array_equal(state[key], whole.state[key]), key


@pytest.mark.parametrize("method", REFERENCES)
@pytest.mark.parametrize("seed", range(6))
def test_weights_are_repetitions(method: str, seed: int) -> None:
    """A datum of weight w acts like w equal data."""
    p = random_problem(seed, 30 + 10 * seed, 5 + 4 * seed, weighted=True)
    assert p.w is not None
    many = p.w.astype(int)
    x, y = np.repeat(p.x, many), np.repeat(p.y, many)
    reference = REFERENCES[method](x, y, p.b, p.c, 1e-3, EPOCHS[method])
    assert difference(run(method, p, EPOCHS[method]), reference) <= 1e-12
