"""The lines of a network between groups of neurons, and the coefficients that belong to them.

Neurons whose biases lie in one gap of the data see the same data, so only two
numbers of such a group of p matter: the change of slope D_s = sum c_j and the
jump D = -sum c_j (b_j - bbar) of the two lines at the mean bias bbar. With
S_b = sum (b_j - bbar)^2 the coefficients of least norm that give them are

    c_j = D_s/p - D (b_j - bbar)/S_b,    ||c||^2 = D_s^2/p + D^2/S_b.

A group with distinct biases is a *free joint*: the lines on its two sides do not
know of each other. A single bias (or several that coincide) is a *tied joint*, D = 0:
the lines meet at bbar.

Two biases at distance d that carry a jump D have coefficients of about D/d, with
opposite signs, and their sum, the change of slope, is rounded in units of D eps/d. That
error must not be carried to the right over all data. So deviations are taken
from the first bias of the group (bbar, rounded, would spoil them), and `share`
follows the network that its own rounded coefficients make: each change of slope is
what leads from there to the next line.
"""

from typing import NamedTuple

import numpy as np

from ..compiled import compiled, compiled_inline
from ..problem.data import Points
from ..types import FloatArray, IntArray
from .chain import Knots
from .rows import are_apart


class Lines(NamedTuple):
    """The lines right of each of K groups of neurons: a point (at, value) and the slope."""

    start: IntArray
    """(K + 1,) first datum under each line."""
    base: FloatArray
    """The first bias of each group, bbar = base + offset; of a tied joint bbar itself."""
    offset: FloatArray
    spread: FloatArray
    """S_b, 0 for a tied joint."""
    at: FloatArray
    value: FloatArray
    slope: FloatArray
    turn: FloatArray
    """N_l, the change of slope of a loose line with tau (see min_norm); 0 for a determined one."""


class Joint(NamedTuple):
    """Change of slope and jump at a joint: constants, and shares of the turns left and right of it."""

    slope: float
    slope_left: float
    slope_right: float
    jump: float
    jump_left: float
    jump_right: float


@compiled
def lines_over(start: IntArray) -> Lines:
    """Lines over the given data, with all that belongs to them still to be filled in."""
    count = len(start) - 1
    return Lines(
        start,
        np.zeros(count),
        np.zeros(count),
        np.zeros(count),
        np.zeros(count),
        np.zeros(count),
        np.zeros(count),
        np.zeros(count),
    )


@compiled
def group(x: FloatArray, knots: Knots) -> tuple[Lines, IntArray]:
    """Gather the knots of each gap; and (K + 1,) the first knot of each group.

    A joint is free if two neighbours in it are apart.
    """
    place, start = knots
    p = len(place)
    first = np.empty(p + 1, dtype=np.int64)
    begin = np.empty(p + 1, dtype=np.int64)
    count = 0
    for k in range(p):
        if k == 0 or start[k] != start[k - 1]:
            first[count], begin[count] = k, start[k]
            count += 1
    first[count], begin[count] = p, start[p]
    lines = lines_over(begin[: count + 1])
    for g in range(count):
        lo, hi = first[g], first[g + 1]
        free = False
        total = 0.0
        for k in range(lo + 1, hi):
            total += place[k] - place[lo]
            free = free or are_apart(x, place[k - 1], place[k])
        if not free:
            lines.base[g] = place[lo] + total / (hi - lo)
            continue
        lines.base[g], lines.offset[g] = place[lo], total / (hi - lo)
        for k in range(lo, hi):
            deviation = (place[k] - place[lo]) - lines.offset[g]
            lines.spread[g] += deviation * deviation
    return lines, first[: count + 1]


@compiled_inline
def value_at(lines: Lines, g: int, q: float) -> float:
    """The line g at q."""
    return lines.value[g] + lines.slope[g] * (q - lines.at[g])


@compiled_inline
def joint_at(lines: Lines, g: int) -> Joint:
    """What happens between the lines g - 1 (none: the line 0) and g."""
    ahead = (lines.base[g] - lines.at[g]) + lines.offset[g]
    slope, jump = lines.slope[g], lines.value[g] + lines.slope[g] * ahead
    slope_left, jump_left = 0.0, 0.0
    if g > 0:
        behind = (lines.base[g] - lines.at[g - 1]) + lines.offset[g]
        slope -= lines.slope[g - 1]
        jump -= lines.value[g - 1] + lines.slope[g - 1] * behind
        slope_left = -lines.turn[g - 1]
        jump_left = slope_left * behind
    return Joint(slope, slope_left, lines.turn[g], jump, jump_left, lines.turn[g] * ahead)


@compiled
def share(x: FloatArray, lines: Lines, knots: Knots, first: IntArray, order: IntArray) -> FloatArray:
    """The coefficients, in neuron order: each group's change of slope and jump, shared at least norm."""
    place = knots.place
    part = np.zeros(len(place))
    slope, value = 0.0, 0.0
    for g in range(len(lines.base)):
        lo, hi = first[g], first[g + 1]
        if lo > 0:
            value += slope * (place[lo] - place[lo - 1])
        wanted = lines.slope[g]
        if lines.spread[g] == 0.0:
            # The value is what it is: what it misses the line by is to vanish where the line ends.
            until = x[lines.start[g + 1] - 1]
            if g + 1 < len(lines.base) and lines.spread[g + 1] == 0.0:
                until = lines.base[g + 1]
            base = lines.base[g]
            miss = value_at(lines, g, base) - (value + slope * (base - place[lo]))
            wanted += miss / (until - base)
            for k in range(lo, hi):
                part[k] = (wanted - slope) / (hi - lo)
        else:
            # A second time for what the rounding of the first leaves.
            for _ in range(2):
                add_shares(lines, g, place[lo:hi], slope, value, part[lo:hi])
        value, before = carry_values(place[lo:hi], part[lo:hi], slope, value)
        part[hi - 1] = wanted - before
        slope = before + part[hi - 1]
    c = np.zeros(len(order))
    for k in range(len(place)):
        c[order[k]] = part[k]
    return c


@compiled_inline
def carry_values(place: FloatArray, part: FloatArray, slope: float, value: float) -> tuple[float, float]:
    """The value at the last knot of a group and the slope before it, from those at the first."""
    for k in range(1, len(place)):
        slope += part[k - 1]
        value += slope * (place[k] - place[k - 1])
    return value, slope


@compiled_inline
def add_shares(lines: Lines, g: int, place: FloatArray, slope: float, value: float, part: FloatArray) -> None:
    """Add to the coefficients of a free joint what they lack: change of slope and jump, at least norm."""
    p = len(place)
    end, before = carry_values(place, part, slope, value)
    lack = lines.slope[g] - (before + part[p - 1])
    ahead = (place[p - 1] - lines.base[g]) - lines.offset[g]
    jump = (value_at(lines, g, place[p - 1]) - end) - lack * ahead
    for k in range(p):
        deviation = (place[k] - lines.base[g]) - lines.offset[g]
        part[k] += lack / p - jump * (deviation / lines.spread[g])


@compiled
def residuals(points: Points, lines: Lines) -> FloatArray:
    """f(x) - y from the lines, free of the rounding of huge opposite coefficients."""
    x, y, _ = points
    r = np.empty(len(x))
    for i in range(lines.start[0]):
        r[i] = -y[i]
    for g in range(len(lines.base)):
        for i in range(lines.start[g], lines.start[g + 1]):
            r[i] = (lines.value[g] - y[i]) + lines.slope[g] * (x[i] - lines.at[g])
    return r
