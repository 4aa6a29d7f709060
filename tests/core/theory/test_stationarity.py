import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import theory
from core.model.loss import mean_loss, prediction_error
from core.model.pattern import pattern_of
from core.problem.data import TrainingData
from tests.core import dense, naive
from tests.core.dense import Case, cases


def by_definition(case: Case) -> tuple[float, int]:
    """Lemma critical, equation by equation; a neuron with c = 0 has an equation of its own."""
    x, y = case.data.x, case.data.y
    heard = case.c != 0
    gap, b, c = case.pattern.gap[heard], case.b[heard], case.c[heard]
    order = np.lexsort((b, gap))
    b, c = b[order], c[order]
    activated = np.sum(np.arange(x.size)[:, None] >= gap, axis=1)
    squares = []
    for l in range(1, b.size + 1):  # noqa: E741
        inside = activated == l
        if inside.sum() > 0:
            squares.append((c[:l] @ (x[inside].mean() - b[:l]) - y[inside].mean()) ** 2)
        if inside.sum() > 1:
            slope = np.cov(x[inside], y[inside], bias=True)[0, 1] / np.var(x[inside])
            squares.append((c[:l].sum() - slope) ** 2)
    r = dense.residual(case.data, case.b, case.c)
    for j in np.flatnonzero(~heard & (case.pattern.gap < x.size)).tolist():
        seen = slice(case.pattern.gap[j], None)
        along = x[seen] - case.b[j]
        squares.append(((r[seen] @ along) / (along @ along)) ** 2)
    return (float(np.mean(squares)) if squares else 0.0), len(squares)


def check_stationarity(case: Case) -> None:
    mse, count = by_definition(case)
    found = theory.stationarity(case.data, case.pattern, case.b, case.c)
    assert found.count == count
    assert found.mse == pytest.approx(mse, rel=1e-9, abs=1e-20)
    assert found.residual == theory.excess(case.data, case.pattern, case.b, case.c)


@settings(max_examples=120, deadline=None)
@given(case=cases())
def test_stationarity_equals_the_lemma(case: Case) -> None:
    check_stationarity(case)


@settings(max_examples=60, deadline=None)
@given(case=cases())
def test_violation_is_the_largest_velocity_off_a_pinned_datum(case: Case) -> None:
    r = dense.residual(case.data, case.b, case.c)
    worst = 0.0
    for j, k in enumerate(case.pattern.pin.tolist()):
        if k >= 0:
            scale = 2 / case.data.m * case.c[j]
            worst = max(worst, scale * r[k + 1 :].sum(), -scale * r[k:].sum())
    found = theory.stationarity(case.data, case.pattern, case.b, case.c)
    assert found.violation == pytest.approx(worst, rel=1e-9, abs=1e-12 * (1 + np.abs(r).sum()))


@settings(max_examples=50, deadline=None)
@given(case=cases(pins=False), scale=st.sampled_from([1.0, 1e-6, 1e6]))
def test_all_measures_vanish_together_at_a_stationary_point(case: Case, scale: float) -> None:
    """At the explicit construction nothing is left; a changed coefficient shows in every measure."""
    data = TrainingData(case.data.x, scale * case.data.y)
    b, c = theory.fully_trained_network(data, case.b)
    size = scale**2 * (1 + case.scale)
    if b.size == 0:
        return
    pattern = pattern_of(data.x, b)
    rest = theory.stationarity(data, pattern, b, c)
    assert rest.mse <= 1e-18 * size
    assert rest.residual <= 1e-20 * size
    changed = c.copy()
    changed[0] += 1e-3 * scale
    off = theory.stationarity(data, pattern, b, changed)
    assert off.mse >= 1e-10 * scale**2 / off.count
    assert off.residual >= 1e-12 * scale**2


def test_the_papers_five_points_with_pinned_biases() -> None:
    """Figure motivation-graph: inner biases on data points, macroscopic data equal to the data, loss 0."""
    x = (np.arange(1, 6) - 3) / 2
    data = TrainingData(x, (1 - (-1.0) ** np.arange(1, 6)) / 2)
    b = np.array([0.5, 0.0, -0.5, -1.0, -2.0, 1.3, 1.9])
    c = np.array([4.0, -4.0, 4.0, -3.0, 1.0, 0.4, -0.2])
    pattern = pattern_of(x, b, np.array([3, 2, 1, 0, -1, -1, -1]))
    found = theory.stationarity(data, pattern, b, c)
    assert mean_loss(data, b, c) == pytest.approx(0, abs=1e-30)
    assert found.residual == pytest.approx(0, abs=1e-30)
    assert found.violation == pytest.approx(0, abs=1e-15)
    lines = theory.regression_lines(data, pattern)
    assert [(line.center, line.height) for line in lines] == list(zip(x, data.y, strict=True))


def test_a_pinned_equilibrium_is_at_rest_though_the_papers_measure_is_not_zero() -> None:
    """One neuron held on a datum: the loss is at its floor, and both velocities point at the datum."""
    data = TrainingData(np.array([0.0, 1.0, 2.0, 3.0]), np.array([0.0, -0.5, 2.0, 2.0]))
    b = np.array([1.0])
    hidden = np.maximum(data.x - 1, 0)
    c = np.array([hidden @ data.y / (hidden @ hidden)])
    pattern = pattern_of(data.x, b, np.array([1]))
    found = theory.stationarity(data, pattern, b, c)
    assert found.violation == 0
    assert found.residual <= 1e-30
    assert found.mse > 1e-3
    assert mean_loss(data, b, c) == pytest.approx(theory.floor(data, pattern), rel=1e-14)


