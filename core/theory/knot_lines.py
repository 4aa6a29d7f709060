"""The lines between the joints of a spline (core.theory.free_knots): their costs, and whether they meet."""

from typing import NamedTuple

import numpy as np
from numba import njit

from core.model.regression import regression
from core.problem.data import Points
from core.types import FloatArray, IntArray

FREE, JUMP, TIED = range(3)
"""Kinds of joints."""


class Quadratic(NamedTuple):
    """a (u - b)^2 + c, what the data up to a tied joint cost if the value there is u; a = inf: u = b."""

    a: float
    b: float
    c: float


@njit(cache=True)
def beside(points: Points, i: int, j: int, k: int) -> tuple[Quadratic, float, float]:
    """What the data i..j-1 cost under a line with the value u at datum k; its slope is p - q u."""
    x, y, w = points
    w0, w1, w2, y0, y1, y2 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for h in range(i, j):
        t = x[h] - x[k]
        w0 += w[h]
        w1 += w[h] * t
        w2 += w[h] * (t * t)
        y0 += w[h] * y[h]
        y1 += w[h] * (t * y[h])
        y2 += w[h] * (y[h] * y[h])
    p, q = y1 / w2, w1 / w2
    a, b = w0 - w1 * q, y0 - w1 * p
    rest = y2 - y1 * p
    if a <= 1e-13 * w0:  # one datum away from k: any u will do
        return Quadratic(0.0, 0.0, 0.0), p, q
    return Quadratic(a, b / a, max(rest - b * (b / a), 0.0)), p, q


@njit(cache=True)
def add(one: Quadratic, two: Quadratic) -> Quadratic:
    """The sum of two quadratics of one value."""
    if one.a == np.inf:
        apart = two.b - one.b
        return Quadratic(np.inf, one.b, one.c + two.c + two.a * (apart * apart))
    both = one.a + two.a
    if both == 0.0:
        return Quadratic(0.0, 0.0, one.c + two.c)
    apart = one.b - two.b
    c = one.c + two.c + (one.a * two.a / both) * (apart * apart)
    return Quadratic(both, (one.a * one.b + two.a * two.b) / both, c)


@njit(cache=True)
def between(points: Points, left: Quadratic, i: int, t: int) -> tuple[Quadratic, float, float]:
    """The quadratic of the joint at datum t after one at datum i; the value at i is p + q v then."""
    x, y, w = points
    h = x[t] - x[i]
    uu, uv, vv, uy, vy, yy = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(i + 1, t + 1):
        share = (x[k] - x[i]) / h
        uu += w[k] * ((1.0 - share) * (1.0 - share))
        uv += w[k] * ((1.0 - share) * share)
        vv += w[k] * (share * share)
        uy += w[k] * ((1.0 - share) * y[k])
        vy += w[k] * (share * y[k])
        yy += w[k] * (y[k] * y[k])
    if left.a == np.inf:
        p, q = left.b, 0.0
        a, b = vv, vy - uv * p
        rest = left.c + yy - 2.0 * (p * uy) + uu * (p * p)
    else:
        whole = left.a + uu
        if whole == 0.0:  # neither side knows the value at i
            return Quadratic(vv, vy / vv, left.c + max(yy - vy * (vy / vv), 0.0)), 0.0, 0.0
        p, q = (left.a * left.b + uy) / whole, -uv / whole
        a, b = vv + uv * q, vy - uv * p
        rest = left.c + left.a * (left.b * left.b) + yy - p * (left.a * left.b + uy)
    return Quadratic(a, b / a, max(rest - b * (b / a), left.c)), p, q


