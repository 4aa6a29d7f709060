"""The order of every sum, spelled out a second time in plain Python floats."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.portable.sums import (
    cumulative_from_right,
    dot,
    squared_distance,
    sum_of_squares,
    total,
    weighted_square,
)
from core.types import FloatArray

LENGTHS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 31, 100, 1003]
vectors = st.lists(st.floats(-1e100, 1e100), max_size=40).map(np.array)


def in_lanes(terms: list[float]) -> float:
    whole = len(terms) // 4 * 4
    lanes = [0.0] * 4
    for i, term in enumerate(terms[:whole]):
        lanes[i % 4] += term
    result = (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])
    for term in terms[whole:]:
        result += term
    return result


def drawn(length: int, number: int) -> FloatArray:
    rng = np.random.default_rng([number, length])
    return rng.standard_normal(length) * 10.0 ** rng.integers(-8, 8, length)


@pytest.mark.parametrize("length", LENGTHS)
def test_order(length: int) -> None:
    u, v = drawn(length, 0), drawn(length, 1)
    a, b = u.tolist(), v.tolist()
    assert total(v) == in_lanes(b)
    assert dot(u, v) == in_lanes([p * q for p, q in zip(a, b, strict=True)])
    assert sum_of_squares(v) == in_lanes([q * q for q in b])
    assert squared_distance(u, v) == in_lanes([(p - q) * (p - q) for p, q in zip(a, b, strict=True)])
    assert weighted_square(u, v) == in_lanes([p * (q * q) for p, q in zip(a, b, strict=True)])
    suffixes = [0.0]
    for value in reversed(b):
        suffixes.append(suffixes[-1] + value)
    assert cumulative_from_right(v).tolist() == suffixes[::-1]


@given(vectors)
def test_error_is_that_of_a_sum(v: FloatArray) -> None:
    exact = sum((Fraction(value) for value in v.tolist()), Fraction(0))
    bound = Fraction(len(v), 2**53) * sum((abs(Fraction(value)) for value in v.tolist()), Fraction(0))
    assert abs(Fraction(total(v)) - exact) <= bound * Fraction(101, 100)
    assert abs(Fraction(float(cumulative_from_right(v)[0])) - exact) <= bound * Fraction(101, 100)


def test_unit_weights_are_no_weights() -> None:
    v = drawn(101, 2)
    assert weighted_square(np.ones(101), v) == sum_of_squares(v) == dot(v, v)


def test_strides_do_not_matter() -> None:
    u, v = drawn(202, 3), drawn(202, 4)
    assert dot(u[::2], v[::-2]) == dot(u[::2].copy(), v[::-2].copy())
    assert total(v[::-1]) == total(v[::-1].copy())


@pytest.mark.parametrize("length", [1, 3, 4, 9])
@pytest.mark.parametrize("place", ["first", "last"])
def test_infinities_and_nans_propagate(length: int, place: str) -> None:
    v = np.ones(length)
    where = 0 if place == "first" else -1
    for value in (np.inf, -np.inf):
        v[where] = value
        assert total(v) == dot(v, np.ones(length)) == value
        assert cumulative_from_right(v)[0] == value
        assert sum_of_squares(v) == weighted_square(np.ones(length), v) == np.inf
    v[where] = np.nan
    for result in (total(v), dot(v, v), sum_of_squares(v), weighted_square(v, v)):
        assert np.isnan(result)
    assert np.isnan(cumulative_from_right(v)[0])


def test_every_nan_has_the_same_bits() -> None:
    v = np.array([np.inf, 1.0, -np.inf, 2.0, -np.nan])
    results = [total(v), total(v[:3]), dot(v, v), dot(v[:1], np.zeros(1))]
    results += [*cumulative_from_right(v)[:5].tolist(), weighted_square(np.zeros(1), v[:1])]
    assert {np.float64(result).view(np.uint64) for result in results} == {np.float64(np.nan).view(np.uint64)}


@pytest.mark.parametrize("function", [dot, weighted_square])
def test_lengths_must_agree(function: Callable[..., Any]) -> None:
    with pytest.raises(ValueError, match="differ in length"):
        function(np.ones(3), np.ones(4))


def test_nothing_sums_to_nothing() -> None:
    empty = np.empty(0)
    assert total(empty) == dot(empty, empty) == sum_of_squares(empty) == weighted_square(empty, empty) == 0.0
    assert cumulative_from_right(empty).tolist() == [0.0]