def test_prediction_error_is_the_root_mean_square_on_the_grid() -> None:
    data = dense.sine(5, 50)
    rng = np.random.default_rng(0)
    b, c = rng.normal(size=20), rng.normal(size=20)
    grid = np.linspace(-1, 1, 10_000)
    expected = np.sqrt(np.mean((dense.evaluate(b, c, grid) - np.sin(5 * np.pi * grid)) ** 2))
    for _ in range(2):
        assert prediction_error(data, b, c) == pytest.approx(expected, rel=1e-12)
    assert prediction_error(dense.sine(1, 50), b, c) != pytest.approx(expected, rel=1e-3)
    assert np.isnan(prediction_error(TrainingData(data.x, data.y), b, c))


@settings(max_examples=50, deadline=None)
@given(case=cases())
def test_loss_is_the_mean_square(case: Case) -> None:
    expected = np.mean(dense.residual(case.data, case.b, case.c) ** 2)
    assert mean_loss(case.data, case.b, case.c) == pytest.approx(expected, rel=1e-11, abs=1e-24)


def check_regression_lines(case: Case) -> None:
    x, y = case.data.x, case.data.y
    activated = np.sum(np.arange(x.size)[:, None] >= case.pattern.gap, axis=1)
    lines = theory.regression_lines(case.data, case.pattern)
    assert {line.l for line in lines} == set(activated.tolist()) - {0}
    for line in lines:
        inside = activated == line.l
        columns = np.column_stack([x[inside], np.ones(inside.sum())])
        slope, intercept = np.linalg.lstsq(columns, y[inside], rcond=1e-12)[0]  # least norm for one datum
        assert (line.low, line.high, line.count) == (x[inside][0], x[inside][-1], inside.sum())
        tolerance = 1e-9 * (1 + np.abs(y).max())
        assert line.slope == pytest.approx(slope, abs=tolerance)
        assert line.height - line.slope * line.center == pytest.approx(intercept, abs=tolerance * 10)


@settings(max_examples=60, deadline=None)
@given(case=cases())
def test_regression_lines_are_least_squares_lines(case: Case) -> None:
    check_regression_lines(case)


def check_modified_lines(case: Case) -> None:
    x, y = case.data.x, case.data.y
    found = theory.modified_lines(case.data, case.pattern, case.b, case.c)
    b, c = case.b[found.order], case.c[found.order]
    activated = np.sum(np.arange(x.size)[:, None] >= case.pattern.gap, axis=1)
    for l in range(1, b.size + 1):  # noqa: E741
        inside = activated == l
        if not inside.any():
            assert np.isnan(found.slope[l - 1])
            continue
        rest = y[inside] - (x[inside][:, None] - b[: l - 1]) @ c[: l - 1]
        columns = np.column_stack([x[inside], np.ones(inside.sum())])
        slope, intercept = np.linalg.lstsq(columns, rest, rcond=1e-12)[0]
        tolerance = 1e-9 * (1 + np.abs(rest).max())
        assert found.slope[l - 1] == pytest.approx(slope, abs=tolerance)
        assert found.offset[l - 1] == pytest.approx(-intercept, abs=10 * tolerance)
        assert found.alpha[l - 1] == pytest.approx(0 if inside.sum() > 1 else c[l - 1] - slope, abs=tolerance)


@settings(max_examples=60, deadline=None)
@given(case=cases())
def test_modified_lines_are_least_squares_lines_of_what_the_neurons_before_leave_over(case: Case) -> None:
    check_modified_lines(case)


def test_at_a_stationary_point_the_modified_lines_are_the_neurons() -> None:
    """Theorem LSQ-Stationary: c_l (x - b_l), up to alpha_l where U_l is a single datum."""
    data = dense.sine(2, 60)
    b, c = theory.fully_trained_network(data, np.array([-0.8, -0.5, -0.47, 0.1, 0.4]))
    found = theory.modified_lines(data, pattern_of(data.x, b), b, c)
    seen = ~np.isnan(found.slope)
    alpha = found.alpha[seen]
    b, c = b[found.order][seen], c[found.order][seen]
    single = alpha != 0
    assert np.allclose(found.slope[seen] + alpha, c, rtol=1e-9, atol=1e-9)
    assert np.allclose(found.offset[seen][~single], (c * b)[~single], rtol=1e-9, atol=1e-9)


@settings(max_examples=80, deadline=None)
@given(case=cases(pins=False), silent=st.lists(st.booleans(), min_size=10, max_size=10))
def test_it_vanishes_exactly_where_the_gradient_does(case: Case, silent: list[bool]) -> None:
    """Both directions of the lemma, with neurons whose coefficient is 0."""
    trained_b, trained_c = theory.fully_trained_network(case.data, case.b)
    networks = [(case.b, np.where(silent[: case.b.size], 0.0, case.c)), (trained_b, trained_c)]
    networks.append((np.append(trained_b, case.b), np.append(trained_c, np.zeros(case.b.size))))
    for b, c in networks:
        gradient = np.concatenate(naive.gradient(case.data.x, case.data.y, b, c))
        mse = theory.critical_error(case.data, pattern_of(case.data.x, b), b, c)[0]
        size = case.scale + float(np.abs(c).max(initial=0.0)) ** 2
        assert (np.abs(gradient).max(initial=0.0) <= 1e-9 * (1 + size)) == (mse <= 1e-16 * (1 + size) ** 2)


def test_a_neuron_without_coefficient_is_not_at_rest_where_it_wishes_one() -> None:
    data = TrainingData(np.array([0.0, 1.0, 2.0, 3.0]), np.array([1.0, 2.0, 4.0, 5.0]))
    b, c = np.array([-1.0, 1.5]), np.array([1.0, 0.0])
    assert theory.critical_error(data, pattern_of(data.x, b), b, c)[0] > 0.1
