"""Watches: numbers that stay positive as long as a stage lasts, and where in a step the first one fails.

A free neuron watches its distances to both ends of its gap; a neuron pinned to x_k watches `t - v+` and
`t + v-`, where v+ and v- are the velocities that it would have just right and just left of x_k
(v- = v+ + s c_j w_k r_k) and t the size below which a velocity is noise.

In a step the watches are read at eight points of its polynomial; where a free bias turned round between two of
them, its nearest point as well. The failure is then enclosed by secants, every second one replaced by a
bisection where they are slow, down to neighbouring numbers.

A bias that has just left a datum stands on it, and its distance is zero to the last bit. Such a watch is
not armed until the bias has come `near` away: before, it fires only if the velocity, too, leads back.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from core.flow.pace import change_at, entry_at
from core.flow.system import BEFORE, Base, G, System, add_up, change_residual
from core.types import FloatArray

SAMPLES = 8
NARROW = 2.0**-52
"""Where the enclosure of an event, in parts of the step, is narrow enough."""

Flags = NDArray[np.bool_]


class Levels(NamedTuple):
    """What counts as nothing, in one segment."""

    noise: float
    """Pulls s G_j = v_j / c_j up to this have no sign."""
    small: float
    """Coefficients below this have the threshold of this one."""
    near: float
    """A bias this far from a datum has left it."""
    tie: float
    """Biases this close to a datum at the time of an event arrive together."""


class Watches(NamedTuple):
    """The two watches of each neuron, and how fast those of the free ones change; all (2, n)."""

    value: FloatArray
    rate: FloatArray


@njit(cache=True, error_model="numpy")
def threshold(c: float, levels: Levels) -> float:
    """Velocities up to this have no sign. In proportion to c_j, so that neurons on one datum go together."""
    return levels.noise * max(abs(c), levels.small)


@njit(cache=True, error_model="numpy")
def read_watches(system: System, base: Base, change: FloatArray, levels: Levels) -> Watches:
    """The watches at base + change."""
    n = system.free.size
    sums = np.empty_like(base.residual)
    change_residual(system, base, change, sums)
    add_up(system, sums)
    value, rate = np.empty((2, n)), np.zeros((2, n))
    for j in range(n):
        g = system.group[j]
        c = base.c[j] + change[1, j]
        right = system.s * c * sums[G, g]
        if system.free[j] > 0.0:
            b = base.b[j] + change[0, j]
            value[0, j] = b - system.ends[0, j]
            value[1, j] = system.ends[1, j] - b
            rate[0, j] = right
            rate[1, j] = -right
        else:
            left = right + system.s * c * (system.edge_weight[0, g] * sums[BEFORE, g])
            value[0, j] = threshold(c, levels) - right
            value[1, j] = threshold(c, levels) + left
    return Watches(value, rate)


@njit(cache=True, error_model="numpy")
def read_one(
    system: System, base: Base, terms: FloatArray, theta: float, side: int, j: int, levels: Levels
) -> float:
    """One watch at theta of a step, the same bits as among all of them."""
    if system.free[j] > 0.0:
        b = base.b[j] + entry_at(terms, theta, 0, j)
        return b - system.ends[0, j] if side == 0 else system.ends[1, j] - b
    change = np.empty((2, system.free.size))
    change_at(terms, theta, change)
    return read_watches(system, base, change, levels).value[side, j]


@njit(cache=True, error_model="numpy")
def enclose(
    system: System,
    base: Base,
    terms: FloatArray,
    bracket: tuple[float, float],
    side: int,
    j: int,
    levels: Levels,
) -> float:
    """Where in the bracket the watch turns negative: it is positive at its beginning, negative at its end."""
    low, high = bracket
    at_low = read_one(system, base, terms, low, side, j, levels)
    at_high = read_one(system, base, terms, high, side, j, levels)
    for iteration in range(200):
        width = high - low
        if width <= NARROW * high:
            break
        theta = low + width * (at_low / (at_low - at_high))
        if iteration % 3 == 2 or not low < theta < high:
            theta = low + 0.5 * width
        if theta in (low, high):
            break
        value = read_one(system, base, terms, theta, side, j, levels)
        if value < 0.0:
            high, at_high = theta, value
        elif value > 0.0:
            low, at_low = theta, value
        else:
            return theta
    return high


@njit(cache=True, error_model="numpy")
def failing_end(
    system: System,
    base: Base,
    terms: FloatArray,
    old: Watches,
    new: Watches,
    span: tuple[float, float],
    side: int,
    j: int,
    armed: bool,
    levels: Levels,
) -> float:
    """Where between two samples a watch is seen to have failed; -1 if it is not.

    A bias may have come to its datum and turned back between them: its nearest point lies about where its
    velocity, taken as linear in time, vanishes.
    """
    if new.value[side, j] < 0.0 and (armed or new.rate[side, j] < 0.0):
        return span[1]
    before, after = old.rate[side, j], new.rate[side, j]
    if armed and before < 0.0 < after:
        theta = span[0] + (span[1] - span[0]) * (before / (before - after))
        if read_one(system, base, terms, theta, side, j, levels) < 0.0:
            return theta
    return -1.0


@njit(cache=True, error_model="numpy")
def find_event(
    system: System, base: Base, terms: FloatArray, armed: Flags, levels: Levels, at_start: bool
) -> tuple[float, Flags]:
    """The theta at which the first watch of a step fires, and which ones do then; -1 if none does.

    `armed` is brought up to date as far as the step lasts. `at_start` says that the step begins the segment:
    a watch that is negative there already is not allowed to stop time, and fires at the first sample.
    """
    n = system.free.size
    when = np.full((2, n), np.inf)
    change = np.zeros((2, n))
    old = read_watches(system, base, change, levels)
    before = 0.0
    for i in range(1, SAMPLES + 1):
        after = i / SAMPLES
        change_at(terms, after, change)
        new = read_watches(system, base, change, levels)
        first = np.inf
        for side in range(2):
            for j in range(n):
                end = failing_end(
                    system, base, terms, old, new, (before, after), side, j, armed[side, j], levels
                )
                if end < 0.0:
                    continue
                if not armed[side, j]:
                    when[side, j] = after
                elif old.value[side, j] <= 0.0:
                    when[side, j] = after if at_start and before == 0.0 else before
                else:
                    when[side, j] = enclose(system, base, terms, (before, end), side, j, levels)
                first = min(first, when[side, j])
        if first < np.inf:
            return first, when == first
        for side in range(2):
            for j in range(n):
                armed[side, j] |= new.value[side, j] > levels.near
        old, before = new, after
    return -1.0, when < 0.0
