"""The search for the best joints of a spline, depth first (free_knots says what is searched)."""

from typing import NamedTuple

import numpy as np

from ..compiled import compiled
from ..problem.data import Points
from ..types import FloatArray, IntArray
from .knot_lines import (
    RSS,
    SLOPE,
    Piece,
    Quadratic,
    beside,
    between,
    fits_of,
    joined,
    level,
    meeting,
    piece_of,
)

ZERO, FREE, JUMP, OUTSIDE, TIED = range(5)
"""Kinds of joints; before the first one the network is zero."""
SAME_OPTIMUM = 1e-9
"""A network that is better by less than this part of the loss is not looked for."""


class Search(NamedTuple):
    """What the search knows; row d of each is the joint number d, row 0 is before the first."""

    x: FloatArray
    fits: FloatArray
    zero: FloatArray
    """(m + 1,) the sum of w y^2 of the first k data"""
    bound: FloatArray
    """(knots + 1, m + 1) at least what the data from i on cost with so many further joints"""
    start: IntArray
    """the joint that begins the lines which are tied to each other"""
    used: IntArray
    """neurons taken up so far"""
    trial: IntArray
    """which joint to try next after this one: three a gap, then one a datum"""
    kind: IntArray
    at: IntArray
    """the datum of a tied joint; the first datum right of any other"""
    left: FloatArray
    """(knots + 1, 3) what the data up to the joint cost: a Quadratic"""
    back: FloatArray
    """(knots + 1, 2) the value at the joint before is p + q v"""
    line: FloatArray
    """(knots + 1, 2) the line that ends at a joint that is not tied"""
    place: FloatArray
    """where the lines at a free joint meet"""
    best: FloatArray
    """the least cost so far, the branches, and how many there may be"""
    found: FloatArray
    """(knots + 1, 3) kind, datum and place of the joints of the best network, after their number"""


@compiled
def bounds_of(fits: FloatArray, knots: int) -> FloatArray:
    """`bound` of a Search, in O(knots m^2)."""
    m = len(fits) - 1
    bound = np.zeros((knots + 1, m + 1))
    for k in range(knots + 1):
        for i in range(m):
            bound[k, i] = fits[i, m, RSS]
            if k > 0:
                for j in range(i + 1, m):
                    bound[k, i] = min(bound[k, i], fits[i, j, RSS] + bound[k - 1, j])
    return bound


@compiled
def quadratic(s: Search, d: int) -> Quadratic:
    """What the data up to joint d cost."""
    return Quadratic(s.left[d, 0], s.left[d, 1], s.left[d, 2])


@compiled
def closed(s: Search, d: int, start: int, end: int) -> tuple[float, Piece]:
    """What the data up to `end` cost if no joint follows joint d before it, and the last line.

    `start` is the joint that begins the lines which are tied to each other. Infinite where the
    first of them does not meet the line before it, or is not unique.
    """
    first = s.at[start]
    if d == start:
        if s.kind[d] == ZERO:
            return s.zero[end], Piece(0.0, 0.0)
        if s.kind[d] == OUTSIDE:
            flat = level(s.fits[first, end])
            return flat.c, Piece(flat.b, 0.0)
        if end - first < 2:
            return np.inf, Piece(0.0, 0.0)  # not unique
        line = piece_of(s.fits[first, end])
        cost, early = s.left[d, 2] + s.fits[first, end, RSS], line
    else:
        t = s.at[d]
        tail, q = beside(s.fits[t + 1, end], s.x[t])
        whole = joined(quadratic(s, d), tail)
        cost, value = whole.c, whole.b
        slope = s.fits[t + 1, end, SLOPE] + q * (value - tail.b)
        line = Piece(value - slope * s.x[t], slope)
        if s.kind[start] != FREE:
            return cost, line
        for k in range(d, start + 1, -1):
            value = s.back[k, 0] + s.back[k, 1] * value
        t = s.at[start + 1]
        head, q = beside(s.fits[first, t + 1], s.x[t])
        slope = s.fits[first, t + 1, SLOPE] + q * (value - head.b)
        early = Piece(value - slope * s.x[t], slope)
    if s.kind[start] == FREE:
        s.place[start] = meeting(s.x, first, Piece(s.line[start, 0], s.line[start, 1]), early)
        if np.isnan(s.place[start]):
            return np.inf, line
    return cost, line


@compiled
def tied(s: Search, d: int, start: int, t: int) -> Quadratic:
    """The quadratic of a joint on datum t after joint d; `back` of it is written."""
    first = s.at[start]
    if d > start:
        i = s.at[d]
        after, s.back[d + 1, 0], s.back[d + 1, 1] = between(
            s.fits[i + 1, t + 1], quadratic(s, d), s.x[i], s.x[t]
        )
        return after
    if s.kind[d] == ZERO:
        return Quadratic(np.inf, 0.0, s.zero[t + 1])
    if s.kind[d] == OUTSIDE:
        return level(s.fits[first, t + 1])
    after, _ = beside(s.fits[first, t + 1], s.x[t])
    return Quadratic(after.a, after.b, after.c + s.left[d, 2])


