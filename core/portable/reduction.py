"""Angles brought into [-pi/4, pi/4], for every finite double.

    x = n pi/2 + r

Neighbouring multiples of pi/2 and doubles come as near as 2^-61 to each other, so
that r needs that many bits of pi beyond its own hundred. Up to a million quarter
turns, n times the pieces of pi/2 is exact and the differences cancel without
error (Cody and Waite). Beyond, x = m 2^e with an integer m, and of the digits of 2/pi
those worth a multiple of four quarter turns do not matter (Payne and Hanek):

    x 2/pi mod 4 = 4 frac(m F),    F = frac(2^(e-2) 2/pi),

a product of integers, of which 187 bits after the point are kept.
"""

from ..compiled import compiled_ieee
from .pairs import (
    NEAREST,
    fast_two_sum,
    float_bits,
    multiply,
    power_of_two,
    two_sum,
)
from .tables import HALF_PI, PI, QUARTER_TURN, TURN_BITS, TURN_TABLE

PIECE_1, PIECE_2, PIECE_3, PIECE_4 = QUARTER_TURN
HALF_PI_1, HALF_PI_2 = HALF_PI
EIGHTH_TURN = PI[0] / 4
TURNS_PER_UNIT = 2 / PI[0]
MANY_TURNS = 1.5e6
LIMBS = 9
TURN_MASK = (1 << TURN_BITS) - 1


@compiled_ieee
def reduce_large(x: float) -> tuple[int, float, float]:
    """(n mod 4, r, r_low) for x >= MANY_TURNS."""
    bits = float_bits(x)
    m = (bits & 0xFFFFFFFFFFFFF) | (1 << 52)
    m1, m0 = m >> TURN_BITS, m & TURN_MASK
    # the table begins with three limbs of zeros, and e - 2 is the exponent less 1077
    first = (bits >> 52) - 1077 + 3 * TURN_BITS
    place, shift = first // TURN_BITS, first % TURN_BITS
    limbs = (0, 0, 0, 0, 0, 0, 0)  # the most significant first
    carry = 0
    behind = 0
    for i in range(LIMBS - 1, -1, -1):
        joined = (TURN_TABLE[place + i] << shift) | (TURN_TABLE[place + i + 1] >> (TURN_BITS - shift))
        digits = joined & TURN_MASK
        carry += digits * m0 + behind * m1
        limbs = (carry & TURN_MASK,) + limbs[:-1]  # noqa: RUF005  (numba has no starred tuples in loops)
        carry >>= TURN_BITS
        behind = digits
    n = limbs[0] >> (TURN_BITS - 2)
    top = limbs[0] & (TURN_MASK >> 2)
    flip = 0
    if top > TURN_MASK >> 3:  # past the middle of the quarter turn: from its end, back
        n += 1
        flip = TURN_MASK
        top ^= TURN_MASK >> 2
    f, f_low = float(top), 0.0
    unit = 1.0
    for limb in limbs[1:]:
        unit *= power_of_two(-TURN_BITS)
        f, e = fast_two_sum(f, (limb ^ flip) * unit)
        f_low += e
    unit = power_of_two(2 - TURN_BITS)
    if flip:
        unit = -unit
    r, r_low = multiply(f * unit, f_low * unit, HALF_PI_1, HALF_PI_2)
    return n & 3, r, r_low


@compiled_ieee
def reduce(x: float) -> tuple[int, float, float]:
    """(n mod 4, r, r_low) for finite x >= 0, with a relative error of 2^-100 in r."""
    if x <= EIGHTH_TURN:
        return 0, x, 0.0
    if x >= MANY_TURNS:
        return reduce_large(x)
    n = (x * TURNS_PER_UNIT + NEAREST) - NEAREST
    r, e1 = two_sum(x - n * PIECE_1, -n * PIECE_2)
    r, e2 = two_sum(r, -n * PIECE_3)
    r, r_low = two_sum(r, e1 + (e2 - n * PIECE_4))
    return int(n) & 3, r, r_low
