import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.model.initial import INITIALISATIONS
from core.model.network import evaluate, knots, walk
from core.model.unit_weights import from_general
from core.problem.data import TrainingData
from core.types import FloatArray
from tests.core import dense

places = st.floats(-50, 50, width=32)


@settings(max_examples=100, deadline=None)
@given(
    b=arrays(np.float64, st.integers(1, 40), elements=places),
    x=arrays(np.float64, st.integers(0, 30), elements=places),
    origin=st.sampled_from([0.0, 1e3, -1e6]),
    size=st.sampled_from([1.0, 1e8]),
    seed=st.integers(0, 1000),
)
def test_evaluation_is_as_accurate_as_the_sum_of_its_terms_allows(
    b: np.ndarray, x: np.ndarray, origin: float, size: float, seed: int
) -> None:
    c = np.random.default_rng(seed).normal(size=b.size) * size
    b, x = b + origin, x + origin
    terms = np.maximum(x[:, None] - b, 0) * np.abs(c)
    error = np.abs(evaluate(b, c, x) - dense.evaluate(b, c, x))
    assert np.all(error <= 1e-12 * terms.sum(axis=1))


def point_by_point(b: FloatArray, c: FloatArray, x: FloatArray) -> list[float]:
    """`walk` without its lines: what each point adds, in the same order."""
    f, active, slope, value = [], 0, 0.0, 0.0
    for at in x.tolist():
        while active < b.size and b[active] < at:
            if active > 0:
                value += slope * (b[active] - b[active - 1])
            slope += c[active]
            active += 1
        f.append(value + slope * (at - b[active - 1]) if active > 0 else 0.0)
    return f


@pytest.mark.parametrize(("n", "m"), [(0, 5), (1, 0), (1, 40), (7, 40), (40, 7), (12, 300)])
def test_lines_have_the_bits_of_single_points(n: int, m: int) -> None:
    rng = np.random.default_rng([n, m])
    x = np.unique(rng.normal(size=m).round(2))
    b, c = np.sort(rng.normal(size=n).round(1)), rng.normal(size=n)
    assert walk(b, c, x).tolist() == point_by_point(b, c, x)


def test_evaluation_takes_any_order_and_shape() -> None:
    rng = np.random.default_rng(1)
    b, c, x = rng.normal(size=7), rng.normal(size=7), rng.normal(size=(4, 5))
    assert np.allclose(evaluate(b, c, x), dense.evaluate(b, c, x), rtol=0, atol=1e-13)
    assert evaluate(b, c, np.zeros(0)).shape == (0,)


def test_a_bias_on_a_point_does_not_see_it() -> None:
    assert evaluate(np.array([0.5]), np.array([3.0]), np.array([0.5]))[0] == 0.0


@pytest.mark.parametrize("broken", [np.nan, np.inf, -np.inf])
def test_parameters_that_are_not_finite_give_nan(broken: float) -> None:
    assert np.isnan(evaluate(np.array([0.0, broken]), np.ones(2), np.array([1.0]))).all()
    assert np.isnan(evaluate(np.zeros(2), np.array([1.0, broken]), np.array([-1.0]))).all()


def test_the_polygon_has_every_corner_and_both_ends() -> None:
    b = np.array([0.3, -0.2, 5.0, -4.0, 0.3])
    c = np.array([1.0, -2.0, 1.0, 0.5, 1.0])
    x, y = knots(b, c, -1.0, 1.0)
    assert x.tolist() == [-1.0, -0.2, 0.3, 1.0]
    fine = np.linspace(-1, 1, 501)
    assert np.allclose(np.interp(fine, x, y), dense.evaluate(b, c, fine), rtol=0, atol=1e-13)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(0, 8), low=st.sampled_from([-1.0, 0.0, 100.0]))
def test_any_two_layer_network_has_a_unit_weight_form(seed: int, n: int, low: float) -> None:
    rng = np.random.default_rng(seed)
    w, b, c = rng.normal(size=n), rng.normal(size=n) * 3, rng.normal(size=n)
    w[rng.random(n) < 0.2] = 0.0
    interval = (low, low + 2.0)
    biases, coefficients = from_general(w, b, c, interval)
    x = np.linspace(*interval, 101)
    general = np.maximum(w * x[:, None] - b, 0) @ c
    assert biases.size <= n + 2
    size = 1 + np.abs(coefficients).sum() * (np.abs(x).max() + np.abs(biases).max(initial=0))
    assert np.max(np.abs(evaluate(biases, coefficients, x) - general)) <= 1e-13 * size


def test_an_empty_interval_is_refused() -> None:
    with pytest.raises(ValueError, match=r"interval \(1.0, 1.0\)"):
        from_general(np.ones(1), np.ones(1), np.ones(1), (1.0, 1.0))


def draw(name: str, width: int, domain: tuple[float, float] = (-1.0, 1.0)) -> tuple[np.ndarray, np.ndarray]:
    data = TrainingData(np.array(domain), np.zeros(2))
    return INITIALISATIONS[name](np.random.default_rng(3), np.random.default_rng(4), width, data)


def test_he_has_the_papers_variances_and_follows_the_domain() -> None:
    b, c = draw("he", 100_000)
    assert np.var(b) == pytest.approx(2, rel=0.02)
    assert np.var(c) == pytest.approx(2 / 100_000, rel=0.02)
    assert np.mean(b >= 1) == pytest.approx(0.24, abs=0.01)
    moved, same = draw("he", 100_000, (4.0, 5.0))
    assert np.allclose(moved, 4.5 + b / 2, rtol=0, atol=1e-14)
    assert np.array_equal(same, c)


def test_uniform_and_equidistant_waste_no_neuron() -> None:
    b, _ = draw("uniform", 1000, (2.0, 3.0))
    assert 2.0 <= b.min() < b.max() <= 3.0
    b, _ = draw("equidistant", 10, (0.0, 1.0))
    assert b[0] < 0.0
    assert b[-1] < 1.0
    assert np.allclose(np.diff(b), 0.1)


@pytest.mark.parametrize("name", INITIALISATIONS)
def test_initialisations_repeat_and_differ_in_scale_only_where_said(name: str) -> None:
    first, second = draw(name, 17), draw(name, 17)
    assert np.array_equal(first[0], second[0])
    assert np.array_equal(first[1], second[1])
    ratio = 0.01 if name == "small" else 1.0
    assert np.allclose(first[1], ratio * draw("he", 17)[1], rtol=1e-15)
