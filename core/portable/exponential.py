"""exp and expm1, and the pair behind them that the hyperbolic functions and powers share.

    x = n log 2 / 128 + r,   |r| < 2^-8.5,   exp(x) = 2^(n // 128) 2^(n % 128 / 128) exp(r)

The second factor is a pair from a table; exp(r) - 1 = r + r²/2 + r³ (...) keeps r and r²
as pairs, so that what is left to plain doubles is below 2^-28 and their rounding
below 2^-80. Errors: 2^-79 of exp; of expm1, 2^-71, near 0 where the series is all there is.
"""

from ..compiled import compiled_ieee
from .pairs import (
    INFINITY,
    NAN,
    NEAREST,
    Pair,
    fast_two_sum,
    power_of_two,
    scale,
    two_product,
    two_sum,
)
from .tables import EXP_STEP, EXP_STEPS, EXP_TABLE

STEP_1, STEP_2, STEP_3 = EXP_STEP
STEPS_PER_UNIT = EXP_STEPS / (STEP_1 * EXP_STEPS)
EXP_LARGEST, EXP_SMALLEST = 709.8, -745.2
"""Beyond them exp is infinite, or zero, after rounding."""
SERIES_BOUND = 1.0 / 512
"""Up to here expm1 is its own series: from a difference exp - 1 it would lose nine bits."""


@compiled_ieee
def exponential_series(r: float, r_low: float) -> Pair:
    """exp(r) - 1 for |r| < 2^-8.4, with a relative error of 2^-71."""
    square, rest = two_product(r, r)
    tail = square * r * (1 / 6 + r * (1 / 24 + r * (1 / 120 + r * (1 / 720 + r * (1 / 5040)))))
    s, e = fast_two_sum(r, 0.5 * square)
    return fast_two_sum(s, e + (tail + (0.5 * rest + (r_low + r * r_low))))


@compiled_ieee
def exponential(x: float, x_low: float) -> tuple[float, float, int]:
    """(hi, lo, k) with exp(x + x_low) = (hi + lo) 2^k and hi in [1/2, 4), for |x| < 1000."""
    n = (x * STEPS_PER_UNIT + NEAREST) - NEAREST
    # n STEP_1 is exact, and so near to x that the difference is exact as well
    r, e = two_sum(x - n * STEP_1, -n * STEP_2)
    r, r_low = two_sum(r, (e - n * STEP_3) + x_low)
    p, p_low = exponential_series(r, r_low)
    i = int(n)
    j = i & (EXP_STEPS - 1)
    factor, factor_low = EXP_TABLE[j, 0], EXP_TABLE[j, 1]
    product, rest = two_product(factor, p)
    hi, e = fast_two_sum(factor, product)
    hi, lo = fast_two_sum(hi, e + (rest + (factor_low + (factor_low * p + factor * p_low))))
    return hi, lo, (i - j) // EXP_STEPS


@compiled_ieee
def exponential_less_one(x: float) -> tuple[float, float, int]:
    """(hi, lo, k) with exp(x) - 1 = (hi + lo) 2^k, for -60 < x < 710; k = 0 for small x."""
    if abs(x) < SERIES_BOUND:
        hi, lo = exponential_series(x, 0.0)
        return hi, lo, 0
    hi, lo, k = exponential(x, 0.0)
    if k > 110:
        return hi, lo, k
    s, e = two_sum(hi, -power_of_two(-k))
    hi, lo = fast_two_sum(s, e + lo)
    return hi, lo, k


@compiled_ieee
def portable_exp(x: float) -> float:
    """e^x."""
    if x != x:
        return NAN
    if x > EXP_LARGEST:
        return INFINITY
    if x < EXP_SMALLEST:
        return 0.0
    hi, lo, k = exponential(x, 0.0)
    return scale(hi, lo, k)


@compiled_ieee
def portable_expm1(x: float) -> float:
    """e^x - 1."""
    if x != x:
        return NAN
    if x > EXP_LARGEST:
        return INFINITY
    if abs(x) < 2.0**-54:
        return x
    if x < -60.0:
        return -1.0
    hi, lo, k = exponential_less_one(x)
    return scale(hi, lo, k) if hi > 0.0 else -scale(-hi, -lo, k)
