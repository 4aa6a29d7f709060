"""The lines of a network between groups of neurons, and the coefficients that belong to them.

Neurons whose biases lie in one gap of the data see the same data, so only two
numbers of such a group of p matter: the change of slope D_s = sum c_j and the
jump D = -sum c_j (b_j - bbar) of the two lines at the mean bias bbar. With
S_b = sum (b_j - bbar)^2 the coefficients of least norm that give them are

    c_j = D_s/p - D (b_j - bbar)/S_b,    ||c||^2 = D_s^2/p + D^2/S_b.

A group with distinct biases is a *free joint*: the lines on its two sides do not
know of each other. A single bias (or several equal ones) is a *tied joint*, D = 0:
the lines meet at bbar.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from core.types import FloatArray, IntArray


class Lines(NamedTuple):
    """The lines right of each group of neurons: a point (at, value) and the slope."""

    first: IntArray
    """(K + 1,) first neuron of each group, in sorted order."""
    start: IntArray
    """(K + 1,) first datum under each line."""
    centre: FloatArray
    spread: FloatArray
    """S_b, 0 for a tied joint."""
    at: FloatArray
    value: FloatArray
    slope: FloatArray
    turn: FloatArray
    """N_l, the change of slope of a loose line with tau; 0 for a determined one."""


@njit(cache=True)
def group(knot: FloatArray, start: IntArray, apart: float) -> Lines:
    """Gather the knots of each gap; a joint is free if two neighbours in it are apart."""
    p = len(knot)
    first = np.empty(p + 1, dtype=np.int64)
    begin = np.empty(p + 1, dtype=np.int64)
    count = 0
    for k in range(p):
        if k == 0 or start[k] != start[k - 1]:
            first[count] = k
            begin[count] = start[k]
            count += 1
    first[count] = p
    begin[count] = start[p]
    centre = np.empty(count)
    spread = np.zeros(count)
    for g in range(count):
        lo, hi = first[g], first[g + 1]
        free = False
        total = 0.0
        for k in range(lo + 1, hi):
            total += knot[k] - knot[lo]
            free = free or knot[k] - knot[k - 1] > apart
        centre[g] = knot[lo] + total / (hi - lo)
        if free:
            for k in range(lo, hi):
                spread[g] += (knot[k] - centre[g]) ** 2
    return Lines(
        first[: count + 1],
        begin[: count + 1],
        centre,
        spread,
        np.empty(count),
        np.empty(count),
        np.empty(count),
        np.zeros(count),
    )


@njit(cache=True)
def joint(lines: Lines, g: int) -> tuple[float, float, float, float, float, float]:
    """Change of slope and jump at the joint g, each as (constant, per turn of left part, of right)."""
    q = lines.centre[g]
    slope, slope_right = lines.slope[g], lines.turn[g]
    jump = lines.value[g] + slope * (q - lines.at[g])
    jump_right = slope_right * (q - lines.at[g])
    slope_left, jump_left = 0.0, 0.0
    if g > 0:
        slope -= lines.slope[g - 1]
        jump -= lines.value[g - 1] + lines.slope[g - 1] * (q - lines.at[g - 1])
        slope_left = -lines.turn[g - 1]
        jump_left = slope_left * (q - lines.at[g - 1])
    return slope, slope_left, slope_right, jump, jump_left, jump_right


@njit(cache=True)
def share(lines: Lines, knot: FloatArray, order: IntArray) -> FloatArray:
    """The coefficients, in neuron order: each group's change of slope and jump, shared at least norm."""
    c = np.zeros(len(order))
    for g in range(len(lines.centre)):
        slope, _, _, jump, _, _ = joint(lines, g)
        lo, hi = lines.first[g], lines.first[g + 1]
        for k in range(lo, hi):
            part = slope / (hi - lo)
            if lines.spread[g] > 0.0:
                part -= jump * ((knot[k] - lines.centre[g]) / lines.spread[g])
            c[order[k]] = part
    return c


@njit(cache=True)
def residuals(x: FloatArray, y: FloatArray, lines: Lines, r: FloatArray) -> None:
    """r = f(x) - y from the lines, free of the rounding of huge opposite coefficients."""
    groups = len(lines.centre)
    for i in range(lines.start[0]):
        r[i] = -y[i]
    for g in range(groups):
        for i in range(lines.start[g], lines.start[g + 1]):
            r[i] = (lines.value[g] - y[i]) + lines.slope[g] * (x[i] - lines.at[g])
