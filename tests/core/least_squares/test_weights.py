"""A datum of weight w is a datum given w times: against dense algebra with repeated rows, and 60 digits."""

import numpy as np
import pytest
from numpy.typing import NDArray

from core import theory
from core.least_squares.chain import ascending, open_chain, open_knots
from core.least_squares.solve import least_loss, solve
from core.methods.anls.table import candidate_table
from core.methods.ls_adam import LeastSquaresAdam
from core.methods.ls_gd import LeastSquaresGradientDescent
from core.model.loss import mean_loss
from core.model.pattern import pattern_of
from core.problem.data import TrainingData
from core.rivals.anls_plus.insertion import best_insertion, removal_costs
from core.types import FloatArray
from reproduction.measures.cod import design
from tests.core import dense
from tests.core.cases import random_case
from tests.core.exact import exact_least, exact_min_norm


class Repeated:
    """A random case with weights, and the same with its data repeated."""

    def __init__(self, seed: int, largest_m: int = 9, largest_n: int = 6) -> None:
        case = random_case(seed, largest_m, largest_n)
        count: NDArray[np.int64] = np.random.default_rng([5, seed]).integers(1, 5, len(case.x))
        self.b = case.b
        self.data = TrainingData(case.x, case.y, w=count.astype(float))
        self.x, self.y = np.repeat(case.x, count), np.repeat(case.y, count)
        self.scale = float(self.y @ self.y)

    def least(self, b: FloatArray) -> float:
        return exact_least(self.x, self.y, b)


@pytest.mark.parametrize("block", range(4))
def test_coefficients_rank_and_loss(block: int) -> None:
    for seed in range(20 * block, 20 * block + 20):
        case = Repeated(seed)
        found = solve(case.data, case.b)
        expected, rank = exact_min_norm(case.x, case.y, case.b)
        assert found.rank == rank
        assert np.max(np.abs(found.c - expected)) <= 1e-7 * np.max(np.abs(expected), initial=0.0)
        assert abs(found.loss * case.data.weight - case.least(case.b)) <= 1e-13 * case.scale


def test_coefficients_against_lstsq_with_repeated_rows() -> None:
    for seed in range(0, 400, 8):
        case = Repeated(seed, 40, 8)
        a = design(case.x, case.b)
        expected, _, _, sigma = np.linalg.lstsq(a, case.y, rcond=1e-12)
        if sigma[0] > 0.0 and np.all((sigma / sigma[0] < 1e-14) | (sigma / sigma[0] > 1e-5)):
            np.testing.assert_allclose(solve(case.data, case.b).c, expected, rtol=1e-7, atol=1e-8)


def test_candidates() -> None:
    for seed in range(40):
        case = Repeated(seed)
        table = candidate_table(case.data, case.b)
        assert abs(table.loss * case.data.weight - case.least(case.b)) <= 1e-12 * case.scale
        for j, q, loss in zip(table.neuron, table.position, table.candidate_loss, strict=True):
            moved = case.b.copy()
            moved[j] = q
            assert abs(loss * case.data.weight - case.least(moved)) <= 1e-12 * case.scale


def test_insertion_and_removal() -> None:
    for seed in range(40):
        if seed % 8 == 4:
            continue  # data 1e-5 apart leave no gap wide enough for this tolerance
        case = Repeated(seed)
        chain = open_chain(case.data.points, open_knots(case.data.x, case.b, ascending(case.b)))
        now = case.least(case.b)
        gain, q = best_insertion(case.data.points, chain)
        if not np.isnan(q):
            assert abs(gain - (now - case.least(np.append(case.b, q)))) <= 1e-12 * case.scale
        costs = removal_costs(case.data.points, chain)
        for j, cost in zip(ascending(case.b), costs, strict=False):
            assert abs(cost - (case.least(np.delete(case.b, j)) - now)) <= 1e-12 * case.scale


@pytest.mark.parametrize("seed", range(0, 60, 3))
def test_floor_and_excess(seed: int) -> None:
    case = Repeated(seed)
    data, rng = case.data, np.random.default_rng(seed)
    datum = np.clip(np.searchsorted(data.x, case.b), 0, data.m - 1)
    pin = np.where(rng.random(len(case.b)) < 0.5, datum, -1)
    b = np.where(pin >= 0, data.x[datum], case.b)
    pattern = pattern_of(data.x, b, pin)
    root = np.sqrt(data.w)
    columns = root[:, None] * dense.jacobian(data.x, pattern, b)
    size = np.linalg.norm(columns, axis=0)
    left, singular, _ = np.linalg.svd(columns[:, size > 0] / size[size > 0], full_matrices=False)
    q = left[:, singular > 1e-9]
    assert q.shape[1] == theory.rank(data.m, pattern)
    rest = root * data.y - q @ (q.T @ (root * data.y))
    scale = case.scale / data.weight
    assert theory.floor(data, pattern) == pytest.approx(
        float(rest @ rest) / data.weight, rel=1e-7, abs=1e-18 * scale
    )
    c = rng.normal(size=len(b))
    above = theory.excess(data, pattern, b, c)
    assert theory.floor(data, pattern) + above == pytest.approx(mean_loss(data, b, c), rel=1e-9)


@pytest.mark.parametrize("adaptive", [False, True])
@pytest.mark.parametrize("seed", range(0, 40, 8))
def test_hybrid_steps(adaptive: bool, seed: int) -> None:
    case = Repeated(seed, 30, 6)
    data = case.data
    method = LeastSquaresAdam(beta1=0.8) if adaptive else LeastSquaresGradientDescent(learning_rate=1e-2)
    state = method.init(data, case.b, np.zeros_like(case.b))
    after = method.advance(data, state, 1.0, stop_at_change=False).state
    a = design(case.x, case.b)
    r = a @ state["c"] - case.y
    gradient = -(2.0 / len(case.x)) * state["c"] * ((case.x[:, None] > case.b) * r[:, None]).sum(axis=0)
    if adaptive:
        # The first step of Adam is its length, whatever its memory, where the gradient is no rounding.
        clear = np.abs(gradient) > 1e-9
        moved = (case.b - after["b"])[clear]
        expected = 1e-3 * gradient[clear] / (np.abs(gradient[clear]) + 1e-8)
        np.testing.assert_allclose(moved, expected, rtol=1e-6)
    else:
        np.testing.assert_allclose(after["b"], case.b - 1e-2 * gradient, rtol=1e-12, atol=1e-14)
    best = least_loss(data, after["b"])
    assert mean_loss(data, after["b"], after["c"]) == pytest.approx(best, rel=1e-8, abs=1e-28)


def test_weights_of_one_change_no_bit() -> None:
    for seed in range(40):
        case = random_case(seed, 30, 12)
        one = TrainingData(case.x, case.y, w=np.ones(len(case.x)))
        plain, weighted = solve(case.data, case.b), solve(one, case.b)
        assert plain.c.tobytes() == weighted.c.tobytes()
        assert plain.loss == weighted.loss
