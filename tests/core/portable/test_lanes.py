"""The order of sums in eight lanes, spelled out a second time in plain Python floats."""

from collections.abc import Callable

import numpy as np
import pytest

from core.portable.lanes import lane_blend, lane_dot, running_sums, running_sums_back
from core.types import FloatArray
from tests.core.portable.test_sums import drawn

LENGTHS = [*range(26), 100, 600, 1003]


def in_eight_lanes(terms: list[float]) -> float:
    whole = len(terms) // 8 * 8
    s = [0.0] * 8
    for i, term in enumerate(terms[:whole]):
        s[i % 8] += term
    result = ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]))
    for term in terms[whole:]:
        result += term
    return result


def spelled_out(u: FloatArray, v: FloatArray) -> float:
    return in_eight_lanes([p * q for p, q in zip(u.tolist(), v.tolist(), strict=True)])


@pytest.mark.parametrize("length", LENGTHS)
def test_order(length: int) -> None:
    u, v = drawn(length, 0), drawn(length, 1)
    assert lane_dot(u, v) == spelled_out(u, v)


@pytest.mark.parametrize("length", LENGTHS)
def test_a_blend_is_written_and_multiplied(length: int) -> None:
    out, old, u, v = (drawn(length, number) for number in range(4))
    expected = [0.3 * p + -1.7 * q for p, q in zip(old.tolist(), u.tolist(), strict=True)]
    assert lane_blend(out, 0.3, old, -1.7, u, v) == spelled_out(np.array(expected), v)
    assert out.tolist() == expected
    assert lane_blend(old, 0.3, old, -1.7, u, v) == spelled_out(np.array(expected), v)
    assert old.tolist() == expected


def test_a_share_of_one_changes_nothing() -> None:
    old, u, v = (drawn(45, number) for number in range(3))
    expected = old + -0.7 * u
    lane_blend(old, 1.0, old, -0.7, u, v)
    assert old.tolist() == expected.tolist()


def test_rows_of_a_table_and_odd_addresses() -> None:
    """Vectors of eight are aligned to a single number, not to themselves."""
    table = drawn(7 * 21, 0).reshape(7, 21)
    for row in range(6):
        u, v = table[row], table[row + 1]
        assert lane_dot(u, v) == lane_dot(u.copy(), v.copy()) == spelled_out(u, v)
        assert lane_dot(u[row:], v[row:]) == spelled_out(u[row:], v[row:])


@pytest.mark.parametrize("place", [0, 7, 8, 10])
def test_infinities_and_nans_propagate(place: int) -> None:
    v, ones, out = np.ones(11), np.ones(11), np.empty(11)
    for value in (np.inf, -np.inf):
        v[place] = value
        assert lane_dot(v, ones) == lane_blend(out, 1.0, v, 1.0, ones, ones) == value
    v[place] = np.nan
    results = [lane_dot(v, ones), lane_dot(ones, -v), lane_blend(out, 1.0, v, 1.0, ones, ones)]
    v[place] = np.inf
    results.append(lane_dot(v, np.zeros(11)))
    assert {np.float64(result).view(np.uint64) for result in results} == {np.float64(np.nan).view(np.uint64)}


def test_lengths_must_agree() -> None:
    three, four = np.ones(3), np.ones(4)
    with pytest.raises(ValueError, match="differ in length"):
        lane_dot(three, four)
    for wrong in range(4):
        vectors = [four if k == wrong else three.copy() for k in range(4)]
        with pytest.raises(ValueError, match="differ in length"):
            lane_blend(vectors[0], 1.0, vectors[1], 1.0, vectors[2], vectors[3])


def test_strided_vectors_are_refused() -> None:
    with pytest.raises(Exception, match="contiguous"):
        lane_dot(np.ones(8)[::2], np.ones(4))


def running(terms: list[float]) -> list[float]:
    """Four by four, as the definition says."""
    before, found = 0.0, []
    whole = len(terms) // 4 * 4
    for i in range(0, whole, 4):
        p, q, r, s = terms[i : i + 4]
        own = [p, q + p, (r + q) + p, (s + r) + (q + p)]
        found += [before + value for value in own]
        before += own[3]
    for term in terms[whole:]:
        before += term
        found.append(before)
    return found


def running_back(terms: list[float]) -> list[float]:
    """What is left over at the right end first."""
    whole = len(terms) // 4 * 4
    before, found = 0.0, []
    for term in reversed(terms[whole:]):
        before += term
        found.append(before)
    for i in range(whole - 4, -1, -4):
        s, r, q, p = terms[i : i + 4]
        own = [p, q + p, (r + q) + p, (s + r) + (q + p)]
        found += [before + value for value in own]
        before += own[3]
    return found[::-1]


@pytest.mark.parametrize("length", LENGTHS)
def test_running_sums(length: int) -> None:
    v, out = drawn(length, 0), np.empty(length)
    running_sums(out, v)
    assert out.tolist() == running(v.tolist())
    running_sums_back(out, v)
    assert out.tolist() == running_back(v.tolist())
    expected = running(v.tolist())
    running_sums(v, v)
    assert v.tolist() == expected
    expected = running_back(v.tolist())
    running_sums_back(v, v)
    assert v.tolist() == expected


@pytest.mark.parametrize("function", [running_sums, running_sums_back])
def test_running_sums_are_as_long(function: Callable[..., None]) -> None:
    with pytest.raises(ValueError, match="differ in length"):
        function(np.ones(3), np.ones(4))