@njit(cache=True)
def ends_of(points: Points, joints: IntArray, first: int, last: int, start: int, end: int) -> FloatArray:
    """The first and the last line of the block with the tied joints first..last-1: value and slope at x_0.

    Its data are start..end-1; start < 0 means that the network is zero up to the first joint.
    """
    x = points.x
    out = np.zeros(4)
    count = last - first
    if count == 0:
        fit = regression(points, start, end)
        value = fit.mean + fit.slope * ((x[0] - fit.first) - fit.offset)
        out[0], out[1], out[2], out[3] = value, fit.slope, value, fit.slope
        return out
    back = np.zeros((count, 2))
    t = joints[first, 1]
    if start < 0:
        left, p, q = Quadratic(np.inf, 0.0, 0.0), 0.0, 0.0
    else:
        left, p, q = beside(points, start, t + 1, t)
    for k in range(1, count):
        left, back[k, 0], back[k, 1] = between(points, left, joints[first + k - 1, 1], joints[first + k, 1])
    t = joints[last - 1, 1]
    tail, p2, q2 = beside(points, t + 1, end, t)
    value = add(left, tail).b
    slope = p2 - q2 * value
    out[2], out[3] = value + slope * (x[0] - x[t]), slope
    for k in range(count - 1, 0, -1):
        value = back[k, 0] + back[k, 1] * value
    slope = p - q * value
    out[0], out[1] = value + slope * (x[0] - x[joints[first, 1]]), slope
    return out


@njit(cache=True)
def half_line(x: FloatArray, y: float, at: int, gap_end: int, line: FloatArray) -> tuple[float, float]:
    """Slopes of the lines through (x_at, y) that meet `line` up to x_gap_end: the first, and which way on."""
    value = line[0] + line[1] * (x[gap_end] - x[0])
    slope = (value - y) / (x[gap_end] - x[at])
    here = line[0] + line[1] * (x[at] - x[0]) - y
    return slope, here if gap_end > at else -here


@njit(cache=True)
def is_possible(points: Points, joints: IntArray, count: int) -> int:
    """Whether the lines beside every free joint meet in its gap: 1, 0, or -1 where that is not decided."""
    x, y = points.x, points.y
    m = len(x)
    blocks = 1
    for k in range(count):
        blocks += joints[k, 0] != TIED
    lines = np.zeros((blocks, 4))
    begin = np.zeros(blocks + 1, dtype=np.int64)
    kind = np.zeros(blocks, dtype=np.int64)
    block, first, start = 0, 0, -1
    for k in range(count + 1):
        if k < count and joints[k, 0] == TIED:
            continue
        end = joints[k, 1] if k < count else m
        if start >= 0 or k > first:
            lines[block] = ends_of(points, joints, first, k, start, end)
        if k < count:
            block += 1
            kind[block], begin[block] = joints[k, 0], joints[k, 1]
            start, first = joints[k, 1], k + 1
    begin[blocks] = m
    for g in range(1, blocks):
        loose = g + 1 < blocks and begin[g + 1] - begin[g] == 1
        before = g > 1 and begin[g] - begin[g - 1] == 1
        if loose and before:
            return -1
        if kind[g] == JUMP or before:
            continue
        at = begin[g]
        if g + 1 == blocks and at == m - 1:
            continue
        if loose:
            if kind[g + 1] == JUMP:
                continue
            one, way = 0.0, y[at]
            if at > 0:
                one, way = half_line(x, y[at], at, at - 1, lines[g - 1, 2:])
            other, there = half_line(x, y[at], at, at + 1, lines[g + 1, :2])
            if way * there < 0.0 and (other - one) * way < 0.0:
                return 0
            continue
        right = (
            lines[g, 0] + lines[g, 1] * (x[at] - x[0]) - (lines[g - 1, 2] + lines[g - 1, 3] * (x[at] - x[0]))
        )
        if at == 0:
            if right * lines[g, 1] < 0.0:
                return 0
            continue
        left = (
            lines[g, 0]
            + lines[g, 1] * (x[at - 1] - x[0])
            - (lines[g - 1, 2] + lines[g - 1, 3] * (x[at - 1] - x[0]))
        )
        if left * right > 0.0:
            return 0
    return 1
