"""sin, cos and tan.

After the reduction (core.portable.reduction), r = a + t with a = j/128 and |t| <= 1/256, and

    sin(a + t) = S + C t + C (sin t - t) + S (cos t - 1),
    cos(a + t) = C - S t - S (sin t - t) + C (cos t - 1)

with S = sin a and C = cos a as pairs from a table. The first two terms are pairs, the last two are below
2^-17 of the result and the rounding of doubles in them below 2^-69. tan is a quotient of pairs.
"""

from ..compiled import compiled_ieee
from .pairs import INFINITY, NAN, TINY, Pair, divide, fast_two_sum, two_product, two_sum
from .reduction import reduce
from .tables import ANGLE_STEPS, SINE_TABLE


@compiled_ieee
def step(r: float, r_low: float) -> tuple[int, float, float, float, float]:
    """(j, t, t_low, sin t - t, cos t - 1) for r = j/128 + t >= 0."""
    j = int(r * ANGLE_STEPS + 0.5)
    t, t_low = two_sum(r - j / ANGLE_STEPS, r_low)
    square = t * t
    sine = square * t * (-1 / 6 + square * (1 / 120 - square * (1 / 5040 - square * (1 / 362880))))
    cosine = square * (-1 / 2 + square * (1 / 24 - square * (1 / 720 - square * (1 / 40320))))
    return j, t, t_low, sine, cosine


@compiled_ieee
def sine(r: float, r_low: float) -> Pair:
    """sin(r + r_low) for |r| < 0.79."""
    sign = 1.0
    if r < 0.0:
        r, r_low, sign = -r, -r_low, -1.0
    j, t, t_low, sine_rest, cosine_rest = step(r, r_low)
    s, s_low, c, c_low = SINE_TABLE[j, 0], SINE_TABLE[j, 1], SINE_TABLE[j, 2], SINE_TABLE[j, 3]
    p, p_low = two_product(c, t)
    hi, e = fast_two_sum(s, p)
    small = (s_low + c_low * t) + t_low * (c * (1.0 + cosine_rest) - s * t)
    hi, lo = fast_two_sum(hi, e + ((p_low + small) + (c * sine_rest + s * cosine_rest)))
    return sign * hi, sign * lo


@compiled_ieee
def cosine(r: float, r_low: float) -> Pair:
    """cos(r + r_low) for |r| < 0.79."""
    if r < 0.0:
        r, r_low = -r, -r_low
    j, t, t_low, sine_rest, cosine_rest = step(r, r_low)
    s, s_low, c, c_low = SINE_TABLE[j, 0], SINE_TABLE[j, 1], SINE_TABLE[j, 2], SINE_TABLE[j, 3]
    p, p_low = two_product(s, t)
    hi, e = fast_two_sum(c, -p)
    small = (c_low - s_low * t) - t_low * (s * (1.0 + cosine_rest) + c * t)
    return fast_two_sum(hi, e + ((small - p_low) + (c * cosine_rest - s * sine_rest)))


@compiled_ieee
def portable_sin(x: float) -> float:
    """Sine."""
    a = abs(x)
    if not a < INFINITY:
        return NAN
    if a < TINY:
        return x
    n, r, r_low = reduce(a)
    value = cosine(r, r_low)[0] if n & 1 else sine(r, r_low)[0]
    return -value if (n >= 2) != (x < 0.0) else value


@compiled_ieee
def portable_cos(x: float) -> float:
    """Cosine."""
    a = abs(x)
    if not a < INFINITY:
        return NAN
    n, r, r_low = reduce(a)
    value = sine(r, r_low)[0] if n & 1 else cosine(r, r_low)[0]
    return -value if n == 1 or n == 2 else value


@compiled_ieee
def portable_tan(x: float) -> float:
    """Tangent."""
    a = abs(x)
    if not a < INFINITY:
        return NAN
    if a < TINY:
        return x
    n, r, r_low = reduce(a)
    s, s_low = sine(r, r_low)
    c, c_low = cosine(r, r_low)
    value = divide(-c, -c_low, s, s_low)[0] if n & 1 else divide(s, s_low, c, c_low)[0]
    return -value if x < 0.0 else value
