"""The proven optimum: no network is better, and some network has it."""

import numpy as np
import pytest
from scipy.optimize import minimize

from core.anls.plus import anls_plus
from core.anls.rules import OFFSET
from core.problem.data import TrainingData
from core.squares.solve import least_loss
from core.theory.free_knots import free_knot_optimum
from tests.problems import random_problem


def problem(seed: int, m: int, noise: float) -> TrainingData:
    rng = np.random.default_rng(seed)
    x = np.sort(rng.uniform(-1.0, 1.0, m))
    return TrainingData(x, np.sin((2.0 + seed % 3) * np.pi * x) + rng.normal(0.0, noise, m))


@pytest.mark.parametrize("seed", range(6))
def test_many_descents_find_nothing_better_and_one_gets_there(seed: int) -> None:
    """Nelder and Mead's simplex over the biases, from every pair of gaps."""
    data = problem(seed, 9, 0.3)
    optimum = free_knot_optimum(data, 2)
    assert optimum.proven
    places = np.concatenate([[data.x[0] - 0.5], 0.5 * (data.x[1:] + data.x[:-1])])
    found = np.inf
    for one in range(len(places)):
        for other in range(one, len(places)):
            start = np.array([places[one] - 1e-3, places[other] + 1e-3])
            end = minimize(
                lambda b: least_loss(data, b), start, method="Nelder-Mead", options={"maxiter": 120}
            )
            found = min(found, float(end.fun))
    assert optimum.loss <= found * (1.0 + 1e-9)
    assert found <= optimum.loss * 1.02


@pytest.mark.parametrize("seed", range(4))
def test_anls_plus_is_never_below_it(seed: int) -> None:
    data = problem(seed, 30, 0.1)
    for width in (1, 3, 4):
        optimum = free_knot_optimum(data, width)
        assert optimum.proven
        for start in range(10):
            b = np.random.default_rng(start).uniform(-1.3, 1.0, width)
            anls_plus(data.points, b, OFFSET, 1_000)
            assert least_loss(data, b) >= optimum.loss * (1.0 - 1e-9)


def test_a_network_with_known_knots_is_found() -> None:
    """Data that three hinges fit exactly cost nothing."""
    x = np.linspace(-1.0, 1.0, 25)
    y = np.maximum(x[:, None] - np.array([-0.91, -0.33, 0.42]), 0.0) @ np.array([1.0, -2.0, 3.0])
    optimum = free_knot_optimum(TrainingData(x, y), 3)
    assert optimum.loss <= 1e-20


def test_weights_are_repetitions() -> None:
    p = random_problem(3, 12, 2, weighted=True)
    assert p.w is not None
    optimum = free_knot_optimum(p.data, 2)
    b = np.array([-0.5, 0.2])
    anls_plus(p.data.points, b, OFFSET, 100)
    assert optimum.proven and optimum.loss <= least_loss(p.data, b) * (1.0 + 1e-12)
