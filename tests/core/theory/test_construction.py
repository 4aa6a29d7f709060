import numpy as np
import pytest
from hypothesis import given, settings

from core import theory
from core.model.network import evaluate, knots
from core.model.pattern import pattern_of
from tests.core import dense
from tests.core.dense import Case, cases


@pytest.mark.parametrize("seed", range(5))
def test_the_explicit_network_for_sin5_is_fully_trained_and_full_of_spikes(seed: int) -> None:
    """Prop. fullyNN as in the paper's figure: groups cut by a He-initialised bias vector of width 100."""
    data = dense.sine(5, 500)
    cuts = np.random.default_rng(seed).normal(0, np.sqrt(2), 100)
    b, c = theory.fully_trained_network(data, cuts)
    groups = np.unique(np.searchsorted(data.x, cuts[(cuts >= -1) & (cuts < 1)], side="right")).size + 1
    assert b.size <= 2 * groups
    scale = float(np.mean(data.y**2))
    found = theory.stationarity(data, pattern_of(data.x, b), b, c)
    assert found.count >= groups
    assert found.mse <= 1e-20 * scale
    assert found.residual <= 1e-20 * scale
    x, f = knots(b, c, -1.0, 1.0)
    assert np.sum(np.abs(np.diff(f) / np.diff(x)) > 2 * 5 * np.pi) > 5  # steeper than the target ever is


@settings(max_examples=60, deadline=None)
@given(case=cases(pins=False))
def test_the_network_is_each_groups_regression_line_and_its_gradient_vanishes(case: Case) -> None:
    data = case.data
    b, c = theory.fully_trained_network(data, case.b)
    begin = sorted({0, *(int(np.sum(data.x <= cut)) for cut in case.b)} - {data.m})
    size = 1 + np.abs(data.y).max()
    f = evaluate(b, c, data.x)
    for first, stop in zip(begin, [*begin[1:], data.m], strict=True):
        x, y = data.x[first:stop], data.y[first:stop]
        line = np.polyval(np.polyfit(x - x[0], y, 1), x - x[0]) if x.size > 1 else y
        assert np.allclose(f[first:stop], line, rtol=0, atol=1e-10 * size)
    assert b.size <= 2 * len(begin)
    assert not np.isin(b, data.x).any()
    r = dense.residual(data, b, c)
    gradient = dense.jacobian(data.x, pattern_of(data.x, b), b, c).T @ r
    assert np.all(np.abs(gradient) <= 1e-9 * size * (1 + np.abs(c).max(initial=0)))


def test_one_neuron_is_enough_where_a_line_comes_up_from_zero_within_the_gap() -> None:
    data = dense.sine(1, 3)
    x, y = np.array([0.0, 1.0, 2.0, 3.0]), np.array([0.0, 0.0, 0.1, 1.1])
    data = type(data)(x, y)
    b, c = theory.fully_trained_network(data, np.array([1.5]))
    assert b.tolist() == pytest.approx([1.9])
    assert c.tolist() == pytest.approx([1.0])


def test_a_target_that_is_zero_needs_no_neuron() -> None:
    data = dense.sine(0, 10)
    assert theory.fully_trained_network(data, np.array([0.1]))[0].size == 0


def test_constant_data_have_slope_zero() -> None:
    data = dense.sine(0, 6)
    flat = type(data)(data.x, np.full(6, 2.0))
    b, c = theory.fully_trained_network(flat, np.array([0.0]))
    assert evaluate(b, c, data.x) == pytest.approx(np.full(6, 2.0))
