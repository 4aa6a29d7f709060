"""Where the rounding of coefficients is no longer beside the point.

Knots at a distance h have coefficients of about y/h. They are doubles: their sum, the slope behind them, is
rounded in units of eps y/h, which acts over the data. The least loss of exact
coefficients, which the chain knows, is then out of reach: with h = 1e-8 of the span the rounding is worth
1e-16 of the mean square of y. A move that gains less may raise the loss that the
network really has. So such a move is made only if that loss falls too.
"""

from numba import njit

from core.problem.data import Points
from core.squares.chain import Chain, Knots
from core.squares.min_norm import evaluated_sum
from core.types import FloatArray, IntArray

UNIT = 2.0**-49
"""A few roundings."""
BESIDE_THE_POINT = 1e-3
"""Rounding below this part of a gain does not matter."""


@njit(cache=True)
def strain_between(x: FloatArray, p: float, q: float) -> float:
    """How much larger than y coefficients times the span become by the knots p < q; 0 where they are equal.

    Far left of the data, at a distance d > span before the last one, it is d/span times as much for a line
    that is to be met there, and as much again because it acts over d.
    """
    span = x[len(x) - 1] - x[0]
    d = max(x[len(x) - 1] - p, span)
    h = q - p
    return d * d / (h * span) if h > 0.0 else 0.0


@njit(cache=True)
def strain(x: FloatArray, place: FloatArray, start: IntArray) -> float:
    """The largest strain between neighbouring knots, and between the first one and the datum behind it."""
    p = len(place)
    largest = 1.0
    if p > 0:
        largest = max(largest, strain_between(x, place[0], x[start[0]]))
    for k in range(1, p):
        largest = max(largest, strain_between(x, place[k - 1], place[k]))
    return largest


@njit(cache=True)
def strain_beside(x: FloatArray, chain: Chain, k: int, q: float) -> float:
    """The same beside the knot k, if it goes to q."""
    largest = 1.0
    if k > 0:
        largest = max(largest, strain_between(x, chain.place[k - 1], q))
    elif q < x[0]:
        largest = max(largest, strain_between(x, q, x[0]))
    if k + 1 < len(chain.place):
        largest = max(largest, strain_between(x, q, chain.place[k + 1]))
    return largest


@njit(cache=True)
def is_safe(gain: float, scale: float, strained: float) -> bool:
    """Whether a gain in the sum of squares survives the rounding; scale is the sum of w y squared."""
    error = UNIT * strained
    return error * error * scale <= BESIDE_THE_POINT * gain


@njit(cache=True)
def survives(points: Points, before: Knots, after: Knots, gain: float, scale: float) -> bool:
    """Whether the loss that the network really has falls with a move that gains so much exactly."""
    strained = max(strain(points.x, before.place, before.start), strain(points.x, after.place, after.start))
    if is_safe(gain, scale, strained):
        return True
    return evaluated_sum(points, after) < evaluated_sum(points, before)
