"""The proven optimum against all convex problems, one by one: no network is better, and one has it."""

from itertools import combinations_with_replacement, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import nnls

from core.analysis import free_knots
from core.analysis.best_known import best_known
from core.analysis.free_knots import free_knot_optimum
from core.least_squares.solve import least_loss
from core.methods.parameters import OFFSET
from core.problem.data import TrainingData
from core.rivals.anls_plus.plus import anls_plus
from tests.problems import DEGENERATE, random_problem


def least_of_all(data: TrainingData, width: int) -> float:
    """The twin: every choice of gaps for the joints, every choice of which way each bends.

    A bend in the gap between two data is a line that is not positive at one of them and not negative at
    the other: two numbers that are not negative, so that each choice is a non-negative least-squares problem.
    """
    x, root = data.x, np.sqrt(data.w)
    least = float(np.sum(data.w * data.y**2))
    for gaps in combinations_with_replacement(range(data.m), width):
        bends = []
        for j in gaps:
            bend = np.stack([np.ones(data.m), x - x[0]], axis=1)
            if j > 0:
                bend = np.stack([x - x[j], x - x[j - 1]], axis=1) / (x[j] - x[j - 1])
            bend[:j] = 0.0
            bends.append(bend)
        for signs in product((1.0, -1.0), repeat=width):
            matrix = np.hstack([sign * bend for sign, bend in zip(signs, bends, strict=True)])
            least = min(least, nnls(root[:, None] * matrix, root * data.y)[1] ** 2)
    return least / data.weight


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 10_000),
    st.integers(3, 8),
    st.integers(1, 3),
    st.sampled_from(["wave", "slope", "whole numbers"]),
)
def test_it_is_the_least_of_all_convex_problems(seed: int, m: int, width: int, kind: str) -> None:
    rng = np.random.default_rng(seed)
    x = np.arange(float(m)) if seed % 2 else np.sort(rng.uniform(-1.0, 1.0, m))
    y = rng.normal(0.0, 1.0, m)
    if kind == "slope":
        y += 5.0 - 3.0 * x
    if kind == "whole numbers":
        y = np.round(2.0 * y)
    data = TrainingData(x, y, w=rng.integers(1, 4, m).astype(float))
    width = min(width, m - 1)
    optimum = free_knot_optimum(data, width)
    assert optimum.proven
    scale = float(np.mean(y * y)) + 1e-300
    assert optimum.loss == pytest.approx(least_of_all(data, width), rel=1e-8, abs=1e-15 * scale)
    assert len(optimum.b) <= width
    assert least_loss(data, optimum.b) == pytest.approx(optimum.loss, rel=1e-6, abs=1e-12 * scale)


@pytest.mark.parametrize("seed", range(3))
def test_anls_plus_is_never_below_it(seed: int) -> None:
    data = random_problem(seed, 40, 5).data
    optimum = free_knot_optimum(data, 5)
    assert optimum.proven
    for start in range(10):
        b = np.random.default_rng(start).uniform(-1.3, 1.0, 5)
        anls_plus(data.points, b, OFFSET, 1_000)
        assert least_loss(data, b) >= optimum.loss * (1.0 - 1e-8)
    assert least_loss(data, optimum.b) == pytest.approx(optimum.loss, rel=1e-9)


@pytest.mark.parametrize("shift", [0.0, 1e6, -1e3])
@pytest.mark.parametrize("factor", [1.0, 1e-9, 1e6])
def test_units_do_not_matter(shift: float, factor: float) -> None:
    plain = random_problem(2, 24, 3).data
    here = free_knot_optimum(plain, 3)
    data = TrainingData(np.round(plain.x, 8) + shift, factor * plain.y)
    there = free_knot_optimum(data, 3)
    assert there.proven
    assert there.loss == pytest.approx(factor * factor * here.loss, rel=1e-5)


def test_three_hinges_are_found() -> None:
    x = np.linspace(-1.0, 1.0, 25)
    b = np.array([-0.91, -0.33, 0.42])
    data = TrainingData(x, np.maximum(x[:, None] - b, 0.0) @ np.array([1.0, -2.0, 3.0]))
    optimum = free_knot_optimum(data, 3)
    assert optimum.proven and optimum.loss <= 1e-25
    assert optimum.b == pytest.approx(b, abs=1e-9)


def test_a_constant_needs_a_bias_infinitely_far_away() -> None:
    """Of falling data one neuron can learn the mean alone, in the limit."""
    x = np.linspace(0.0, 1.0, 12)
    data = TrainingData(x, 3.0 - 0.1 * x)
    optimum = free_knot_optimum(data, 1)
    assert optimum.proven and optimum.loss == pytest.approx(float(np.var(data.y)), rel=1e-12)
    assert least_loss(data, optimum.b) == pytest.approx(optimum.loss, rel=1e-4)


def test_a_known_network_that_is_the_best_stays() -> None:
    data = random_problem(1, 20, 2).data
    first = free_knot_optimum(data, 2)
    again = free_knot_optimum(data, 2, least_loss(data, first.b))
    assert again.proven and len(again.b) == 0 and again.loss == pytest.approx(first.loss, rel=1e-9)


@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_problems(name: str) -> None:
    data = DEGENERATE[name].data
    for width in range(1, min(data.m, 5)):
        known = best_known(data, width)
        assert known.proven and 0.0 <= known.loss <= float(np.mean(data.y**2)) + 1e-300


def test_a_search_that_is_given_up_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(free_knots, "MAX_BRANCHES", 5.0)
    data = random_problem(0, 40, 5).data
    given_up = best_known(data, 5)
    assert not given_up.proven and given_up.origin == "given_up"
    monkeypatch.undo()
    assert best_known(data, 5).loss <= given_up.loss