@compiled
def write_found(s: Search, d: int, cost: float) -> None:
    """The joints up to d make the best network so far."""
    s.best[0] = cost
    s.found[0, 0] = d
    for k in range(1, d + 1):
        s.found[k, 0], s.found[k, 1], s.found[k, 2] = s.kind[k], s.at[k], s.place[k]


@compiled
def promises(s: Search, cost: float, used: int, datum: int) -> bool:
    """Whether a network may be better that has `used` neurons up to a datum, and this cost."""
    knots = len(s.bound) - 1
    return used <= knots and cost + s.bound[knots - used, datum] < s.best[0] * (1.0 - SAME_OPTIMUM)


@compiled
def begins_lines(s: Search, d: int) -> bool:
    """Make the next joint that is not tied, and worth a look, the one after joint d; whether there is one."""
    m, start, used = len(s.x), s.start[d], s.used[d]
    is_zero = s.kind[d] == ZERO
    begin = s.at[d] + 1 if d > start else s.at[d]
    while s.trial[d] < 3 * m:
        j, kind = s.trial[d] // 3, FREE + s.trial[d] % 3
        if j < begin + (0 if is_zero else 1):
            s.trial[d] = 3 * begin + (0 if is_zero else 3)
            continue
        s.trial[d] += 1
        if kind == OUTSIDE and not (is_zero and j == 0):
            continue
        least = s.left[d, 2] + (s.zero[j] if is_zero else s.fits[begin, j, RSS])
        if least >= s.best[0]:
            s.trial[d] = 3 * m
            return False
        price = 2 if kind == JUMP else 1
        if promises(s, least, used + price, j):
            cost, line = closed(s, d, start, j)
            if promises(s, cost, used + price, j):
                s.kind[d + 1], s.at[d + 1], s.left[d + 1, 2] = kind, j, cost
                s.line[d + 1, 0], s.line[d + 1, 1] = line.height, line.slope
                s.start[d + 1], s.used[d + 1] = d + 1, used + price
                return True
    return False


@compiled
def ties_lines(s: Search, d: int) -> bool:
    """The same for joints on a datum."""
    m, start, used = len(s.x), s.start[d], s.used[d]
    begin = s.at[d] + 1 if d > start else s.at[d]
    if s.kind[d] == FREE or s.kind[d] == JUMP:
        begin += 1  # a line through one datum is not unique
    while s.trial[d] < 4 * m - 1:
        t = max(s.trial[d] - 3 * m, begin)
        if t >= m - 1:
            return False
        s.trial[d] = 3 * m + t + 1
        after = tied(s, d, start, t)
        if after.c >= s.best[0]:
            return False
        if promises(s, after.c, used + 1, t + 1):
            s.kind[d + 1], s.at[d + 1] = TIED, t
            s.left[d + 1, 0], s.left[d + 1, 1], s.left[d + 1, 2] = after.a, after.b, after.c
            s.start[d + 1], s.used[d + 1] = start, used + 1
            return True
    return False


@compiled
def explore(s: Search) -> None:
    """Go through all joints, depth first."""
    m, knots = len(s.x), len(s.bound) - 1
    d = 0
    while d >= 0 and s.best[1] <= s.best[2]:
        if s.trial[d] == 0:
            s.best[1] += 1.0
            cost, _ = closed(s, d, s.start[d], m)
            if cost < s.best[0] * (1.0 - SAME_OPTIMUM):
                write_found(s, d, cost)
        if s.used[d] < knots and (begins_lines(s, d) or ties_lines(s, d)):
            d += 1
            s.trial[d] = 0
        else:
            d -= 1


@compiled
def search_knots(
    points: Points, knots: int, known: float, largest: float, best: FloatArray, found: FloatArray
) -> None:
    """Look for a network that costs less than `known`; `best` and `found` of a Search receive it."""
    m = len(points.x)
    fits = fits_of(points)
    zero = np.zeros(m + 1)
    for k in range(m):
        zero[k + 1] = zero[k] + points.w[k] * (points.y[k] * points.y[k])
    rows = knots + 1
    s = Search(
        points.x,
        fits,
        zero,
        bounds_of(fits, knots),
        np.zeros(rows, dtype=np.int64),
        np.zeros(rows, dtype=np.int64),
        np.zeros(rows, dtype=np.int64),
        np.zeros(rows, dtype=np.int64),
        np.zeros(rows, dtype=np.int64),
        np.zeros((rows, 3)),
        np.zeros((rows, 2)),
        np.zeros((rows, 2)),
        np.zeros(rows),
        best,
        found,
    )
    best[0], best[1], best[2] = min(known, zero[m] * (1.0 + 2.0 * SAME_OPTIMUM)), 0.0, largest
    found[:] = 0.0
    explore(s)
