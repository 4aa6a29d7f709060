"""mod, the remainder that has the sign of the divisor.

The remainder of two doubles is a double: with x = m 2^e and y = m' 2^e' it is m 2^(e-e') mod m' in
units of 2^e', found ten bits at a time. Only the step from the sign of x to the sign of y,
an addition of y, rounds.
"""

from ..compiled import compiled_ieee
from .pairs import INFINITY, NAN, copy_sign, float_bits, power_of_two

STEP = 10
"""Bits by which 53 may grow within a signed word."""


@compiled_ieee
def significand(bits: int) -> tuple[int, int]:
    """(m, e) with |x| = m 2^e for the bits of |x|."""
    exponent = bits >> 52
    fraction = bits & 0xFFFFFFFFFFFFF
    if exponent == 0:
        return fraction, -1074
    return fraction | (1 << 52), exponent - 1075


@compiled_ieee
def remainder(a: float, b: float) -> float:
    """a - b floor(a / b) without error, for finite a >= 0 and b > 0."""
    if a < b:
        return a
    m, e = significand(float_bits(a))
    n, f = significand(float_bits(b))
    m %= n
    left = e - f
    while left > 0 and m != 0:
        step = min(left, STEP)
        m = (m << step) % n
        left -= step
    half = f // 2
    return float(m) * power_of_two(half) * power_of_two(f - half)


@compiled_ieee
def portable_mod(x: float, y: float) -> float:
    """x - y floor(x / y), as Python and NumPy define it; nan for y = 0 and for infinite x."""
    if not (abs(x) < INFINITY and abs(y) > 0.0):
        return NAN
    rest = remainder(abs(x), abs(y))
    if rest == 0.0:
        return copy_sign(0.0, y)
    return copy_sign(rest, x) + y if (x < 0.0) != (y < 0.0) else copy_sign(rest, y)
