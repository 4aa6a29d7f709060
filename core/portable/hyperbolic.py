"""sinh, cosh and tanh from E = exp(|x|) - 1, whose relative error is small down to x = 0.

    sinh x = (E + E/(1 + E)) / 2,    cosh x = (P + 1/P) / 2 with P = 1 + E,    tanh x = E(2x) / (2 + E(2x))

in pairs; every sum has terms of one sign, so that nothing cancels. Beyond 40, exp(-x) is 2^-115 of exp(x).
"""

from ..compiled import compiled_ieee
from .exponential import exponential, exponential_less_one
from .pairs import INFINITY, NAN, TINY, Pair, add, copy_sign, divide, power_of_two, scale

LONE = 40.0
"""Beyond it the smaller exponential does not count."""
COSH_LARGEST = 710.5
"""Beyond it sinh and cosh are infinite after rounding."""
FLAT = 20.0
"""Beyond it tanh is 1 after rounding."""


@compiled_ieee
def grown(x: float) -> Pair:
    """exp(x) - 1 as a plain pair, for 0 < x < 2 LONE."""
    hi, lo, k = exponential_less_one(x)
    unit = power_of_two(k)
    return hi * unit, lo * unit


@compiled_ieee
def half_exponential(x: float) -> float:
    """exp(x) / 2, which overflows later than exp(x)."""
    hi, lo, k = exponential(x, 0.0)
    return scale(hi, lo, k - 1)


@compiled_ieee
def portable_sinh(x: float) -> float:
    """Hyperbolic sine."""
    if x != x:
        return NAN
    a = abs(x)
    if a < TINY:
        return x
    if a > COSH_LARGEST:
        return copy_sign(INFINITY, x)
    if a > LONE:
        return copy_sign(half_exponential(a), x)
    e, e_low = grown(a)
    p, p_low = add(1.0, 0.0, e, e_low)
    q, q_low = divide(e, e_low, p, p_low)
    return copy_sign(0.5 * add(e, e_low, q, q_low)[0], x)


@compiled_ieee
def portable_cosh(x: float) -> float:
    """Hyperbolic cosine."""
    if x != x:
        return NAN
    a = abs(x)
    if a > COSH_LARGEST:
        return INFINITY
    if a > LONE:
        return half_exponential(a)
    hi, lo, k = exponential(a, 0.0)
    p, p_low = hi * power_of_two(k), lo * power_of_two(k)
    q, q_low = divide(1.0, 0.0, p, p_low)
    return 0.5 * add(p, p_low, q, q_low)[0]


@compiled_ieee
def portable_tanh(x: float) -> float:
    """Hyperbolic tangent."""
    if x != x:
        return NAN
    a = abs(x)
    if a < TINY:
        return x
    if a > FLAT:
        return copy_sign(1.0, x)
    e, e_low = grown(2.0 * a)
    d, d_low = add(2.0, 0.0, e, e_low)
    return copy_sign(divide(e, e_low, d, d_low)[0], x)
