"""Least squares over the coefficients as a chain of knots, condensed from both ends.

For given biases the network is a linear spline that vanishes left of its first
knot, so the least-squares problem (section 4.1, def:LSQ) has the unknowns
v_k = f(b_k) with v_0 = 0, and a free last slope, instead of c. The data between
two neighbouring knots are two equations in the values there (core.least_squares.rows). A
left-to-right pass of Givens rotations therefore keeps everything left of a knot
as one quadratic (r v - z)^2 plus the residuals met so far; a right-to-left pass
does the same from the other side. Replacing the knot k by another is one elimination from
k - 1, one from k + 1 and a scalar combination: O(1), however many data and
neurons there are, and the gain is a difference of local residuals, so that
nothing cancels.

Rank is combinatorial. An empty segment between two knots leaves r = 0 (the
network may jump there), and a single datum after r = 0 leaves it 0, unless the
datum lies on the right knot and so fixes its value. No tolerance decides it,
with one exception: knots of one gap that are not apart (core.least_squares.rows) count as one.
"""

from typing import NamedTuple

import numpy as np

from ..compiled import compiled, compiled_inline
from ..model.pattern.gaps import gaps
from ..problem.data import Points
from ..types import FloatArray, IntArray
from .rows import (
    EMPTY,
    GRADIENT,
    JOINED,
    KIND,
    LAST,
    LEFT,
    MEAN,
    RIGHT,
    ROW_LENGTH,
    RSS,
    SINGLE,
    SLOPE,
    write_segment,
)

R, Z, RESIDUAL = 0, 1, 2
"""Columns of a quadratic: (r v - z)^2, and the residual of the elimination that led to it."""


class Knots(NamedTuple):
    """The p live biases (b < x_m) in ascending order, and the data between them."""

    place: FloatArray
    """(p,) positions."""
    start: IntArray
    """(p + 1,) first datum right of each knot; the last entry is m."""


class Chain(NamedTuple):
    """The least-squares problem of some knots, each array with one entry per knot."""

    place: FloatArray
    """(p,) as in Knots"""
    start: IntArray
    """(p + 1,) as in Knots"""
    row: FloatArray
    """(p, ROW_LENGTH) the segment between each knot and the next."""
    left: FloatArray
    """(p, 3) the quadratic of all data left of the knot; r = inf is the hard constraint v = 0."""
    right: FloatArray
    """(p, 3) the same for all data right of the knot."""


@compiled_inline
def eliminate(
    r: float, z: float, a: float, b: float, e: float, g: float, f: float
) -> tuple[float, float, float]:
    """Minimise (r v - z)^2 + (a v + b w - e)^2 + (g (w - v) - f)^2 over v.

    Returns r', z', residual with the minimum equal to (r' w - z')^2 + residual.
    r = inf stands for the hard constraint v = 0 at the first knot.
    """
    if r == np.inf:
        b2, e2, b3, e3 = b, e, g, f
    else:
        rho = np.sqrt(r * r + a * a)
        if rho == 0.0:
            # v is free: the slope's row costs nothing, the mean's row knows w alone.
            return b, e, 0.0
        cosine, sine = r / rho, a / rho
        b2, e2 = cosine * b, cosine * e - sine * z
        if g == 0.0:
            # b = 0: the only datum lies on the knot that is eliminated.
            return (b2, e2, 0.0) if b2 != 0.0 else (0.0, 0.0, e2 * e2)
        top_b, top_e = sine * b, cosine * z + sine * e
        length = np.sqrt(rho * rho + g * g)
        cosine, sine = rho / length, g / length
        b3, e3 = cosine * g + sine * top_b, cosine * f + sine * top_e
    length = np.sqrt(b2 * b2 + b3 * b3)
    if length == 0.0:
        return 0.0, 0.0, 0.0
    b2 /= length
    b3 /= length
    cross = b2 * e3 - b3 * e2
    return length, b2 * e2 + b3 * e3, cross * cross


@compiled_inline
def step_right(r: float, z: float, row: FloatArray) -> tuple[float, float, float]:
    """Carry the left quadratic over a segment, from its left knot to its right one."""
    kind = row[KIND]
    if kind == EMPTY:
        return 0.0, 0.0, 0.0
    if kind == JOINED:
        return r, z, 0.0
    if kind == SINGLE and r == 0.0 and row[LEFT] != 0.0:
        return 0.0, 0.0, 0.0
    return eliminate(r, z, row[LEFT], row[RIGHT], row[MEAN], row[GRADIENT], row[SLOPE])


@compiled_inline
def step_left(r: float, z: float, row: FloatArray) -> tuple[float, float, float]:
    """Carry the right quadratic over a segment, from its right knot to its left one."""
    kind = row[KIND]
    if kind == LAST:
        return row[LEFT], row[MEAN], 0.0
    if kind == EMPTY:
        return 0.0, 0.0, 0.0
    if kind == JOINED:
        return r, z, 0.0
    if kind == SINGLE and r == 0.0:
        return 0.0, 0.0, 0.0
    return eliminate(r, z, row[RIGHT], row[LEFT], row[MEAN], row[GRADIENT], -row[SLOPE])


@compiled_inline
def meet(r1: float, z1: float, r2: float, z2: float) -> float:
    """Minimum of (r1 v - z1)^2 + (r2 v - z2)^2 over v (over v = 0 alone where r1 = inf)."""
    if r1 == np.inf:
        return z2 * z2
    length = np.sqrt(r1 * r1 + r2 * r2)
    if length == 0.0:
        return 0.0
    cross = (r1 / length) * z2 - (r2 / length) * z1
    return cross * cross


