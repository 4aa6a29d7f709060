"""pow and cbrt.

x^y = exp(y log x) in pairs: the logarithm is right to 2^-75, y log x is 745 at most where the result is
neither 0 nor infinite, and so the power is right to 2^-65. Small whole exponents are products instead:
x², x³, ... may lie exactly between two doubles, where only an exact value rounds to the even one.
"""

import numpy as np

from ..compiled import compiled_ieee
from .exponential import exponential
from .logarithm import SUBNORMAL, logarithm
from .pairs import (
    INFINITY,
    NAN,
    bits_float,
    copy_sign,
    divide,
    fast_two_sum,
    float_bits,
    multiply,
    power_of_two,
    scale,
    two_product,
)

WHOLE_FROM = 2.0**53
"""Doubles from here on are even integers."""
PRODUCTS = 64.0
"""Whole exponents up to here are products."""


@compiled_ieee
def split_exponent(x: float) -> tuple[float, int]:
    """x = m 2^k with m in [1, 2), for positive finite x."""
    k = 0
    if x < SUBNORMAL:
        x *= 2.0**54
        k = -54
    bits = float_bits(x)
    exponent = (bits >> 52) - 1023
    return bits_float(bits - (exponent << 52)), k + exponent


@compiled_ieee
def whole_power(x: float, n: int) -> float:
    """x^n for positive finite x and 1 < |n| <= 64, by repeated squaring of a pair near 1."""
    m, k = split_exponent(x)
    if m > 1.4142135623730951:
        m *= 0.5
        k += 1
    count = abs(n)
    hi, lo = m, 0.0
    bit = 64
    while bit > count:
        bit >>= 1
    bit >>= 1
    while bit > 0:
        hi, lo = multiply(hi, lo, hi, lo)
        if count & bit:
            hi, lo = multiply(hi, lo, m, 0.0)
        bit >>= 1
    if n < 0:
        hi, lo = divide(1.0, 0.0, hi, lo)
    return scale(hi, lo, k * n)


@compiled_ieee
def positive_power(x: float, y: float) -> float:
    """x^y for positive finite x and finite y."""
    if y == 1.0:
        return x
    if y == 2.0:
        return x * x
    if y == -1.0:
        return 1.0 / x
    if y == 0.5:
        return np.sqrt(x)
    if abs(y) <= PRODUCTS and y == int(y):
        return whole_power(x, int(y))
    if abs(y) < 2.0**-66:
        return 1.0
    if abs(y) > 2.0**66:
        if x == 1.0:
            return 1.0
        return INFINITY if (x > 1.0) == (y > 0.0) else 0.0
    log, log_low = logarithm(x, 0.0)
    p, p_low = two_product(y, log)
    p_low += y * log_low
    if p > 710.0:
        return INFINITY
    if p < -746.0:
        return 0.0
    hi, lo, k = exponential(p, p_low)
    return scale(hi, lo, k)


@compiled_ieee
def portable_pow(x: float, y: float) -> float:
    """x^y with the special values of C: 1 for y = 0 or x = 1 even where the other is nan."""
    if y == 0.0 or x == 1.0:
        return 1.0
    if x != x or y != y:
        return NAN
    a = abs(x)
    whole = abs(y) >= WHOLE_FROM or y == int(y)
    odd = whole and abs(y) < WHOLE_FROM and int(y) & 1 == 1
    if abs(y) == INFINITY:
        if a == 1.0:
            return 1.0
        value = INFINITY if (a > 1.0) == (y > 0.0) else 0.0
    elif a == 0.0 or a == INFINITY:
        value = INFINITY if (a > 0.0) == (y > 0.0) else 0.0
    elif x < 0.0 and not whole:
        return NAN
    else:
        value = positive_power(a, y)
    return copy_sign(value, x) if odd else value


@compiled_ieee
def portable_cbrt(x: float) -> float:
    """Cube root: a third of the exponent, a few Newton steps, and one more whose remainder is a pair."""
    if x != x:
        return NAN
    a = abs(x)
    if a == 0.0 or a == INFINITY:
        return x
    m, k = split_exponent(a)
    third = k // 3
    m *= power_of_two(k - 3 * third)
    t = 0.75 + 0.25 * m - 0.0117 * m * m  # within 8 per cent on [1, 8)
    for _ in range(4):
        t -= (t * t * t - m) / (3.0 * t * t)
    square, square_low = two_product(t, t)
    cube, cube_low = multiply(square, square_low, t, 0.0)
    root, _ = fast_two_sum(t, ((m - cube) - cube_low) / (3.0 * square))
    return copy_sign(root * power_of_two(third), x)
