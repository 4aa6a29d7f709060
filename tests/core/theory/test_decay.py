"""Theorem conti-loss-n along computed flows: single stages, integrated by SciPy from the definitions."""

from dataclasses import dataclass

import numpy as np
import pytest
from scipy.integrate import cumulative_simpson, solve_ivp

from core import theory
from core.model.pattern import Pattern, pattern_of
from core.problem.data import TrainingData
from core.types import FloatArray
from tests.core import dense


@dataclass(frozen=True)
class Stage:
    """Loss above the floor along a stage, and the integrals of s r_min and s r_max up to there."""

    excess: FloatArray
    slow: FloatArray
    fast: FloatArray
    floors: FloatArray


def follow(data: TrainingData, pattern: Pattern, b: FloatArray, c: FloatArray, until: float) -> Stage:
    x, n = data.x, b.size
    active = np.arange(x.size)[:, None] >= pattern.gap

    def flow(_: float, theta: FloatArray) -> FloatArray:
        hidden = np.where(active, x[:, None] - theta[:n], 0.0)
        r = hidden @ theta[n:] - data.y
        return 2 / x.size * np.concatenate([theta[n:] * (active.T @ r), -(hidden.T @ r)])

    fence = np.concatenate([[-np.inf], x, [np.inf]])

    def leaves(_: float, theta: FloatArray) -> float:
        return float(np.min(np.minimum(theta[:n] - fence[pattern.gap], fence[pattern.gap + 1] - theta[:n])))

    leaves.terminal = True  # type: ignore[attr-defined]
    way = solve_ivp(
        flow, (0.0, until), np.concatenate([b, c]), "DOP853", None, True, leaves, rtol=1e-11, atol=1e-13
    )
    assert way.success
    # the last instant, where a bias stands on a datum, belongs to the next stage
    times = np.linspace(0, way.t[-1] * 0.999, 201)
    states = way.sol(times).T
    rates = [theory.rates(data, pattern, state[:n], state[n:]) for state in states]
    floors, excess = [], []
    for state in states:
        q = dense.basis(x, pattern, state[:n])
        r = dense.residual(data, state[:n], state[n:])
        inside = q @ (q.T @ r)
        excess.append(np.mean(inside**2))
        floors.append(np.mean((r - inside) ** 2))
    scale = 2 / x.size
    slow = scale * cumulative_simpson([rate.r_min for rate in rates], x=times, initial=0)
    fast = scale * cumulative_simpson([rate.r_max for rate in rates], x=times, initial=0)
    return Stage(np.array(excess), slow, fast, np.array(floors))


def stages(count: int) -> list[tuple[TrainingData, Pattern, Stage]]:
    found = []
    for seed in range(count):
        rng = np.random.default_rng(seed)
        data = dense.sine(1, 12)
        b, c = rng.uniform(-1.3, 0.8, 3), rng.normal(size=3)
        pattern = pattern_of(data.x, b)
        found.append((data, pattern, follow(data, pattern, b, c, until=20.0)))
    return found


@pytest.fixture(scope="module")
def followed() -> list[tuple[TrainingData, Pattern, Stage]]:
    return stages(12)


def test_the_loss_stays_between_both_envelopes_with_the_factor_two(
    followed: list[tuple[TrainingData, Pattern, Stage]],
) -> None:
    for _, _, stage in followed:
        lower = stage.excess[0] * np.exp(-2 * stage.fast)
        upper = stage.excess[0] * np.exp(-2 * stage.slow)
        slack = 1e-9 * stage.excess[0]
        assert np.all(lower <= stage.excess + slack)
        assert np.all(stage.excess <= upper + slack)
    assert any(stage.excess[-1] < 0.5 * stage.excess[0] for _, _, stage in followed)


def test_the_lower_bound_as_printed_fails(followed: list[tuple[TrainingData, Pattern, Stage]]) -> None:
    violated = [
        np.any(stage.excess[0] * np.exp(-stage.fast) > 1.001 * stage.excess) for _, _, stage in followed
    ]
    assert any(violated)


def test_the_floor_is_constant_in_a_stage_and_known_from_the_pattern_alone(
    followed: list[tuple[TrainingData, Pattern, Stage]],
) -> None:
    for data, pattern, stage in followed:
        assert np.allclose(stage.floors, theory.floor(data, pattern), rtol=1e-10, atol=0)
