"""The O(n) gradient against the definition, with and without pinned neurons."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.methods.stepping.gradient import suffix_sums
from core.methods.stepping.slots import (
    COUNT,
    R0,
    R1,
    SX,
    SXX,
    SXY,
    SY,
    X0,
    X1,
    Network,
    Slots,
    Sums,
    count_live,
    list_pinned,
    load,
    move_to_gap,
    sums_of,
)
from core.model.pattern.hopping import no_hops
from core.types import FloatArray, IntArray
from tests.core.naive import gradient
from tests.problems import DEGENERATE, FIVE, Problem, random_problem

SUMS = [COUNT, SX, SXX, SY, SXY]


def loaded(p: Problem, order: IntArray, pin: IntArray, b: FloatArray) -> tuple[Sums, Slots]:
    sums = sums_of(p.data)
    recent = np.full((2, len(b)), -1, dtype=np.int64)
    return sums, load(sums, Network(b, p.c, order, pin, np.zeros(len(b)), recent, no_hops(len(b))))


def gradient_of_slots(p: Problem, order: IntArray, pin: IntArray) -> tuple[FloatArray, FloatArray]:
    """dL/db and dL/dc from the slots, in neuron order."""
    sums, slots = loaded(p, order, pin, p.b)
    F = slots.F
    F[R0] = F[R1] = 0.0
    pinned = list_pinned(sums, slots)
    suffix_sums(count_live(slots, len(p.x)), sums.middle, slots.F, slots.P, slots.R, pinned)
    db, dc = np.empty_like(p.b), np.empty_like(p.b)
    seen = F[R0] + F[X0]
    db[order] = -sums.scale * p.c[order] * seen
    dc[order] = sums.scale * (F[R1] + F[X1] - (p.b[order] - sums.middle) * seen)
    return db, dc


def canonical_order(p: Problem, pin: IntArray) -> IntArray:
    gap = np.where(pin >= 0, pin + 1, np.searchsorted(p.x, p.b, side="right"))
    return np.argsort(gap, kind="stable").astype(np.int64)


def nearest_pins(p: Problem, which: list[bool]) -> IntArray:
    """Pin the named neurons to their nearest datum but the last: any datum beside a bias will do."""
    pin = np.full(len(p.b), -1, dtype=np.int64)
    for j in np.flatnonzero(which):
        gap = int(np.searchsorted(p.x, p.b[j], side="right"))
        beside = [k for k in (gap - 1, gap) if 0 <= k < len(p.x) - 1]
        if beside:
            pin[j] = min(beside, key=lambda k: abs(p.x[k] - p.b[j]))
    return pin


@pytest.mark.parametrize("p", [*DEGENERATE.values(), FIVE], ids=[*DEGENERATE, "five"])
@pytest.mark.parametrize("pinned", [False, True])
def test_gradient_of_the_degenerate(p: Problem, pinned: bool) -> None:
    pin = nearest_pins(p, [pinned] * len(p.b))
    db, dc = gradient_of_slots(p, canonical_order(p, pin), pin)
    wanted_db, wanted_dc = gradient(p.x, p.y, p.b, p.c)
    size = 1.0 + np.abs(p.x - sums_of(p.data).middle).max() * np.abs(p.c).sum()
    np.testing.assert_allclose(db, wanted_db, atol=1e-14 * size**2, rtol=0)
    np.testing.assert_allclose(dc, wanted_dc, atol=1e-14 * size**2, rtol=0)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 10**6),
    st.integers(2, 40),
    st.integers(1, 30),
    st.sampled_from([0.0, 1e3]),
    st.booleans(),
    st.data(),
)
def test_gradient_by_the_definition(
    seed: int, m: int, n: int, middle: float, weighted: bool, draw: st.DataObject
) -> None:
    p = random_problem(seed, m, n, middle, weighted=weighted)
    pin = nearest_pins(p, draw.draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    db, dc = gradient_of_slots(p, canonical_order(p, pin), pin)
    wanted_db, wanted_dc = gradient(p.x, p.y, p.b, p.c, p.w)
    # Far from zero the reference itself loses the digits of x - b.
    rounding = 1e-13 * (1.0 + middle)
    np.testing.assert_allclose(db, wanted_db, atol=rounding, rtol=0)
    np.testing.assert_allclose(dc, wanted_dc, atol=rounding, rtol=0)


def test_sums_of_a_small_segment_among_many_data_are_exact() -> None:
    """Plain prefix sums would leave an error of 1e-12 here."""
    p = random_problem(0, 10_000, 1)
    sums = sums_of(p.data)
    table = sums.table
    for k in (3, 5_000, 9_990):
        z = [Fraction(float(v)) for v in (p.x - sums.middle)[k : k + 2]]
        y = [Fraction(float(v)) for v in p.y[k : k + 2]]
        got = (table[k + 2, :5] - table[k, :5]) + (table[k + 2, 5:] - table[k, 5:])
        wanted = [2, sum(z), sum(v * v for v in z), sum(y), sum(a * b for a, b in zip(z, y, strict=True))]
        np.testing.assert_allclose(got, [float(v) for v in wanted], rtol=1e-15, atol=1e-18)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 12), st.integers(1, 12), st.data())
def test_moving_a_neuron_is_the_same_as_loading_it_there(
    seed: int, m: int, n: int, draw: st.DataObject
) -> None:
    p = random_problem(seed, m, n, weighted=True)
    free = np.full(n, -1, dtype=np.int64)
    order = canonical_order(p, free)
    b = p.b.copy()
    sums, slots = loaded(p, order, free, b)
    ends = np.concatenate(([p.x[0] - 1.0], p.x, [p.x[-1] + 1.0]))
    for _ in range(5):
        j = draw.draw(st.integers(0, n - 1))
        target = draw.draw(st.integers(0, m))
        b[j] = 0.5 * (ends[target] + ends[target + 1])
        move_to_gap(sums, slots, slots.slot[j], target)
    assert (np.diff(slots.gap) >= 0).all()
    assert sorted(order.tolist()) == list(range(n))
    assert (order[slots.slot] == np.arange(n)).all()
    _, again = loaded(p, order.copy(), free, b)
    assert (again.gap == slots.gap).all()
    assert (again.F[SUMS] == slots.F[SUMS]).all()
