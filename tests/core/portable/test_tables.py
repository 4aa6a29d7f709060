"""Every constant against mpmath: tables, pieces and digits are right to their last bit."""

import numpy as np
import pytest
from mpmath import mp, mpf

from core.portable import tables
from core.portable.pairs import bits_float

PAIR = mpf(2) ** -104
"""Relative error of a value in a pair of doubles: two roundings of 2^-53, with some room."""


def pair(hi: float, lo: float) -> mpf:
    return mpf(float(hi)) + mpf(float(lo))


@pytest.fixture(autouse=True)
def precision() -> object:
    with mp.workprec(1700):
        yield


def test_constants() -> None:
    assert abs(pair(*tables.LN2) - mp.log(2)) < mpf(2) ** -95
    assert tables.LN2[0] * 2**42 == int(tables.LN2[0] * 2**42)
    for value, exact in [
        (tables.INVERSE_LN2, 1 / mp.log(2)),
        (tables.INVERSE_LN10, 1 / mp.log(10)),
        (tables.PI, mp.pi),
        (tables.HALF_PI, mp.pi / 2),
    ]:
        assert abs(pair(*value) / exact - 1) < PAIR
        assert value[0] == float(exact)


@pytest.mark.parametrize(
    ("pieces", "widths"), [(tables.EXP_STEP, [34, 34]), (tables.QUARTER_TURN, [33, 33, 33])]
)
def test_pieces(pieces: list[float], widths: list[int]) -> None:
    exact = mp.log(2) / tables.EXP_STEPS if pieces is tables.EXP_STEP else mp.pi / 2
    assert abs(sum(map(mpf, pieces)) / exact - 1) < mpf(2) ** -(sum(widths) + 50)
    for piece, width in zip(pieces, widths, strict=False):
        mantissa = abs(mpf(piece)).man
        assert int(mantissa).bit_length() <= width


def test_reciprocals() -> None:
    for i, (c, hi, lo) in enumerate(tables.LOG_TABLE):
        assert c * 512 == int(c * 512)
        assert hi * 2**42 == int(hi * 2**42)
        assert abs(pair(hi, lo) + mp.log(mpf(float(c)))) < mpf(2) ** -96
        ends = [bits_float(tables.LOG_START + (place << 44) - below) for place, below in ((i, 0), (i + 1, 1))]
        # below 0.6875 * 2 = 1.375 the binade of the table ends
        largest = max(abs(end * c - 1.0) for end in ends)
        assert largest <= 2.0**-8
        # the series adds the offset first, as the larger term
        assert hi == 0.0 or abs(hi) > largest
        assert (c == 1.0) == (ends[0] <= 1.0 <= bits_float(tables.LOG_START + (i + 1 << 44)))


def test_steps_of_the_exponential() -> None:
    for j, (hi, lo) in enumerate(tables.EXP_TABLE):
        assert abs(pair(hi, lo) / mpf(2) ** (mpf(j) / tables.EXP_STEPS) - 1) < PAIR


def test_sines() -> None:
    for j, (sine, sine_low, cosine, cosine_low) in enumerate(tables.SINE_TABLE):
        angle = mpf(j) / tables.ANGLE_STEPS
        assert abs(pair(sine, sine_low) - mp.sin(angle)) <= PAIR * mp.sin(angle)
        assert abs(pair(cosine, cosine_low) - mp.cos(angle)) <= PAIR
    assert len(tables.SINE_TABLE) > np.pi / 4 * tables.ANGLE_STEPS + 1


def test_arctangents() -> None:
    for j, (hi, lo) in enumerate(tables.ARCTANGENT_TABLE):
        exact = mp.atan(mpf(j) / tables.ANGLE_STEPS)
        assert abs(pair(hi, lo) - exact) <= PAIR * exact


def test_digits_of_turns() -> None:
    digits = sum(int(d) << tables.TURN_BITS * i for i, d in enumerate(reversed(tables.TURN_TABLE.tolist())))
    assert digits == int(2 / mp.pi * mpf(2) ** (tables.TURN_BITS * (tables.TURN_LIMBS - 3)))
