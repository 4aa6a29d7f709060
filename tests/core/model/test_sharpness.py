"""The largest curvature against the dense Hessian, and the step at which descent leaves its course."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import theory
from core.model.pattern import pattern_of
from core.model.sharpness import curvature, largest_stable_step, product, sharpness
from core.problem.data import TrainingData
from tests.core import dense, naive
from tests.core.dense import Case, cases
from tests.problems import random_problem


def weighted(case: Case, seed: int) -> TrainingData:
    w = np.random.default_rng(seed).integers(1, 6, case.data.m).astype(float) if seed else None
    return TrainingData(case.data.x, case.data.y, w=np.ones(case.data.m) if w is None else w)


@settings(max_examples=120, deadline=None)
@given(case=cases(), seed=st.integers(0, 20))
def test_product_with_the_hessian(case: Case, seed: int) -> None:
    data, n = weighted(case, seed), case.b.size
    h = curvature(data, case.pattern, case.b, case.c)
    order = np.lexsort((case.b, case.pattern.gap))
    free = np.flatnonzero(case.pattern.pin < 0)
    v = np.random.default_rng(seed).normal(size=2 * n)
    v[:n][case.pattern.pin[order] >= 0] = 0.0
    change = np.empty(2 * n)
    change[order], change[n + order] = v[:n], v[n:]
    wanted = np.zeros(2 * n)
    wanted[np.append(free, n + np.arange(n))] = dense.hessian(data, case.pattern, case.b, case.c) @ np.append(
        change[:n][free], change[n:]
    )
    found = product(h, v)
    size = np.abs(dense.hessian(data, case.pattern, case.b, case.c)).max() + 1.0
    assert found == pytest.approx(np.append(wanted[:n][order], wanted[n:][order]), abs=1e-11 * size)


@settings(max_examples=120, deadline=None)
@given(case=cases(), seed=st.integers(0, 20))
def test_sharpness_is_the_largest_eigenvalue(case: Case, seed: int) -> None:
    data = weighted(case, seed)
    h = dense.hessian(data, case.pattern, case.b, case.c)
    wanted = max(float(np.linalg.eigvalsh(h)[-1]), 0.0)
    found = sharpness(data, case.pattern, case.b, case.c)
    assert found == pytest.approx(wanted, abs=1e-9 * (1.0 + np.abs(h).max()))


@pytest.mark.parametrize(("m", "n"), [(100, 10), (300, 60), (1000, 300)])
def test_sharpness_of_wide_networks(m: int, n: int) -> None:
    p = random_problem(3, m, n)
    pattern = pattern_of(p.x, p.b)
    wanted = float(np.linalg.eigvalsh(dense.hessian(p.data, pattern, p.b, p.c))[-1])
    assert sharpness(p.data, pattern, p.b, p.c) == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(("share", "stays"), [(0.9, True), (1.1, False)])
def test_beyond_the_stable_step_descent_leaves_a_stationary_point(
    seed: int, share: float, stays: bool
) -> None:
    """At rest, nudged: a step below 2/sharpness comes back, one beyond it goes away."""
    rng = np.random.default_rng(seed)
    data = TrainingData(np.linspace(-1, 1, 12), rng.normal(size=12))
    b, c = theory.fully_trained_network(data, np.array([-0.5, 0.4]))
    step = share * largest_stable_step(data, b, c)
    h = dense.hessian(data, pattern_of(data.x, b), b, c)
    mode = np.linalg.eigh(h)[1][:, -1] * 1e-9
    moved = naive.descend(data.x, data.y, b + mode[: b.size], c + mode[b.size :], step, 40)
    distance = np.linalg.norm(np.append(moved[0] - b, moved[1] - c))
    assert (distance < 1e-9) == stays


def test_nothing_that_sees_data_has_no_curvature() -> None:
    data = TrainingData(np.array([0.0, 1.0]), np.array([1.0, 2.0]))
    assert largest_stable_step(data, np.array([1.0, 3.0]), np.array([1.0, 1.0])) == np.inf
