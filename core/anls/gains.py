"""What each candidate move would gain, in O(1) from the quadratics of both sides (core.squares)."""

import numpy as np
from numba import njit

from core.anls.rules import place_left, place_right
from core.squares.quadratics import Sweep, meet, step_left, step_right
from core.squares.rows import RSS, segment
from core.types import FloatArray

LEAST_GAIN = 1e-12
"""A gain is an improvement only beyond this part of the loss: less is rounding."""


INTERPOLATES = 1e-26
"""A loss below this part of the mean square of y is rounding: there is nothing left to gain."""


@njit(cache=True)
def write_candidates(x: FloatArray, y: FloatArray, s: Sweep, k: int, apart: float) -> None:
    """Positions of both candidates of the knot k, and the rows of the segments beside them."""
    p = len(s.knot)
    previous = s.start[k - 1] if k > 0 else 0
    before = s.knot[k - 1] if k > 0 else -np.inf
    after = s.knot[k + 1] if k + 1 < p else np.inf
    for side in range(2):
        q = place_left(x, s, k, apart) if side == 0 else place_right(x, s, k, apart)
        s.place[k, side] = q
        if not np.isnan(q):
            i = s.start[k] + 2 * side - 1
            if k > 0:
                segment(x, y, previous, i, before, q, apart, s.moved[k, side, 0])
            segment(x, y, i, s.start[k + 1], q, after, apart, s.moved[k, side, 1])


@njit(cache=True)
def weigh_candidates(y: FloatArray, s: Sweep, k: int) -> None:
    """Gains of both candidates of the knot k, as differences of residuals next to it."""
    p = len(s.knot)
    now = s.left[k, 2] + s.right[k, 2] + s.row[k, RSS]
    now += meet(s.left[k, 0], s.left[k, 1], s.right[k, 0], s.right[k, 1])
    if k > 0:
        now += s.row[k - 1, RSS]
    following = min(k + 1, p - 1)
    for side in range(2):
        if np.isnan(s.place[k, side]):
            s.gain[k, side] = -np.inf
            continue
        r1, z1, then = np.inf, 0.0, 0.0
        crossed = 0.0
        if k > 0:
            before = s.moved[k, side, 0]
            r1, z1, then = step_right(s.left[k - 1, 0], s.left[k - 1, 1], before)
            then += before[RSS]
        else:
            # Left of the first knot the network is zero, and a datum there costs its own square.
            i = s.start[0] + side - 1
            crossed = y[i] * y[i] if side == 0 else -y[i] * y[i]
        behind = s.moved[k, side, 1]
        r2, z2, residual = step_left(s.right[following, 0], s.right[following, 1], behind)
        then += residual + behind[RSS] + meet(r1, z1, r2, z2)
        s.gain[k, side] = (now - then) + crossed


@njit(cache=True)
def weigh_all(x: FloatArray, y: FloatArray, s: Sweep, apart: float) -> None:
    """All candidates of all knots, from scratch."""
    for k in range(len(s.knot)):
        write_candidates(x, y, s, k, apart)
        weigh_candidates(y, s, k)


@njit(cache=True)
def best_candidate(s: Sweep) -> tuple[int, int, float]:
    """Knot and side of the largest gain (the first of equals); knot -1 where there is no candidate."""
    knot, side, gain = -1, 0, -np.inf
    for k in range(len(s.knot)):
        for j in range(2):
            if s.gain[k, j] > gain:
                knot, side, gain = k, j, s.gain[k, j]
    return knot, side, gain


@njit(cache=True)
def improves(gain: float, total: float, scale: float) -> bool:
    """Whether a gain in the sum of squares is more than rounding; scale is the sum of y squared."""
    return gain > LEAST_GAIN * total and total > INTERPOLATES * scale
