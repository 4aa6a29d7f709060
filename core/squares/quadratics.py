"""Least squares over the coefficients as two sweeps along the knots.

For given biases the network is a linear spline that vanishes left of its first
knot, so the least-squares problem (paper, eq. def:LSQ) has the unknowns
v_k = f(b_k) with v_0 = 0, and a free last slope, instead of c. The data between
two neighbouring knots are two rows in the values there (core.squares.rows). A
left-to-right pass of Givens rotations therefore keeps everything left of a knot
as one quadratic (r v - z)^2 plus the residuals met so far; a right-to-left pass
does the same from the other side. Replacing the knot k by another is one elimination from
k - 1, one from k + 1 and a scalar combination: O(1), however many data and
neurons there are, and the gain is a difference of local residuals, so that
nothing cancels.

Rank is combinatorial. An empty segment between two knots leaves r = 0 (the
network may jump there), and a single datum after r = 0 leaves it 0, unless the
datum lies on the right knot and so fixes its value. No tolerance decides it,
with one exception: knots closer than `COINCIDENT` times the span of the data,
with no datum between them, count as one. Telling them apart would ask for
coefficients so large that their rounding spoils the fit.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from core.squares.rows import (
    EMPTY,
    END,
    GRADIENT,
    JOINED,
    KIND,
    LEFT,
    MEAN,
    RIGHT,
    RSS,
    SINGLE,
    SLOPE,
    segment,
)
from core.types import FloatArray, IntArray


class Sweep(NamedTuple):
    """Everything known about p live knots, in ascending order, each array with one entry per knot."""

    knot: FloatArray
    """(p,) positions."""
    start: IntArray
    """(p + 1,) first datum right of each knot; the last entry is m."""
    row: FloatArray
    """(p, 7) the segment between each knot and the next."""
    left: FloatArray
    """(p, 3) r, z of all data left of the knot, and the residual of the step that led here."""
    right: FloatArray
    """(p, 3) the same for all data right of the knot."""
    place: FloatArray
    """(p, 2) where the knot's left and right candidates would put it; nan where there is none."""
    moved: FloatArray
    """(p, 2, 2, 7) rows of the segments left and right of each candidate."""
    gain: FloatArray
    """(p, 2) decrease of the sum of squares by each candidate; -inf where there is none."""


@njit(cache=True)
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


@njit(cache=True)
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


@njit(cache=True)
def step_left(r: float, z: float, row: FloatArray) -> tuple[float, float, float]:
    """Carry the right quadratic over a segment, from its right knot to its left one."""
    kind = row[KIND]
    if kind == END:
        return row[LEFT], row[MEAN], 0.0
    if kind == EMPTY:
        return 0.0, 0.0, 0.0
    if kind == JOINED:
        return r, z, 0.0
    if kind == SINGLE and r == 0.0:
        return 0.0, 0.0, 0.0
    return eliminate(r, z, row[RIGHT], row[LEFT], row[MEAN], row[GRADIENT], -row[SLOPE])


@njit(cache=True)
def meet(r1: float, z1: float, r2: float, z2: float) -> float:
    """Minimum of (r1 v - z1)^2 + (r2 v - z2)^2 over v (over v = 0 alone where r1 = inf)."""
    if r1 == np.inf:
        return z2 * z2
    length = np.sqrt(r1 * r1 + r2 * r2)
    if length == 0.0:
        return 0.0
    cross = (r1 / length) * z2 - (r2 / length) * z1
    return cross * cross


@njit(cache=True)
def sweep_left(s: Sweep, first: int) -> int:
    """Redo the left quadratics of knot `first` and on, until one repeats bit by bit; returns where."""
    p = len(s.knot)
    for k in range(first, p):
        r, z, residual = step_right(s.left[k - 1, 0], s.left[k - 1, 1], s.row[k - 1])
        same = r == s.left[k, 0] and z == s.left[k, 1]
        s.left[k, 0], s.left[k, 1], s.left[k, 2] = r, z, residual
        if same and k > first:
            return k
    return p


@njit(cache=True)
def sweep_right(s: Sweep, first: int) -> int:
    """Redo the right quadratics of knot `first` and back, until one repeats; returns where (-1: never)."""
    p = len(s.knot)
    for k in range(first, -1, -1):
        following = min(k + 1, p - 1)
        r, z, residual = step_left(s.right[following, 0], s.right[following, 1], s.row[k])
        same = r == s.right[k, 0] and z == s.right[k, 1]
        s.right[k, 0], s.right[k, 1], s.right[k, 2] = r, z, residual
        if same and k < first:
            return k
    return -1


@njit(cache=True)
def new_sweep(x: FloatArray, y: FloatArray, knot: FloatArray, start: IntArray, apart: float) -> Sweep:
    """Rows and both sweeps for ascending live knots; candidates are left blank."""
    p = len(knot)
    s = Sweep(
        knot,
        start,
        np.empty((p, 7)),
        np.full((p, 3), np.nan),
        np.full((p, 3), np.nan),
        np.full((p, 2), np.nan),
        np.zeros((p, 2, 2, 7)),
        np.full((p, 2), -np.inf),
    )
    for k in range(p):
        q = knot[k + 1] if k + 1 < p else np.inf
        segment(x, y, start[k], start[k + 1], knot[k], q, apart, s.row[k])
    if p > 0:
        s.left[0, 0], s.left[0, 1], s.left[0, 2] = np.inf, 0.0, 0.0
        sweep_left(s, 1)
        sweep_right(s, p - 1)
    return s


@njit(cache=True)
def sum_of_squares(y: FloatArray, s: Sweep) -> float:
    """The least sum of squares, always summed in the same order: a function of the biases alone."""
    p = len(s.knot)
    total = 0.0
    for i in range(s.start[0]):
        total += y[i] * y[i]
    for k in range(p):
        total += s.left[k, 2] + s.row[k, RSS]
    if p > 0:
        total += meet(s.left[p - 1, 0], s.left[p - 1, 1], s.right[p - 1, 0], s.right[p - 1, 1])
    return total


def ascending(b: FloatArray) -> IntArray:
    """The neurons from left to right; equal biases in the order of their numbers."""
    return np.argsort(b, kind="stable").astype(np.int64, copy=False)


@njit(cache=True)
def live_knots(x: FloatArray, b: FloatArray, order: IntArray) -> tuple[FloatArray, IntArray]:
    """Positions of the live biases (b < x_m) in the given ascending order, and their segments' first data."""
    m = len(x)
    p = 0
    while p < len(order) and b[order[p]] < x[m - 1]:
        p += 1
    knot = np.empty(p)
    start = np.empty(p + 1, dtype=np.int64)
    i = 0
    for k in range(p):
        knot[k] = b[order[k]]
        while x[i] <= knot[k]:
            i += 1
        start[k] = i
    start[p] = m
    return knot, start
