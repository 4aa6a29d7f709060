"""The constants of the elementary functions, computed with integers when the package is imported.

A table of doubles says nothing about where it comes from, and a table made by a
mathematical library would be that library's. Here every entry is a series in
fixed point: the integer V stands for V / 2^160, a division truncates, and the few
hundred truncations of a series cost ten of the bits. What is stored is V rounded
to the nearest pair of doubles, which Python's division of integers does exactly.
"""

import numpy as np

from ..types import FloatArray, IntArray
from .pairs import Pair

BITS = 160
ONE = 1 << BITS

LOG_INTERVALS = 256
"""Intervals of a binade, each with an approximate reciprocal c: |m c - 1| < 2^-8."""
LOG_START = 0x3FE6000000000000
"""Bits of 0.6875, where a binade of the logarithm begins, so that 1 lies inside and c = 1 around it."""
EXP_STEPS = 128
"""Steps 2^(j / 128) of a factor of two."""
ANGLE_STEPS = 128
"""Steps j / 128 of an angle or of a tangent."""
TURN_BITS = 27
"""Bits of a limb of 2 / pi: two products of limbs and a carry fit into 63 bits."""
TURN_LIMBS = 54
"""Limbs of 2 / pi, the first three zero: 1024 bits of exponent and 250 bits of a fraction."""


def atanh_series(numerator: int, denominator: int, sign: int, one: int = ONE) -> int:
    """The sum of sign^i t^(2i+1) / (2i+1) for t = numerator / denominator: artanh, or arctan if sign = -1."""
    power = one * numerator // denominator
    total, i = 0, 0
    while power:
        total += sign**i * power // (2 * i + 1)
        power = power * numerator**2 // denominator**2
        i += 1
    return total


def fixed_logarithm(numerator: int, denominator: int) -> int:
    """log(p / q) = 2 artanh((p - q) / (p + q))."""
    if numerator < denominator:
        return -fixed_logarithm(denominator, numerator)
    return 2 * atanh_series(numerator - denominator, numerator + denominator, 1)


def circle(one: int = ONE) -> int:
    """pi = 16 arctan(1/5) - 4 arctan(1/239) (Machin)."""
    return 16 * atanh_series(1, 5, -1, one) - 4 * atanh_series(1, 239, -1, one)


def fixed_exponential(value: int) -> int:
    """The sum of t^i / i!."""
    term, total, i = ONE, 0, 0
    while term:
        total += term
        i += 1
        term = term * value // (i << BITS)
    return total


def sine_and_cosine(numerator: int, denominator: int) -> tuple[int, int]:
    """The alternating sums of t^i / i! over odd and even i."""
    term, sums, i = ONE, [0, 0], 0
    while term:
        sums[i % 2] += -term if i % 4 >= 2 else term
        i += 1
        term = term * numerator // (denominator * i)
    return sums[1], sums[0]


def as_pair(value: int, fraction_bits: int | None = None, one: int = ONE) -> Pair:
    """The nearest double (or multiple of 2^-fraction_bits) and the nearest double to the rest."""
    if fraction_bits is None:
        hi = value / one
    else:
        hi = round(value * 2**fraction_bits / one) / 2**fraction_bits
    numerator, denominator = hi.as_integer_ratio()
    return hi, (value - numerator * one // denominator) / one


def as_pieces(value: int, widths: list[int], one: int = ONE) -> list[float]:
    """A value between 1/2^j and 1 cut into pieces of so many bits, and the double nearest to the rest."""
    pieces, depth = [], value.bit_length() - one.bit_length() + 1
    for width in widths:
        depth -= width
        unit = one >> -depth if depth < 0 else one << depth
        pieces.append(value // unit * unit / one)
        value %= unit
    return [*pieces, value / one]


def _log_table() -> FloatArray:
    """Columns c, and the pair -log c whose first part is a multiple of 2^-42.

    c is the reciprocal of the middle of its interval in nine bits after the
    point: m c has then 63 bits at most, in two exact products. Multiples of
    2^-42 below 2^11 add up without error.
    """
    start = int(LOG_INTERVALS * 2 * 0.6875)
    rows = []
    for i in range(start, start + LOG_INTERVALS):
        # the interval is [left, right) / 1024, half as wide below 1 as above
        left, right = (2 * i, 2 * i + 2) if i < 512 else (4 * i - 1024, 4 * i - 1020)
        c = round(2 * 1024 * 512 / (left + right))
        if left <= 1024 <= right:
            c = 512
        rows.append((c / 512, *as_pair(-fixed_logarithm(c, 512), 42)))
    return np.array(rows)


def _exp_table() -> FloatArray:
    """Columns: the pair 2^(j / 128)."""
    step = fixed_logarithm(2, 1)
    return np.array([as_pair(fixed_exponential(step * j // EXP_STEPS)) for j in range(EXP_STEPS)])


def _sine_table() -> FloatArray:
    """Columns: the pairs sin(j / 128) and cos(j / 128), for angles up to pi / 4."""
    angles = range(ANGLE_STEPS * 4 // 5)
    values = [sine_and_cosine(j, ANGLE_STEPS) for j in angles]
    return np.array([(*as_pair(sine), *as_pair(cosine)) for sine, cosine in values])


def _arctangent_table() -> FloatArray:
    """Columns: the pair arctan(j / 128), each from the one before by the addition theorem."""
    value, rows = 0, []
    for j in range(ANGLE_STEPS + 1):
        rows.append(as_pair(value))
        value += atanh_series(ANGLE_STEPS, ANGLE_STEPS**2 + j * (j + 1), -1)
    return np.array(rows)


def _turn_table() -> IntArray:
    """2 / pi in limbs of 27 bits, the most significant first, after three of zeros."""
    count = TURN_BITS * (TURN_LIMBS - 3)
    one = 1 << (count + 64)
    digits = (2 * one * one // circle(one)) >> 64
    mask = (1 << TURN_BITS) - 1
    return np.array([digits >> (count - TURN_BITS * (i - 2)) & mask for i in range(TURN_LIMBS)])


LOG_TABLE, EXP_TABLE, SINE_TABLE, ARCTANGENT_TABLE = (
    _log_table(),
    _exp_table(),
    _sine_table(),
    _arctangent_table(),
)
TURN_TABLE = _turn_table()

LN2 = as_pair(fixed_logarithm(2, 1), 42)
"""First part a multiple of 2^-42: any exponent times it is exact."""
INVERSE_LN2 = as_pair(ONE * ONE // fixed_logarithm(2, 1))
INVERSE_LN10 = as_pair(ONE * ONE // fixed_logarithm(10, 1))
PI = as_pair(circle())
HALF_PI = as_pair(circle() // 2)
EXP_STEP = as_pieces(fixed_logarithm(2, 1) // EXP_STEPS, [34, 34])
"""log 2 / 128 in pieces that any number of steps, below 2^18, multiplies without error."""
QUARTER_TURN = as_pieces(circle() // 2, [33, 33, 33])
"""pi / 2 in pieces that a number of quarter turns below 2^20 multiplies without error."""