@compiled_inline
def meet_at(chain: Chain, k: int) -> float:
    """What the two quadratics of the knot k cost together."""
    return meet(chain.left[k, R], chain.left[k, Z], chain.right[k, R], chain.right[k, Z])


@compiled_inline
def from_left(chain: Chain, k: int) -> None:
    """The left quadratic of the knot k > 0, from the one before it."""
    r, z, residual = step_right(chain.left[k - 1, R], chain.left[k - 1, Z], chain.row[k - 1])
    chain.left[k, R], chain.left[k, Z], chain.left[k, RESIDUAL] = r, z, residual


@compiled_inline
def from_right(chain: Chain, k: int, row: FloatArray) -> tuple[float, float, float]:
    """What the right quadratic of a knot would be that has the row `row` and, after it, the knot k + 1."""
    if k + 1 < len(chain.place):
        return step_left(chain.right[k + 1, R], chain.right[k + 1, Z], row)
    return step_left(0.0, 0.0, row)


@compiled_inline
def condense_left(chain: Chain, first: int) -> int:
    """Redo the left quadratics of knot `first` and on, until one repeats bit by bit; returns where."""
    p = len(chain.place)
    for k in range(first, p):
        r, z = chain.left[k, R], chain.left[k, Z]
        from_left(chain, k)
        if k > first and r == chain.left[k, R] and z == chain.left[k, Z]:
            return k
    return p


@compiled_inline
def condense_right(chain: Chain, first: int) -> int:
    """Redo the right quadratics of knot `first` and back, until one repeats; returns where (-1: never)."""
    for k in range(first, -1, -1):
        r, z, residual = from_right(chain, k, chain.row[k])
        same = r == chain.right[k, R] and z == chain.right[k, Z]
        chain.right[k, R], chain.right[k, Z], chain.right[k, RESIDUAL] = r, z, residual
        if same and k < first:
            return k
    return -1


@compiled
def fill_chain(points: Points, chain: Chain) -> None:
    """Write the rows and quadratics of the chain's knots."""
    place, start = chain.place, chain.start
    p = len(place)
    chain.left[:] = np.nan
    chain.right[:] = np.nan
    for k in range(p):
        q = place[k + 1] if k + 1 < p else np.inf
        write_segment(chain.row[k], points, start[k], start[k + 1], place[k], q)
    if p > 0:
        chain.left[0, R], chain.left[0, Z], chain.left[0, RESIDUAL] = np.inf, 0.0, 0.0
        condense_left(chain, 1)
        condense_right(chain, p - 1)


def open_chain(points: Points, knots: Knots) -> Chain:
    """Rows and quadratics of some knots."""
    p = len(knots.place)
    chain = Chain(knots.place, knots.start, np.empty((p, ROW_LENGTH)), np.empty((p, 3)), np.empty((p, 3)))
    fill_chain(points, chain)
    return chain


chain_of = compiled(open_chain)
"""For kernels, which alone may receive new arrays from a kernel (core.methods.stepping.epochs)."""


@compiled_inline
def unseen(points: Points, i: int, j: int) -> float:
    """What the data i..j-1 cost left of the first knot, where the network is zero."""
    total = 0.0
    for k in range(i, j):
        total += points.w[k] * (points.y[k] * points.y[k])
    return total


@compiled_inline
def least_sum(points: Points, chain: Chain) -> float:
    """The least sum of w r^2, always summed in the same order: a function of the biases alone."""
    p = len(chain.place)
    total = unseen(points, 0, chain.start[0])
    for k in range(p):
        total += chain.left[k, RESIDUAL] + chain.row[k, RSS]
    if p > 0:
        total += meet_at(chain, p - 1)
    return total


def ascending(b: FloatArray) -> IntArray:
    """The neurons from left to right; equal biases in the order of their numbers."""
    return np.argsort(b, kind="stable").astype(np.int64, copy=False)


@compiled
def repair(b: FloatArray, order: IntArray) -> None:
    """Sort the neurons by bias again after a small step: insertion, almost in order already."""
    for p in range(1, len(order)):
        j = order[p]
        q = p
        while q > 0 and b[order[q - 1]] > b[j]:
            order[q] = order[q - 1]
            q -= 1
        order[q] = j


@compiled
def least_sum_of(points: Points, knots: Knots) -> float:
    """The least sum of w r^2 of some knots."""
    return least_sum(points, chain_of(points, knots))


def open_knots(x: FloatArray, b: FloatArray, order: IntArray) -> Knots:
    """The live biases (b < x_m), which `order` sorts, for Python."""
    place = b[order]
    place = place[: np.searchsorted(place, x[-1], side="left")].copy()
    return Knots(place, np.append(gaps(x, place), len(x)))


@compiled
def live_knots(x: FloatArray, b: FloatArray, order: IntArray) -> Knots:
    """The live biases (b < x_m), which `order` sorts, for kernels."""
    m = len(x)
    p = 0
    while p < len(order) and b[order[p]] < x[m - 1]:
        p += 1
    place = np.empty(p)
    start = np.empty(p + 1, dtype=np.int64)
    i = 0
    for k in range(p):
        place[k] = b[order[k]]
        while x[i] <= place[k]:
            i += 1
        start[k] = i
    start[p] = m
    return Knots(place, start)
