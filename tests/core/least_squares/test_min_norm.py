"""Coefficients of least norm and the rank, against lstsq, and against 60 digits where lstsq is no judge."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.least_squares.solve import coefficients, solve
from core.model.network import evaluate
from core.problem.data import TrainingData
from reproduction.measures.cod import design
from tests.core.cases import random_case
from tests.core.exact import exact_least, exact_min_norm
from tests.effort import cases
from tests.problems import DEGENERATE

CUT = 1e-11
"""Singular values below this part of the largest are zero, if none lies close to it."""


def compare(seed: int) -> str:
    """Compare one case; which judge it took."""
    case = random_case(seed, 14, 13)
    solution = solve(case.data, case.b)
    a = design(case.x, case.b)
    expected, _, found, sigma = np.linalg.lstsq(a, case.y, rcond=CUT)
    rank = int(found)
    if sigma.size == 0 or sigma[0] == 0.0:
        assert solution.rank == 0
        assert not solution.c.any()
        return "zero"
    relative = sigma / sigma[0]
    doubtful = np.any((relative > 1e-14) & (relative < 1e-8)) or relative[rank - 1] < 1e-6
    judge = "lstsq"
    if doubtful:
        judge = "exact"
        values, rank = exact_min_norm(case.x, case.y, case.b)
        expected = np.array(values)
    assert solution.rank == rank
    error = np.max(np.abs(solution.c - expected))
    assert error <= 1e-6 * np.max(np.abs(expected)), (seed, error)
    return judge


def test_against_lstsq() -> None:
    judges = [compare(seed) for seed in range(1500)]
    assert judges.count("lstsq") > 1200


@pytest.mark.slow
def test_against_lstsq_in_many_cases() -> None:
    judges = [compare(seed) for seed in range(1500, cases(3000, of=7500))]
    assert judges.count("lstsq") > 0.83 * len(judges)


@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_problems(name: str) -> None:
    problem = DEGENERATE[name]
    solution = solve(problem.data, problem.b)
    expected, rank = exact_min_norm(problem.x, problem.y, problem.b)
    assert solution.rank == rank
    np.testing.assert_allclose(solution.c, expected, rtol=1e-8, atol=1e-12)
    scale = float(problem.y @ problem.y)
    assert abs(solution.loss * len(problem.x) - exact_least(problem.x, problem.y, problem.b)) <= 1e-13 * scale


@given(seed=st.integers(0, 100_000))
@settings(max_examples=100, deadline=None)
def test_neighbouring_loose_parts(seed: int) -> None:
    """Pairs of biases in many gaps and one datum under each line: chains of undetermined blocks."""
    rng = np.random.default_rng(seed)
    m = int(rng.integers(3, 9))
    x = np.arange(m, dtype=np.float64)
    gaps = rng.integers(0, m, 10)
    b = gaps - rng.choice([0.0, 0.25, 0.5, 0.75, 1.0], 10)
    y = rng.normal(size=m)
    solution = solve(TrainingData(x, y), b)
    expected, rank = exact_min_norm(x, y, b)
    assert solution.rank == rank
    np.testing.assert_allclose(solution.c, expected, rtol=1e-9, atol=1e-10)


def test_the_coefficients_reach_the_loss_of_the_sweep() -> None:
    for seed in range(400):
        case = random_case(seed, 60, 40)
        solution = solve(case.data, case.b)
        r = evaluate(case.b, solution.c, case.x) - case.y
        # Evaluating f rounds in proportion to sum |c| (x - b), and so does its square beside r.
        reach = float(np.max(design(case.x, case.b) @ np.abs(solution.c)))
        slack = 1e-13 * (1.0 + reach) * (float(np.max(np.abs(r))) + 1e-13 * reach)
        assert abs(float(r @ r) / case.data.m - solution.loss) <= slack + 1e-14


def test_biases_that_coincide_to_rounding_are_one() -> None:
    """Distinct by one unit in the last place: told apart, they would need coefficients of 1e15."""
    data = TrainingData(np.array([0.0, 1.0, 2.0, 3.0]), np.array([0.0, 1.0, -1.0, 2.0]))
    b = np.array([0.5, np.nextafter(0.5, 1.0), 1.5])
    solution = solve(data, b)
    assert solution.rank == 2
    np.testing.assert_allclose(solution.c[:2], solve(data, np.array([0.5, 0.5, 1.5])).c[:2], rtol=1e-12)


def test_all_dead() -> None:
    data = TrainingData(np.array([0.0, 1.0]), np.array([2.0, 1.0]))
    assert coefficients(data, np.array([1.0, 5.0])).tolist() == [0.0, 0.0]
