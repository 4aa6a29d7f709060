"""Logarithms, and the pair behind them that powers share.

    x = 2^k m,   m c = 1 + r,   log x = k log 2 - log c + log(1 + r)

with c one of 256 short reciprocals (core.portable.tables), so that r, |r| < 2^-8, is found without
error, and with c = 1 on both sides of 1, so that log x = log(1 + r) where it vanishes. The first
three terms of r - r²/2 + r³/3 - ... are pairs; what is left to plain doubles is below 2^-26 of the
result, its rounding below 2^-78. The other bases are a product of pairs.
"""

from ..compiled import compiled_ieee
from .pairs import (
    INFINITY,
    NAN,
    Pair,
    bits_float,
    fast_two_sum,
    float_bits,
    halve,
    multiply,
    power_of_two,
    two_product,
    two_sum,
)
from .tables import INVERSE_LN2, INVERSE_LN10, LN2, LOG_INTERVALS, LOG_START, LOG_TABLE

LN2_1, LN2_2 = LN2
INVERSE_LN2_1, INVERSE_LN2_2 = INVERSE_LN2
INVERSE_LN10_1, INVERSE_LN10_2 = INVERSE_LN10
SUBNORMAL = 2.0**-1022


@compiled_ieee
def logarithm_series(offset: float, offset_low: float, r: float, r_low: float) -> Pair:
    """offset + log(1 + r) for |r| <= 2^-8 and an offset of 0 or larger than r."""
    square, square_low = two_product(r, r)
    third = r / 3.0
    third_low = (r - 3.0 * third + r_low) / 3.0
    cube, cube_low = two_product(square, third)
    cube_low += square * third_low + square_low * third
    tail = 1 / 4 - r * (1 / 5 - r * (1 / 6 - r * (1 / 7 - r * (1 / 8 - r * (1 / 9 - r * (1 / 10))))))
    s, e1 = fast_two_sum(offset, r)
    s, e2 = fast_two_sum(s, -0.5 * square)
    s, e3 = fast_two_sum(s, cube)
    small = offset_low + (r_low - r * r_low) + (cube_low - 0.5 * square_low)
    return fast_two_sum(s, e1 + (e2 + (e3 + (small - square * square * tail))))


@compiled_ieee
def logarithm(x: float, x_low: float) -> Pair:
    """log(x + x_low) for 0 < x < inf and |x_low| <= ulp(x) / 2, with a relative error of 2^-75."""
    k = 0
    if x < SUBNORMAL:
        x *= 2.0**54
        k = -54
    bits = float_bits(x)
    position = bits - LOG_START
    exponent = position >> 52
    i = (position >> 44) & (LOG_INTERVALS - 1)
    c = LOG_TABLE[i, 0]
    m1, m0 = halve(bits_float(bits - (exponent << 52)))
    # c has ten bits, so that all but the last sum is exact
    r, r_low = two_sum(m1 * c - 1.0, m0 * c)
    if x_low != 0.0:
        r_low += x_low * power_of_two(-min(exponent, 1022)) * c
        r, r_low = two_sum(r, r_low)
    k += exponent
    return logarithm_series(k * LN2_1 + LOG_TABLE[i, 1], k * LN2_2 + LOG_TABLE[i, 2], r, r_low)


@compiled_ieee
def beyond(x: float) -> float:
    """The logarithm where x is not a positive finite number."""
    if x == 0.0:
        return -INFINITY
    return INFINITY if x > 0.0 else NAN


@compiled_ieee
def portable_log(x: float) -> float:
    """Natural logarithm."""
    if not 0.0 < x < INFINITY:
        return beyond(x)
    return logarithm(x, 0.0)[0]


@compiled_ieee
def portable_log1p(x: float) -> float:
    """log(1 + x), the sum without error."""
    if not -1.0 < x < INFINITY:
        return beyond(1.0 + x)
    if abs(x) < 2.0**-54:
        return x
    if abs(x) < 2.0**-9:
        return logarithm_series(0.0, 0.0, x, 0.0)[0]
    s, e = two_sum(1.0, x)
    return logarithm(s, e)[0]


@compiled_ieee
def portable_log2(x: float) -> float:
    """Logarithm to base 2; exact for powers of two, whose quotient is off an integer by 2^-95."""
    if not 0.0 < x < INFINITY:
        return beyond(x)
    hi, lo = logarithm(x, 0.0)
    return multiply(hi, lo, INVERSE_LN2_1, INVERSE_LN2_2)[0]


@compiled_ieee
def portable_log10(x: float) -> float:
    """Logarithm to base 10; exact for powers of ten."""
    if not 0.0 < x < INFINITY:
        return beyond(x)
    hi, lo = logarithm(x, 0.0)
    return multiply(hi, lo, INVERSE_LN10_1, INVERSE_LN10_2)[0]
