"""Where the rounding of coefficients matters.

Knots at a distance h have coefficients of about y/h. They are doubles: their sum, the slope behind them, is
rounded in units of eps y/h, which acts over the data. The least loss of exact
coefficients, which the chain knows, is then out of reach: with h = 1e-8 of the span the rounding is worth
1e-16 of the mean square of y. A move that gains less may raise the loss that the
network really has. So such a move is made only if that loss falls too.
"""

import numpy as np

from ...compiled import compiled, compiled_inline
from ...least_squares.chain import Knots
from ...least_squares.min_norm import evaluated_sum
from ...problem.data import Points
from ...types import FloatArray, IntArray

FEW_ROUNDINGS = 2.0**-49
"""A few roundings."""
NEGLIGIBLE_GAIN = 1e-3
"""Rounding below this part of a gain does not matter."""


@compiled_inline
def largest_strain(gain: float, scale: float) -> float:
    """How much larger than y coefficients times the span may be, for a gain in the sum of squares to survive.

    scale is the sum of w y squared.
    """
    return np.sqrt(NEGLIGIBLE_GAIN * gain / scale) / FEW_ROUNDINGS


@compiled_inline
def strains(x: FloatArray, p: float, q: float, largest: float) -> bool:
    """Whether the distance of p < q asks for coefficients beyond the largest strain; equal ones do not.

    Far left of the data, at a distance d > span before the last one, a line has d/span times the value,
    and rounding acts over d: the strain is d^2/(h span).
    """
    span, h = x[len(x) - 1] - x[0], q - p
    d = max(x[len(x) - 1] - p, span)
    return d * d > largest * (h * span) and h > 0.0


@compiled_inline
def is_strained(x: FloatArray, place: FloatArray, start: IntArray, largest: float) -> bool:
    """Whether two neighbouring knots strain, or the first one and the datum behind it."""
    p = len(place)
    if p > 0 and strains(x, place[0], x[start[0]], largest):
        return True
    count = 0  # without a way out of the loop it is a matter of vectors
    for k in range(1, p):
        count += strains(x, place[k - 1], place[k], largest)
    return count > 0


@compiled_inline
def is_strained_at(x: FloatArray, place: FloatArray, k: int, q: float, largest: float) -> bool:
    """The same beside the knot k, if it goes to q."""
    if k == 0 and q < x[0] and strains(x, q, x[0], largest):
        return True
    if k > 0 and strains(x, place[k - 1], q, largest):
        return True
    return k + 1 < len(place) and strains(x, q, place[k + 1], largest)


@compiled
def survives(points: Points, before: Knots, after: Knots, gain: float, scale: float) -> bool:
    """Whether the loss that the network really has falls with a move that gains so much exactly."""
    largest = largest_strain(gain, scale)
    if not (
        is_strained(points.x, before.place, before.start, largest)
        or is_strained(points.x, after.place, after.start, largest)
    ):
        return True
    return evaluated_sum(points, after) < evaluated_sum(points, before)
