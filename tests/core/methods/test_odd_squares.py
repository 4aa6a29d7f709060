"""The least-squares methods on problems that nobody would ask for: none crashes, rises or hangs."""

import numpy as np
import pytest

from core import theory
from core.least_squares.solve import solve
from core.methods import METHODS
from core.model.loss import mean_loss
from core.model.pattern import Pattern
from core.problem.data import TrainingData
from core.types import FloatArray
from reproduction.measures.cod import design
from tests.effort import cases

METHOD_NAMES = ("lsq", "ls_gd", "ls_adam", "anls", "anls_plus")


def odd_x(rng: np.random.Generator) -> FloatArray:
    """Two points to sixty: spread, in pairs 1e-9 or one unit in the last place apart, even, piling up."""
    m = int(rng.choice([2, 2, 3, 5, 8, 20, 60]))
    x = np.sort(rng.uniform(0.0, 1.0, m))
    kind = int(rng.integers(5))
    if kind == 1:
        x = np.concatenate([x, x[: m // 2 + 1] + 1e-9])
    elif kind == 2:
        x = np.concatenate([x, np.nextafter(x[: m // 2 + 1], 2.0)])
    elif kind == 3:
        x = np.linspace(0.0, 1.0, m)
    elif kind == 4:
        x = 10.0 ** -rng.uniform(0.0, 12.0, m)
    span = 10.0 ** rng.choice([-6, -3, 0, 0, 0, 3, 6])
    return np.unique(rng.choice([0.0, 0.0, -1.0, 1e3]) * span + span * x)


def odd_problem(seed: int) -> tuple[TrainingData, FloatArray]:
    rng = np.random.default_rng([99, seed])
    x = odd_x(rng)
    m, low, span = len(x), x[0], x[-1] - x[0]
    part = (x - low) / span
    shapes = [rng.normal(size=m), np.ones(m), np.zeros(m), np.sin(5.0 * part), part + rng.choice([0, 1, -7])]
    y = 10.0 ** rng.choice([-9, -3, 0, 0, 3, 9]) * shapes[int(rng.integers(5))]
    w = rng.integers(1, 5, m).astype(float) if rng.random() < 0.3 else np.ones(m)
    n = int(rng.choice([1, 1, 2, 4, 9, 30, 70]))
    b = low + span * rng.normal(0.5, 1.0, n)
    places = [
        b,
        rng.choice(x, n),
        np.full(n, x[-1] + span),
        np.where(rng.random(n) < 0.5, b, low - span * 10.0 ** rng.uniform(-9.0, 3.0, n)),
        rng.choice(b, n) + 1e-13 * span * rng.integers(-3, 4, n),
        np.where(rng.random(n) < 0.5, rng.choice(x, n) - 1e-8 * rng.random(n), b),
        low + span * rng.uniform(-1e7, 1e7, n),
    ]
    return TrainingData(x, y, w=w), places[int(rng.integers(7))]


def allowed(data: TrainingData, b: FloatArray, c: FloatArray, least: float) -> float:
    """By how much the loss may differ from the least: rounding of the evaluation and of y, and biases that
    count as one within 1e-12 of the span."""
    steepest = float(np.max(np.abs(np.cumsum(c[np.argsort(b, kind="stable")]))))
    error = 2.0**-50 * float(np.max(design(data.x, b) @ np.abs(c)))
    error += 1e-12 * (data.x[-1] - data.x[0]) * steepest + 1e-13 * float(np.max(np.abs(data.y)))
    return error * error + 2.0 * error * float(np.sqrt(least))


def check(seed: int, name: str) -> None:
    data, b = odd_problem(seed)
    method = METHODS[name](**({"learning_rate": 1.0} if name.startswith("ls_") and seed % 2 else {}))
    state = method.init(data, b, np.zeros_like(b))
    previous = mean_loss(data, state["b"], state["c"])
    for step in range(40):
        until = float(state["epoch"]) + (1.0 if step < 30 else 1000.0)
        result = method.advance(data, state, until, stop_at_change=bool(step % 2))
        state = result.state
        loss = mean_loss(data, state["b"], state["c"])
        assert np.isfinite(state["b"]).all() and np.isfinite(state["c"]).all()
        assert np.isfinite(loss)
        assert np.isfinite(theory.floor(data, Pattern(state["gap"], state["pin"])))
        least = solve(data, state["b"]).loss
        slack = allowed(data, state["b"], state["c"], least)
        assert abs(loss - least) <= 1e-6 * least + slack
        if name.startswith("anls"):
            assert loss <= previous * (1.0 + 1e-7) + slack
        previous = loss
        if result.met is not None:
            break


@pytest.mark.parametrize("name", METHOD_NAMES)
def test_odd_problems(name: str) -> None:
    for seed in range(60):
        check(seed, name)


@pytest.mark.slow
@pytest.mark.parametrize("name", METHOD_NAMES)
@pytest.mark.parametrize("block", range(cases(3, of=12)))
def test_many_odd_problems(block: int, name: str) -> None:
    for seed in range(60 + 200 * block, 260 + 200 * block):
        check(seed, name)


@pytest.mark.parametrize("name", METHOD_NAMES)
def test_data_one_unit_in_the_last_place_apart(name: str) -> None:
    data = TrainingData(np.array([0.4, 0.4000000000000001, 0.5]), np.array([0.5, 0.2, 0.7]))
    for b in ([0.1, 0.6], [0.6, 0.6], [0.4, 0.45], [0.4, 0.4000000000000001], [-1e7, 0.2]):
        method = METHODS[name]()
        state = method.init(data, np.array(b), np.zeros(2))
        for _ in range(30):
            result = method.advance(data, state, float(state["epoch"]) + 1.0, stop_at_change=False)
            state = result.state
            assert np.isfinite(mean_loss(data, state["b"], state["c"]))
            if result.met is not None:
                break
