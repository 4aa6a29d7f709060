from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import theory
from core.model.network import evaluate
from core.model.pattern import Pattern, pattern_of
from core.problem.data import TrainingData
from core.theory.floor import occupancy, project
from core.types import FloatArray
from tests.core import dense
from tests.core.dense import Case, cases


def check_floor(case: Case) -> None:
    data, pattern = case.data, case.pattern
    q = dense.basis(data.x, pattern, case.b)
    fit = q @ (q.T @ data.y)
    size = np.sqrt(np.mean(data.y**2))
    assert theory.rank(data.m, pattern) == q.shape[1]
    assert np.allclose(theory.best_fit(data, pattern), fit, rtol=0, atol=1e-11 * size)
    expected = np.mean((fit - data.y) ** 2)
    # a floor of 0 is a sum of squared rounding errors of both sides
    assert theory.floor(data, pattern) == pytest.approx(expected, rel=1e-9, abs=1e-22 * case.scale)
    r = dense.residual(data, case.b, case.c)
    above = np.mean((q.T @ r) ** 2) * q.shape[1] / data.m if q.size else 0.0
    scale = float(np.mean(r**2))
    computed = theory.excess(data, pattern, case.b, case.c)
    assert computed == pytest.approx(above, rel=1e-9, abs=1e-22 * scale)
    assert computed == pytest.approx(np.mean(r**2) - expected, rel=0, abs=1e-9 * scale)


@settings(max_examples=120, deadline=None)
@given(case=cases())
def test_floor_fit_rank_and_excess_equal_dense_projections(case: Case) -> None:
    check_floor(case)


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10**6), pinned=st.floats(0, 1))
def test_floor_of_wider_networks(seed: int, pinned: float) -> None:
    rng = np.random.default_rng(seed)
    x = np.linspace(-1, 1, 120)
    data = TrainingData(x, np.where(x < 0, np.sin(5 * np.pi * x), x) + 0.1 * rng.normal(size=x.size))
    b = rng.normal(0, np.sqrt(2), 40)
    pin = np.where((rng.random(40) < pinned) & (np.abs(b) < 1), np.searchsorted(x, b), -1)
    b = np.where(pin >= 0, x[np.maximum(pin, 0)], b)
    pattern = pattern_of(x, b, pin)
    columns = dense.jacobian(x, pattern, b)
    fit = columns @ np.linalg.lstsq(columns, data.y, rcond=1e-12)[0]
    assert theory.floor(data, pattern) == pytest.approx(np.mean((fit - data.y) ** 2), rel=1e-9)
    assert theory.rank(x.size, pattern) == np.linalg.matrix_rank(columns, tol=1e-9)


@settings(max_examples=50, deadline=None)
@given(case=cases())
def test_projection_is_idempotent_and_orthogonal(case: Case) -> None:
    data, kind = case.data, occupancy(case.data.m, case.pattern)
    once = project(data, data.y, kind)
    assert np.allclose(project(data, once, kind), once, rtol=0, atol=1e-13 * (1 + np.abs(once).max()))
    f = evaluate(case.b, case.c, data.x)
    assert np.allclose(project(data, f, kind), f, rtol=0, atol=1e-12 * (1 + np.abs(f).max()))
    assert abs(once @ (case.data.y - once)) <= 1e-12 * (1 + case.data.y @ case.data.y)


@settings(max_examples=60, deadline=None)
@given(case=cases(pins=False))
def test_rank_without_pins_is_the_lemmas(case: Case) -> None:
    m, gap = case.data.m, np.sort(case.pattern.gap)
    u = np.diff(np.append(gap, m))
    expected = 2 * gap.size - 2 * np.sum(u == 0) - np.sum(u == 1)
    assert theory.rank(m, case.pattern) == expected


def test_floor_does_not_depend_on_where_the_origin_is() -> None:
    x, y = np.arange(40) / 32, np.cos(np.arange(40))
    gap = np.array([0, 7, 20, 30])
    pin = np.array([-1, 6, 19, -1])
    floors = [
        theory.floor(TrainingData(x + shift, y), pattern_of(x + shift, x[gap] - 1 / 64 + shift, pin))
        for shift in (0.0, 2.0**30)
    ]
    assert floors[0] == pytest.approx(floors[1], rel=1e-13)


def exact_floor(data: TrainingData, pattern: Pattern, b: FloatArray) -> tuple[float, int]:
    """Floor and rank in rational arithmetic: orthogonalise the columns one by one, without rounding."""
    columns = [
        [Fraction(float(entry)) for entry in column] for column in dense.jacobian(data.x, pattern, b).T
    ]
    rest = [Fraction(float(value)) for value in data.y]
    found: list[tuple[list[Fraction], Fraction]] = []

    def reduced(vector: list[Fraction]) -> list[Fraction]:
        for direction, square in found:
            along = sum((p * q for p, q in zip(vector, direction, strict=True)), Fraction(0)) / square
            vector = [p - along * q for p, q in zip(vector, direction, strict=True)]
        return vector

    for column in columns:
        new = reduced(column)
        square = sum((entry * entry for entry in new), Fraction(0))
        if square:
            found.append((new, square))
    return float(sum((entry * entry for entry in reduced(rest)), Fraction(0)) / data.m), len(found)


@settings(max_examples=40, deadline=None)
@given(
    powers=st.lists(st.integers(-20, 3), min_size=2, max_size=7),
    seed=st.integers(0, 10**6),
    width=st.integers(1, 4),
)
def test_floor_over_clustered_data_against_exact_arithmetic(powers: list[int], seed: int, width: int) -> None:
    """Distances from 2^-20 to 8, which no dense float reference would survive to nine digits."""
    rng = np.random.default_rng(seed)
    x = np.cumsum(2.0 ** np.array(powers))
    data = TrainingData(x, rng.integers(-9, 9, x.size) / 4)
    datum = rng.integers(0, x.size, width)
    pin = np.where(rng.random(width) < 0.6, datum, -1)
    b = x[datum] - np.where(pin < 0, 2.0**-21, 0.0)
    pattern = pattern_of(x, b, pin)
    expected, rank = exact_floor(data, pattern, b)
    assert theory.rank(x.size, pattern) == rank
    # Residuals round in proportion to y: in the floor's root that is an absolute error.
    size = float(np.sqrt(np.mean(data.y**2)))
    found = float(np.sqrt(theory.floor(data, pattern)))
    assert found == pytest.approx(np.sqrt(expected), rel=5e-13, abs=1e-15 * size)


def test_known_floors() -> None:
    x, y = np.array([0.0, 1.0, 2.0, 3.0]), np.array([1.0, 0.0, 2.0, 4.0])
    data = TrainingData(x, y)

    def at(b: list[float], pin: list[int]) -> float:
        return theory.floor(data, pattern_of(x, np.array(b), np.array(pin)))

    assert at([9.0], [-1]) == pytest.approx(21 / 4)  # dead: f = 0
    assert at([0.5], [-1]) == pytest.approx(1 / 4)  # the last three lie on a line, the first is out of reach
    assert at([0.0, 1.0], [0, 1]) == pytest.approx(1 / 4)  # bends from 0 at x = 0, which y does on the rest
    assert at([0.0], [0]) == pytest.approx((1 + 20 - 16**2 / 14) / 4)  # f = slope x
    assert at([-1.0, 0.5], [-1, -1]) == pytest.approx(0, abs=1e-30)
    assert at([3.0], [3]) == pytest.approx(21 / 4)  # pinned on the last datum is dead
