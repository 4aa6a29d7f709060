import numpy as np
import pytest
from hypothesis import given, settings

from core import theory
from core.model.pattern import Pattern, pattern_of
from core.problem.data import TrainingData
from tests.core import dense
from tests.core.dense import Case, cases


def check_rates(case: Case) -> None:
    x = case.data.x
    found = theory.rates(case.data, case.pattern, case.b, case.c)
    size = dense.basis(x, case.pattern, case.b).shape[1]
    if size == 0:
        assert found == theory.Rates(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        return
    singular = np.linalg.svd(dense.jacobian(x, case.pattern, case.b, case.c), compute_uv=False)
    largest = singular[0]
    smallest = singular[size - 1] if singular.size >= size else 0.0
    assert np.sqrt(found.r_max) == pytest.approx(largest, rel=1e-9)
    # singular values are known up to a rounding error of the largest
    assert np.sqrt(found.r_min) == pytest.approx(smallest, rel=1e-9, abs=1e-13 * largest)
    assert found.bound_max >= found.r_max
    assert found.bound_min <= found.r_min + 1e-25 * found.r_max


@settings(max_examples=60, deadline=None)
@given(case=cases())
def test_rates_are_singular_values_of_the_dense_jacobian_and_lie_within_the_bounds(case: Case) -> None:
    check_rates(case)


@settings(max_examples=40, deadline=None)
@given(case=cases(pins=False))
def test_without_pins_and_zero_coefficients_the_lower_bound_is_positive(case: Case) -> None:
    c = np.where(case.c == 0, 0.5, case.c)
    found = theory.rates(case.data, case.pattern, case.b, c)
    alive = bool(np.any(case.pattern.gap < case.data.m))
    assert (found.bound_min > 0) == alive


def test_the_lemma_as_printed_is_violated() -> None:
    """A small coefficient over long data: the printed lower bound forgets 1/c^2 in front of d^2."""
    x = np.linspace(0, 100, 20)
    data = TrainingData(x, np.zeros(20))
    b, c = np.array([-1.0, 45.0]), np.array([1e-3, 1e-3])
    found = theory.rates(data, pattern_of(x, b), b, c)
    assert found.printed_min > found.r_min >= found.bound_min > 0
    far = np.array([-1e4, 45.0])
    found = theory.rates(data, pattern_of(x, far), far, c)
    assert found.printed_max < found.r_max <= found.bound_max


@settings(max_examples=60, deadline=None)
@given(case=cases())
def test_eigenvalues_are_those_of_the_differentiated_flow(case: Case) -> None:
    data, pattern = case.data, case.pattern
    x, free = data.x, pattern.pin < 0
    active = np.arange(x.size)[:, None] >= pattern.gap
    at = np.where(free, case.b, x[np.maximum(pattern.pin, 0)])

    def flow(theta: np.ndarray) -> np.ndarray:
        b, c = at.copy(), theta[free.sum() :]
        b[free] = theta[: free.sum()]
        hidden = np.where(active, x[:, None] - b, 0.0)
        r = hidden @ c - data.y
        return 2 / x.size * np.concatenate([(c * (active.T @ r))[free], -(hidden.T @ r)])

    theta = np.concatenate([at[free], case.c])
    h = 1e-4  # the flow is a cubic polynomial: a five-point difference is exact
    columns = [
        (8 * (flow(theta + h * e) - flow(theta - h * e)) - flow(theta + 2 * h * e) + flow(theta - 2 * h * e))
        / (12 * h)
        for e in np.eye(theta.size)
    ]
    found = -dense.hessian(data, pattern, case.b, case.c)
    assert found == pytest.approx(np.array(columns), abs=1e-8 * (1 + np.abs(found).max()))


@settings(max_examples=40, deadline=None)
@given(case=cases(pins=False))
def test_at_a_stationary_point_no_curvature_is_negative(case: Case) -> None:
    b, c = theory.fully_trained_network(case.data, case.b)
    if b.size == 0:
        return
    found = np.linalg.eigvalsh(dense.hessian(case.data, pattern_of(case.data.x, b), b, c))
    assert found[0] >= -1e-12 * np.abs(found).max()


def test_a_neuron_with_coefficient_zero_can_make_a_stationary_point_unstable() -> None:
    """The paper's claim needs c_j != 0. Here sum r (x - b) = 0 while sum r = 1: at rest, but on a ridge."""
    data = TrainingData(np.array([0.0, 1.0, 2.0]), np.array([0.0, -2.0, 1.0]))
    b, c = np.array([0.0]), np.array([0.0])
    pattern = pattern_of(data.x, b)
    assert not (dense.jacobian(data.x, pattern, b, c).T @ dense.residual(data, b, c)).any()
    assert np.linalg.eigvalsh(dense.hessian(data, pattern, b, c))[0] < -0.1


def crossing(seed: int) -> tuple[TrainingData, Pattern, Pattern, np.ndarray, np.ndarray]:
    """A state with bias j exactly on a datum, c nearly best, and the patterns on both sides of it."""
    rng = np.random.default_rng(seed)
    x = np.linspace(-1, 1, 16)
    data = TrainingData(x, np.sin(np.pi * x) + 0.3 * rng.normal(size=16))
    b = np.sort(rng.uniform(-1.2, 0.8, 3))
    j, k = int(rng.integers(3)), int(rng.integers(1, 14))
    b[j] = x[k]
    hidden = np.maximum(x[:, None] - b, 0)
    c = np.linalg.lstsq(hidden, data.y, rcond=None)[0] + 0.01 * rng.normal(size=3)
    left, right = b.copy(), b.copy()
    left[j], right[j] = x[k] - 1e-3, x[k] + 1e-3
    patterns = [pattern_of(x, left), pattern_of(x, right)]
    before, after = patterns if seed % 2 else patterns[::-1]
    return data, before, after, b, c


def test_where_the_condition_of_q_decrease_holds_the_floor_falls() -> None:
    verdicts = []
    for seed in range(400):
        data, before, after, b, c = crossing(seed)
        found = theory.q_decrease(data, before, after, b, c, integral=0.0)
        assert found is not None
        assert found.floor_before == theory.floor(data, before)
        assert found.floor_after == theory.floor(data, after)
        if found.holds:
            assert found.floor_after < found.floor_before
        verdicts.append(found.holds)
    assert 10 < sum(verdicts) < 390


@pytest.mark.parametrize("seed", range(20))
def test_both_sides_of_q_decrease_against_dense_vectors(seed: int) -> None:
    data, before, after, b, c = crossing(seed)
    found = theory.q_decrease(data, before, after, b, c, integral=0.7)
    assert found is not None
    datum = np.zeros(data.m)
    datum[np.min([before.gap[before.gap != after.gap], after.gap[before.gap != after.gap]])] = 1
    vectors = []
    for pattern in (before, after):
        q = dense.basis(data.x, pattern, b)
        vector = datum - q @ (q.T @ datum)
        size = np.linalg.norm(vector)
        vectors.append(vector / size if size > 1e-9 else np.zeros(data.m))
    zeta, psi = vectors
    r = dense.residual(data, b, c)
    q = dense.basis(data.x, before, b)
    expected = (1 - abs(zeta @ psi)) * abs(r @ zeta) / np.linalg.norm(q.T @ r)
    assert found.right == pytest.approx(expected, rel=1e-9, abs=1e-12)
    assert found.left == pytest.approx(np.exp(-0.7))
    assert found.left_printed == pytest.approx(np.exp(-0.35))


def test_q_decrease_is_silent_unless_one_free_neuron_crosses_one_datum() -> None:
    x = np.linspace(0, 1, 6)
    data = TrainingData(x, x**2)
    b, c = np.array([0.1, 0.5]), np.ones(2)
    base = pattern_of(x, b)
    pinned = pattern_of(x, b, np.array([0, -1]))
    others = [base, pattern_of(x, np.array([0.3, 0.7])), pattern_of(x, np.array([0.1, 0.9])), pinned]
    assert [theory.q_decrease(data, base, other, b, c, 0.0) for other in others] == [None] * 4
