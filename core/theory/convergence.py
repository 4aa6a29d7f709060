"""Theorem 3.3 (thm:convergence): a stage that lasts for ever ends at its regression lines, so some must end.

If a pattern never changes any more and no coefficient tends to 0, the gradient flow converges to a
stationary point: the residual becomes orthogonal to 𝒲 (core.theory.floor), that is r* = P_𝒲 y - y, and on
every U_l the network becomes a line through the values of P_𝒲 y. So much is known without solving
anything, and it must agree with the gaps and pins of the pattern:

- In a gap between x_{g-1} and x_g let q be the slope of P_𝒲 y from one to the other. A free neuron that is
  alone there is the kink between the lines on its two sides. They meet within the gap if and only if q lies
  between their slopes. A single datum leaves the slope of its line open; q then bounds it.
- Several free neurons have more ways, but not every one (below).
- A neuron stays pinned to x_k as long as c_j A <= 0 <= c_j B, where A sums w r* over the data right of x_k
  and B over those from x_k on. If A and B have one sign, no c_j != 0 is held. If they have not, c_j needs the
  sign of B. Alone, c_j is the bend of P_𝒲 y at x_k; and all that are pinned to one datum have the same
  dc_j/dt, so that the differences of their coefficients stay as they are.

Where one of these fails, the stage cannot last unless a coefficient tends to 0. A bias will meet a datum, or
a pinned one be released. Who ends the stage, and when, the certificate does not say. All slopes are
intervals that hold what rounding may have done to them, and only what fails for all of an interval counts.
Descent keeps the differences but for a part of the order of its step; MARGIN allows for that.

Free neurons that share a gap: what the flow leaves as it is between them.

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

from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np

from ..model.pattern import Pattern
from ..portable.sums import cumulative_from_right, sum_of_squares
from ..problem.data import TrainingData
from ..types import FloatArray, IntArray
from .floor import best_fit

FIT_ACCURACY = 1e-10
"""Values of P_𝒲 y are known to this part of the largest y."""
NO_SIGN = 1e-8
"""A sum of residuals below this part of the largest one possible has no sign."""

MARGIN = 0.01
"""Beyond its gap by this part of it a neuron is outside: descent keeps the differences up to its step."""
RATIO, K_STEPS = 1.04, 700
"""Neighbouring values of K, and how many there are on either side of 1: as far as 8e11."""


def _grid() -> FloatArray:
    up = np.array(list(accumulate([RATIO] * K_STEPS, lambda k, ratio: k * ratio, initial=1.0)))
    grid: FloatArray = np.concatenate([1.0 / up[:0:-1], up])
    return grid


K_GRID = _grid()

Interval = tuple[float, float]
ANY: Interval = (-np.inf, np.inf)


class Limit(NamedTuple):
    """What the stage would settle on."""

    x: FloatArray
    fit: FloatArray
    beyond: IntArray
    """(m + 1,) sign of the sum of w r* from each datum on; 0 where it has none."""
    doubt: float
    """What rounding may do to a value."""


class Corner(NamedTuple):
    """Where the line before datum `start` goes over into the line from it on."""

    start: int
    free: IntArray
    """The neurons in the gap."""
    pinned: IntArray
    """Those pinned to the datum before."""
    before: Interval
    """Slopes that the line before may have."""
    across: Interval
    """That of the fit from the datum before to this one; ANY left of all data."""
    after: Interval


def must_end(data: TrainingData, pattern: Pattern, b: FloatArray, c: FloatArray) -> bool:
    """Whether the stage of a state cannot last, by Theorem 3.3, unless a coefficient tends to 0.

    Parameters
    ----------
    data, pattern
        The problem, and the stage that may last for ever.
    b, c
        The network of now: its signs are kept as long as the stage lasts.

    Returns
    -------
    bool
        Whether the stage is certain to end, unless a coefficient tends to 0. False says nothing: the stage
        may last for all that is known.

    Examples
    --------
    >>> import numpy as np
    >>> from core.model.example import data
    >>> from core.model import pattern_of
    >>> from core.theory.convergence import must_end
    >>> b, c = np.array([-0.5, 0.5]), np.array([1.0, 1.0])
    >>> must_end(data, pattern_of(data.x, b), b, c)
    False
    """
    starts = np.unique(pattern.gap[pattern.gap < data.m]).tolist()
    limit = _limit_of(data, pattern)
    slopes: Interval = (0.0, 0.0)
    shared: list[Corner] = []
    for start, end in pairwise([*starts, data.m]):
        here = pattern.gap == start
        free, pinned = np.flatnonzero(here & (pattern.pin < 0)), np.flatnonzero(here & (pattern.pin >= 0))
        across = _slope(limit, start - 1, start) if start > 0 else ANY
        after = _slope(limit, start, end - 1) if end - start > 1 else ANY
        corner = Corner(start, free, pinned, slopes, across, after)
        if pinned.size and _lets_go(limit, corner, c[pinned]):
            return True
        possible = _slopes_after(limit, corner)
        if possible is None:
            return True
        slopes = possible
        if free.size > 1 and pinned.size == 0 and start > 0:
            shared.append(corner)
    return any(_crowded(limit, corner, b[corner.free], c[corner.free]) for corner in shared)


def _limit_of(data: TrainingData, pattern: Pattern) -> Limit:
    fit = best_fit(data, pattern)
    size = float(np.max(np.abs(data.y)))
    sums = cumulative_from_right(data.w * (fit - data.y))
    sign = np.where(np.abs(sums) > NO_SIGN * size * data.weight, np.sign(sums), 0.0).astype(np.int64)
    return Limit(data.x, fit, sign, FIT_ACCURACY * size)


def _slope(limit: Limit, first: int, last: int) -> Interval:
    """The slope of the fit from one datum to another."""
    run = float(limit.x[last] - limit.x[first])
    slope, doubt = float(limit.fit[last] - limit.fit[first]) / run, 2.0 * limit.doubt / run
    return slope - doubt, slope + doubt


def _needed_sign(limit: Limit, corner: Corner) -> int:
    """The sign that the coefficients pinned at a corner must have; 0 where either will do."""
    right, left = int(limit.beyond[corner.start]), int(limit.beyond[corner.start - 1])
    return left or -right


def _lets_go(limit: Limit, corner: Corner, c: FloatArray) -> bool:
    """Whether the limit would not hold all the neurons that are pinned here."""
    if limit.beyond[corner.start] * limit.beyond[corner.start - 1] > 0:
        return True
    sign = _needed_sign(limit, corner)
    if sign == 0 or corner.free.size:
        return False
    bend = corner.across[0] - corner.before[1], corner.across[1] - corner.before[0]
    middle = sum(c.tolist()) / len(c)
    most = bend[1] if sign > 0 else -bend[0]
    against = float(np.max(-sign * (c - middle)))
    return (1.0 - MARGIN) * against > most / len(c)


def _slopes_after(limit: Limit, corner: Corner) -> Interval | None:
    """The slopes that the line after a corner may have; None where it can have none."""
    before, across, after = corner.before, corner.across, corner.after
    if corner.free.size == 0:
        return across if after == ANY else after
    if corner.free.size > 1:
        return after
    low, high = -np.inf, np.inf
    if corner.start == 0:
        height = float(limit.fit[0])
        low = 0.0 if height > limit.doubt else low
        high = 0.0 if height < -limit.doubt else high
    else:
        # Pinned neurons may bend the line before on its way, if only to the side of their sign.
        sign = _needed_sign(limit, corner) if corner.pinned.size else 0
        bends_up = corner.pinned.size > 0 and sign >= 0
        bends_down = corner.pinned.size > 0 and sign <= 0
        if before[1] < across[0] and not bends_up:
            low = across[0]
        if before[0] > across[1] and not bends_down:
            high = across[1]
    low, high = max(low, after[0]), min(high, after[1])
    return (low, high) if low <= high else None


def _crowded(limit: Limit, corner: Corner, b: FloatArray, c: FloatArray) -> bool:
    """Whether free neurons that share a gap cannot make the corner together."""
    width = float(limit.x[corner.start] - limit.x[corner.start - 1])
    turn = corner.after[0] - corner.before[1], corner.after[1] - corner.before[0]
    rise = (corner.across[0] - corner.before[1]) * width, (corner.across[1] - corner.before[0]) * width
    return has_no_place(b - limit.x[corner.start], c, width, turn, rise)


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
    product = 0.25 * (K_GRID * K_GRID * sum_of_squares(p) - sum_of_squares(q) / (K_GRID * K_GRID))
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
        growing, shrinking = grows * K_GRID, shrinks / K_GRID
        nearest = np.minimum(growing[:-1], growing[1:]) + np.minimum(shrinking[:-1], shrinking[1:])
        farthest = np.maximum(growing[:-1], growing[1:]) + np.maximum(shrinking[:-1], shrinking[1:])
        inside &= (high + farthest >= left) & (low + nearest <= right)
        if not inside.any():
            return True
    return False
