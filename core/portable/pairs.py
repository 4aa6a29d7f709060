"""Unevaluated sums hi + lo of two doubles: the working precision of every function here.

A function that is evaluated with a relative error of 2^-65 or less and then
rounded once is the correctly rounded one in all but about one case in a
thousand, whatever the route. Twice the 53 bits come from two facts: the rounding
error of a sum is a double, found by six additions (Møller, Knuth), and so is
that of a product, found from halves of 26 bits whose products are exact
(Dekker, Veltkamp). A fused multiply-add would be shorter, but not every
processor has one.

Bounds: u = 2^-53. `two_sum` and `two_product` are exact short of overflow and
underflow, `fast_two_sum` if |a| >= |b| or a = 0; `multiply`, `divide` and `square_root`
have relative errors of a few u². Halving overflows beyond 2^996: callers scale.
"""

import numpy as np

from ..compiled import compiled_ieee

Pair = tuple[float, float]

NAN = float(np.nan)
"""The one nan that leaves this package: those that processors make differ in their sign."""
INFINITY = float(np.inf)
TINY = 2.0**-28
"""Below it x³/6 and x³/3 are less than a quarter ulp of x."""
NEAREST = 1.5 * 2.0**52
"""Adding it and taking it away again rounds to the nearest integer, up to 2^51."""
_HALVES = 2.0**27 + 1.0


@compiled_ieee
def float_bits(x: float) -> int:
    """The 64 bits of x as an integer."""
    return int(np.float64(x).view(np.int64))


@compiled_ieee
def bits_float(bits: int) -> float:
    """The double with these 64 bits."""
    return float(np.int64(bits).view(np.float64))


@compiled_ieee
def power_of_two(k: int) -> float:
    """2^k for -1022 <= k <= 1023."""
    return bits_float((k + 1023) << 52)


@compiled_ieee
def copy_sign(x: float, y: float) -> float:
    """|x| with the sign of y, which may be a zero."""
    magnitude = float_bits(x) & 0x7FFFFFFFFFFFFFFF
    return bits_float(magnitude - 0x7FFFFFFFFFFFFFFF - 1 if float_bits(y) < 0 else magnitude)


@compiled_ieee
def two_sum(a: float, b: float) -> Pair:
    """a + b without error."""
    s = a + b
    t = s - a
    return s, (a - (s - t)) + (b - t)


@compiled_ieee
def fast_two_sum(a: float, b: float) -> Pair:
    """a + b without error if |a| >= |b| or a = 0."""
    s = a + b
    return s, b - (s - a)


@compiled_ieee
def halve(a: float) -> Pair:
    """a as the sum of two doubles of at most 26 bits each."""
    t = _HALVES * a
    high = t - (t - a)
    return high, a - high


@compiled_ieee
def two_product(a: float, b: float) -> Pair:
    """a b without error."""
    p = a * b
    a1, a0 = halve(a)
    b1, b0 = halve(b)
    return p, ((a1 * b1 - p) + a1 * b0 + a0 * b1) + a0 * b0


@compiled_ieee
def add(a: float, a_low: float, b: float, b_low: float) -> Pair:
    """Sum of two pairs; the error is u² times |a| + |b|, so callers see to cancellation."""
    s, e = two_sum(a, b)
    return fast_two_sum(s, e + (a_low + b_low))


@compiled_ieee
def multiply(a: float, a_low: float, b: float, b_low: float) -> Pair:
    """Product of two pairs."""
    p, e = two_product(a, b)
    return fast_two_sum(p, e + (a * b_low + a_low * b))


@compiled_ieee
def divide(a: float, a_low: float, b: float, b_low: float) -> Pair:
    """Quotient of two pairs: one of doubles, and its remainder divided again."""
    q = a / b
    p, e = two_product(q, b)
    return fast_two_sum(q, ((((a - p) - e) + a_low) - q * b_low) / b)


@compiled_ieee
def square_root(a: float, a_low: float) -> Pair:
    """Root of a positive pair: one of a double, and one Newton step."""
    s = np.sqrt(a)
    p, e = two_product(s, s)
    return fast_two_sum(s, (((a - p) - e) + a_low) / (2.0 * s))


@compiled_ieee
def scale(hi: float, lo: float, k: int) -> float:
    """(hi + lo) 2^k rounded once, for a normalised pair with hi > 0 between 2^-200 and 2^200.

    A normal result is hi with k added to its exponent. A subnormal one has
    fewer bits, and rounding hi to them would round a second time: the unit
    2^-1074-k is made that of a large number, to which the whole pair is added.
    """
    exponent = (float_bits(hi) >> 52) - 1023 + k
    if exponent > 1023:
        return INFINITY
    if exponent >= -1022:
        return bits_float(float_bits(hi) + (k << 52))
    if exponent < -1080:
        return 0.0
    large = power_of_two(-1022 - k)  # larger than hi, and the sum below twice as large
    s, e = fast_two_sum(large, hi)
    return ((s + (e + lo)) - large) * power_of_two(-600) * power_of_two(k + 600)
