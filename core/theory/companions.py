"""Free neurons that share a gap: what the flow leaves as it is between them.

All of them see the same data, so with G and H the sums of s w r and s w r x over those,

    db_j/dt = c_j G,  dc_j/dt = b_j G - H,
    d(b_j + c_j)/dt = G (b_j + c_j) - H,  d(b_j - c_j)/dt = H - G (b_j - c_j).

The differences of b + c between any two of them are therefore multiplied by one number K > 0, that of b - c
divided by it: whatever the rest of the network does. With p_j and q_j the deviations of b_j + c_j and
b_j - c_j from their means now, P and Q the sums of their squares, later

    b_j = mean b + (K p_j + q_j / K) / 2,  c_j = mean c + (K p_j - q_j / K) / 2.

Let the lines before and after the gap be given. They say what C = sum c and D = sum c_j b_j must be, hence

    D = C mean b + (K^2 P - Q / K^2) / 4,

so that K alone decides where all of the neurons are. If for every K one of them is outside the gap,
the lines cannot be. The last sum grows with K, and so the mean bias is monotone in K: between two
values of K that are close the places of all neurons are bounded, and beyond the outermost
values the mean bias has left the gap and goes on in the same direction.
"""

from itertools import accumulate

import numpy as np

from ..portable.sums import sum_of_squares
from ..types import FloatArray

MARGIN = 0.01
"""Beyond its gap by this part of it a neuron is outside: descent keeps the differences up to its step."""
RATIO, MANY = 1.04, 700
"""Neighbouring values of K, and how many there are on either side of 1: as far as 8e11."""


def _grid() -> FloatArray:
    up = np.array(list(accumulate([RATIO] * MANY, lambda k, ratio: k * ratio, initial=1.0)))
    grid: FloatArray = np.concatenate([1.0 / up[:0:-1], up])
    return grid


GRID = _grid()


def has_no_place(
    b: FloatArray,
    c: FloatArray,
    width: float,
    turn: tuple[float, float],
    rise: tuple[float, float],
) -> bool:
    """Whether no K puts all of some free neurons into their gap, from -width to 0 in the coordinate of b.

    `turn` bounds C, the slope after less that before, and `rise` bounds -D, what the
    line after is at 0 above the line before.
    """
    if not all(np.isfinite([*turn, *rise])) or turn[0] <= 0.0 <= turn[1]:
        return False
    one, other = b + c, b - c
    p, q = one - sum(one.tolist()) / len(b), other - sum(other.tolist()) / len(b)
    product = 0.25 * (GRID * GRID * sum_of_squares(p) - sum_of_squares(q) / (GRID * GRID))
    # The mean bias at every K of the grid, at least and at most.
    corners = np.array([(-height - product) / bend for height in rise for bend in turn])
    least, most = np.min(corners, axis=0), np.max(corners, axis=0)
    left, right = -width - MARGIN * width, MARGIN * width
    falls = turn[0] > 0.0
    beyond = (most[-1] < left, least[0] > right) if falls else (least[-1] > right, most[0] < left)
    if not all(beyond):
        return False
    low, high = np.minimum(least[:-1], least[1:]), np.maximum(most[:-1], most[1:])
    inside = np.ones(len(low), dtype=np.bool_)
    for grows, shrinks in zip((0.5 * p).tolist(), (0.5 * q).tolist(), strict=True):
        growing, shrinking = grows * GRID, shrinks / GRID
        nearest = np.minimum(growing[:-1], growing[1:]) + np.minimum(shrinking[:-1], shrinking[1:])
        farthest = np.maximum(growing[:-1], growing[1:]) + np.maximum(shrinking[:-1], shrinking[1:])
        inside &= (high + farthest >= left) & (low + nearest <= right)
        if not inside.any():
            return True
    return False
