"""The flow's compiled right-hand side and its companions, against matrices formed from the definitions."""

import numpy as np
from hypothesis import given, settings

from core.flow.equations import Stage, evaluate, jacobian, line_system, rate_bound, velocity, watch
from core.flow.events import Point, noise, open_stage, origin, spread, thresholds
from core.model.loss import mean_loss
from core.types import FloatArray, IntArray
from tests.core.dense import Case, cases, residual
from tests.core.pinned import one_sided_velocities


def opened(case: Case) -> tuple[Stage, IntArray, FloatArray]:
    return open_stage(case.data, Point.of(case.b, case.c, case.pattern.gap, case.pattern.pin))


def columns(case: Case, live: IntArray) -> FloatArray:
    """Derivative of f at the data by each unknown: free biases, then coefficients, of live neurons."""
    active = np.arange(case.data.m)[:, None] >= case.pattern.gap[live]
    free = case.pattern.pin[live] < 0
    return np.hstack([(-case.c[live] * active)[:, free], (case.data.x[:, None] - case.b[live]) * active])


@given(cases())
@settings(deadline=None, max_examples=60)
def test_velocity_is_minus_the_gradient(case: Case) -> None:
    stage, live, y = opened(case)
    a, r = columns(case, live), residual(case.data, case.b, case.c)
    expected = -stage.s * a.T @ r
    size = stage.s * np.abs(a).T @ np.abs(r)
    assert (np.abs(velocity(stage, y) - expected) <= 1e-12 * (size + 1e-3)).all()
    np.testing.assert_allclose(
        evaluate(stage, y), mean_loss(case.data, case.b, case.c), rtol=1e-11, atol=1e-18
    )


@given(cases())
@settings(deadline=None, max_examples=60)
def test_jacobian_is_minus_the_hessian(case: Case) -> None:
    stage, live, y = opened(case)
    a, r = columns(case, live), residual(case.data, case.b, case.c)
    expected = -stage.s * a.T @ a
    free = np.flatnonzero(case.pattern.pin[live] < 0)
    first = y.size - live.size
    for place, j in enumerate(free):
        pull = stage.s * r[case.pattern.gap[live[j]] :].sum()
        expected[place, first + j] += pull
        expected[first + j, place] += pull
    np.testing.assert_allclose(jacobian(stage, y), expected, rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(rate_bound(stage, y), stage.s * (a**2).sum(), rtol=1e-11)


@given(cases())
@settings(deadline=None, max_examples=60)
def test_line_system_keeps_all_products(case: Case) -> None:
    stage, live, y = opened(case)
    dense, r = columns(case, live), residual(case.data, case.b, case.c)
    a, reduced = line_system(stage, y)
    np.testing.assert_allclose(a.T @ a, dense.T @ dense, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(a.T @ reduced, dense.T @ r, rtol=1e-9, atol=1e-9)
    total = reduced @ reduced / case.data.m + stage.constant
    np.testing.assert_allclose(total, r @ r / case.data.m, rtol=1e-10, atol=1e-18)


@given(cases())
@settings(deadline=None, max_examples=60)
def test_watches_are_distances_and_one_sided_velocities(case: Case) -> None:
    data, (stage, live, y) = case.data, opened(case)
    values, rates = watch(stage, y, noise(data))
    for j, neuron in enumerate(live.tolist()):
        gap, pin = int(case.pattern.gap[neuron]), int(case.pattern.pin[neuron])
        if pin >= 0:
            right, left = one_sided_velocities(data, case.b, case.c, neuron, pin)
            threshold = thresholds(data, case.c)[neuron]
            np.testing.assert_allclose(
                values[:, j], [threshold - right, threshold + left], rtol=1e-9, atol=1e-11
            )
            continue
        speed = velocity(stage, y)[stage.slot[j]]
        assert rates[0, j] == -rates[1, j] == speed
        assert values[1, j] == np.float64(data.x[gap] - origin(data)) - (case.b[neuron] - origin(data))
        if gap > 0:
            np.testing.assert_allclose(values[0, j], case.b[neuron] - data.x[gap - 1], atol=1e-14)
        else:
            assert values[0, j] > 1e299


@given(cases())
@settings(deadline=None, max_examples=60)
def test_unknowns_find_their_places(case: Case) -> None:
    start = Point.of(case.b, case.c, case.pattern.gap, case.pattern.pin)
    stage, live, y = open_stage(case.data, start)
    b, c = spread(case.data, start, live, stage.slot, y)
    np.testing.assert_allclose(b, case.b, rtol=0.0, atol=4e-15)
    assert (c == case.c).all()
    still = (case.pattern.pin >= 0) | (case.pattern.gap == case.data.m)
    assert (b[still] == case.b[still]).all()
