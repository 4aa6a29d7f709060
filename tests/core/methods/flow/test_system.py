"""The flow's compiled equations and their solver, against matrices formed from the definitions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.methods.flow.elimination import Factors, factorise, solve_factored
from core.methods.flow.events import LiveStage, Point, open_stage, spread
from core.methods.flow.rest import find_way
from core.methods.flow.system import bound_rates, find_loss, find_velocity, form_base, move_base
from core.methods.flow.watches import read_watches
from core.model.loss import mean_loss
from core.problem.data import TrainingData
from core.types import FloatArray
from tests.core import dense
from tests.core.dense import Case, cases
from tests.core.pinned import one_sided_velocities


def weighted(case: Case, seed: int) -> TrainingData:
    rng = np.random.default_rng(seed)
    w = rng.integers(1, 6, case.data.m).astype(float) if seed % 2 else np.ones(case.data.m)
    return TrainingData(case.data.x, case.data.y, w=w, halved=seed % 3 == 2)


def opened(case: Case, seed: int) -> tuple[TrainingData, LiveStage]:
    """The stage of a case; pinned biases stand on their data in these cases."""
    data = weighted(case, seed)
    return data, open_stage(data, Point.of(case.b, case.c, case.pattern.gap, case.pattern.pin))


def columns(data: TrainingData, case: Case, stage: LiveStage) -> FloatArray:
    """Derivative of f at the data by the biases, then by the coefficients, of live neurons; 0 for pinned
    biases."""
    live = stage.live
    active = np.arange(data.m)[:, None] >= case.pattern.gap[live]
    by_b = -case.c[live] * active * (case.pattern.pin[live] < 0)
    return np.hstack([by_b, (data.x[:, None] - case.b[live]) * active])


def velocity_of(stage: LiveStage, change: FloatArray) -> FloatArray:
    out, sums = np.empty((2, stage.live.size)), np.empty_like(stage.base.residual)
    find_velocity(stage.system, stage.base, change, sums, out)
    return out


many = st.integers(0, 60)


@given(cases(), many)
@settings(deadline=None, max_examples=80)
def test_velocity_is_minus_the_gradient(case: Case, seed: int) -> None:
    data, stage = opened(case, seed)
    a, r = columns(data, case, stage), data.w * dense.residual(data, case.b, case.c)
    expected = -data.s * a.T @ r
    size = data.s * np.abs(a).T @ np.abs(r)
    still = np.zeros((2, stage.live.size))
    assert (np.abs(velocity_of(stage, still).ravel() - expected) <= 1e-11 * (size + 1e-2)).all()
    loss = find_loss(stage.system, stage.base.residual)
    np.testing.assert_allclose(loss, mean_loss(data, case.b, case.c), rtol=1e-10, atol=1e-18)
    np.testing.assert_allclose(
        bound_rates(stage.system, stage.base.b, stage.base.c),
        data.s * np.sum(data.w[:, None] * a**2), rtol=1e-10,
    )  # fmt: skip


@given(cases(), many)
@settings(deadline=None, max_examples=60)
def test_changes_from_a_base_are_what_a_new_base_says(case: Case, seed: int) -> None:
    _, stage = opened(case, seed)
    change = 1e-3 * np.random.default_rng(seed).normal(size=(2, stage.live.size))
    change[0] *= stage.free
    moved = move_base(stage.system, stage.base, change)
    fresh = form_base(stage.system, stage.base.b + change[0], stage.base.c + change[1])
    size = 1.0 + np.abs(fresh.residual).max(initial=0.0) + np.abs(stage.base.c).sum()
    np.testing.assert_allclose(moved.residual, fresh.residual, rtol=0, atol=1e-11 * size)


def hessian_of(data: TrainingData, case: Case, stage: LiveStage) -> FloatArray:
    """Of the loss that is followed, in all live (b, c): rows and columns of pinned biases are 0."""
    a, n = columns(data, case, stage), stage.live.size
    h = a.T @ (data.w[:, None] * a)
    r = data.w * dense.residual(data, case.b, case.c)
    for j, neuron in enumerate(stage.live.tolist()):
        if stage.free[j]:
            seen = float(r[case.pattern.gap[neuron] :].sum())
            h[j, n + j] -= seen
            h[n + j, j] -= seen
    return data.s * h


def factors_of(stage: LiveStage, h: float, shift: complex | float) -> Factors:
    n = stage.live.size
    sums = np.empty_like(stage.base.residual)
    find_velocity(stage.system, stage.base, np.zeros((2, n)), sums, np.empty((2, n)))
    return factorise(stage.system, stage.base.b, stage.base.c, sums, h, shift)


@given(cases(), many, st.sampled_from([1e-6, 1e-2, 1.0, 1e3]), st.sampled_from([1.0, 2.7, 1.3 + 2.1j]))
@settings(deadline=None, max_examples=150)
def test_linear_systems_are_solved_in_one_pass(
    case: Case, seed: int, h: float, shift: complex | float
) -> None:
    data, stage = opened(case, seed)
    n = stage.live.size
    if n == 0:
        return
    factors = factors_of(stage, h, shift)
    matrix = shift * np.eye(2 * n) + h * hessian_of(data, case, stage)
    for j in range(n):  # a coupling that would spoil the matrix is weakened there
        used = -factors.coupling[j] * shift
        matrix[j, n + j] += used - (matrix[j, n + j] - _without(data, case, stage, h)[j, n + j])
        matrix[n + j, j] += used - (matrix[n + j, j] - _without(data, case, stage, h)[n + j, j])
    r = np.random.default_rng(seed).normal(size=(2, n)).astype(type(shift))
    r[0] *= stage.free
    out = np.empty((2, n), dtype=type(shift))
    nothing = np.zeros_like(stage.base.residual)
    solve_factored(stage.system, factors, r, nothing, out)
    wanted = np.linalg.solve(matrix, r.ravel())
    if np.linalg.cond(matrix) < 1e9:
        np.testing.assert_allclose(out.ravel(), wanted, rtol=0, atol=1e-6 * np.abs(wanted).max())
        defect = matrix @ out.ravel() - r.ravel()
        size = np.abs(matrix) @ np.abs(out.ravel()) + np.abs(r.ravel())
        assert (np.abs(defect) <= 1e-9 * size.max()).all()


def _without(data: TrainingData, case: Case, stage: LiveStage, h: float) -> FloatArray:
    """h J^T J s, without the coupling of a bias with its own coefficient."""
    a = columns(data, case, stage)
    return h * data.s * a.T @ (data.w[:, None] * a)


@given(cases(), many)
@settings(deadline=None, max_examples=60)
def test_the_rest_of_the_way_leads_to_the_floor(case: Case, seed: int) -> None:
    data, stage = opened(case, seed)
    if stage.live.size == 0:
        return
    a = np.sqrt(data.w)[:, None] * columns(data, case, stage)
    r = np.sqrt(data.w) * dense.residual(data, case.b, case.c)
    way = np.empty((2, stage.live.size))
    find_way(stage.system, stage.base, way)
    least = np.linalg.lstsq(a, -r, rcond=1e-10)[0]
    left, floor = r + a @ way.ravel(), r + a @ least
    assert left @ left == pytest.approx(floor @ floor, rel=1e-6, abs=1e-6 * float(r @ r) + 1e-18)


@given(cases(), many)
@settings(deadline=None, max_examples=60)
def test_watches_are_distances_and_one_sided_velocities(case: Case, seed: int) -> None:
    data, stage = opened(case, seed)
    n = stage.live.size
    watches = read_watches(stage.system, stage.base, np.zeros((2, n)), stage.levels)
    speed = velocity_of(stage, np.zeros((2, n)))
    for j, neuron in enumerate(stage.live.tolist()):
        gap, pin = int(case.pattern.gap[neuron]), int(case.pattern.pin[neuron])
        if pin >= 0:
            right, left = one_sided_velocities(data, case.b, case.c, neuron, pin)
            held = stage.levels.noise * max(abs(case.c[neuron]), stage.levels.small)
            np.testing.assert_allclose(
                watches.value[:, j], [held - right, held + left], rtol=1e-8, atol=1e-10
            )
            continue
        assert watches.rate[0, j] == -watches.rate[1, j] == speed[0, j]
        np.testing.assert_allclose(watches.value[1, j], data.x[gap] - case.b[neuron], atol=1e-13)
        if gap > 0:
            np.testing.assert_allclose(watches.value[0, j], case.b[neuron] - data.x[gap - 1], atol=1e-13)
        else:
            assert watches.value[0, j] > 1e299


@given(cases(), many)
@settings(deadline=None, max_examples=60)
def test_unknowns_find_their_places(case: Case, seed: int) -> None:
    data, stage = opened(case, seed)
    b, c = spread(stage, stage.base.b, stage.base.c)
    np.testing.assert_allclose(b, case.b, rtol=0.0, atol=4e-15)
    assert (c == case.c).all()
    still = (case.pattern.pin >= 0) | (case.pattern.gap == data.m)
    assert (b[still] == case.b[still]).all()
