"""asin, acos and atan, all three the angle of a point (z, y) in the first quadrant.

    arctan(y/z) = arctan a + arctan t,    t = (y - a z) / (z + a y),    a = j/128 next to y/z

for y <= z, with arctan a from a table and |t| <= 1/256; above the diagonal the axes change places.
t is a quotient of pairs, t - t³/3 + ... leaves 2^-17 of the result to plain doubles. For asin and acos the
point is on the circle, its other coordinate the root of (1 - x)(1 + x), whose factors are exact.
"""

from ..compiled import compiled_ieee
from .pairs import (
    NAN,
    TINY,
    Pair,
    add,
    copy_sign,
    divide,
    fast_two_sum,
    multiply,
    square_root,
    two_product,
    two_sum,
)
from .reduction import HALF_PI_1, HALF_PI_2
from .tables import ANGLE_STEPS, ARCTANGENT_TABLE, PI

PI_1, PI_2 = PI
HUGE = 2.0**64
"""Beyond it arctan is pi/2 rounded."""


@compiled_ieee
def lower_angle(y: float, y_low: float, z: float, z_low: float) -> Pair:
    """arctan(y/z) for 0 <= y <= z > 0."""
    j = int(y / z * ANGLE_STEPS + 0.5)
    a = j / ANGLE_STEPS
    p, p_low = two_product(a, z)
    n, n_low = add(y, y_low, -p, -(p_low + a * z_low))
    p, p_low = two_product(a, y)
    d, d_low = add(z, z_low, p, p_low + a * y_low)
    t, t_low = divide(n, n_low, d, d_low)
    square = t * t
    tail = square * t * (-1 / 3 + square * (1 / 5 - square * (1 / 7 - square * (1 / 9))))
    hi, e = fast_two_sum(ARCTANGENT_TABLE[j, 0], t)
    return fast_two_sum(hi, e + (ARCTANGENT_TABLE[j, 1] + (t_low * (1.0 - square) + tail)))


@compiled_ieee
def angle(y: float, y_low: float, z: float, z_low: float) -> Pair:
    """arctan(y/z) for y, z >= 0, not both 0."""
    if y <= z:
        return lower_angle(y, y_low, z, z_low)
    hi, lo = lower_angle(z, z_low, y, y_low)
    return add(HALF_PI_1, HALF_PI_2, -hi, -lo)


@compiled_ieee
def leg(a: float) -> Pair:
    """sqrt(1 - a²) for 0 <= a < 1."""
    d, d_low = two_sum(1.0, -a)
    s, s_low = two_sum(1.0, a)
    p, p_low = multiply(d, d_low, s, s_low)
    return square_root(p, p_low)


@compiled_ieee
def portable_atan(x: float) -> float:
    """Arc tangent."""
    if x != x:
        return NAN
    a = abs(x)
    if a < TINY:
        return x
    if a > HUGE:
        return copy_sign(HALF_PI_1, x)
    return copy_sign(angle(a, 0.0, 1.0, 0.0)[0], x)


@compiled_ieee
def portable_asin(x: float) -> float:
    """Arc sine."""
    a = abs(x)
    if not a <= 1.0:
        return NAN
    if a < TINY:
        return x
    if a == 1.0:
        return copy_sign(HALF_PI_1, x)
    z, z_low = leg(a)
    return copy_sign(angle(a, 0.0, z, z_low)[0], x)


@compiled_ieee
def portable_acos(x: float) -> float:
    """Arc cosine."""
    a = abs(x)
    if not a <= 1.0:
        return NAN
    if a == 1.0:
        return 0.0 if x > 0.0 else PI_1
    y, y_low = leg(a)
    hi, lo = angle(y, y_low, a, 0.0)
    return hi if x > 0.0 else add(PI_1, PI_2, -hi, -lo)[0]
