"""Watches: numbers that stay positive as long as a stage lasts, and where in a step the first one fails.

A free neuron watches its distances to both ends of its gap; a neuron pinned to x_k watches `t - v+` and
`t + v-`, where v+ and v- are the velocities that it would have just right and just left of x_k
(v- = v+ + s c_j w_k r_k) and t the size below which a velocity is noise.

In a step the watches are read at eight points of its polynomial; where a free bias turned round between two
of them, its nearest point as well. A failure is then enclosed by the secant rule (with the stale end's
value halved, and now and then a bisection), down to neighbouring numbers.

A bias that has just left a datum stands on it, and its distance is zero to the last bit. Such a watch is
not armed until the bias has come `near` away: before, it fires only if the velocity, too, leads back.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...compiled import compiled_ieee
from ...types import FloatArray
from .polynomial import Step, bias_change_at, change_at
from .system import BEFORE, Base, G, System, add_up, change_residual

SAMPLES = 8
NARROW = 2.0**-52
"""Where the enclosure of an event, in parts of the step, is narrow enough."""
BEYOND_STEP = 2.0
"""Stands for a theta beyond the step."""

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


@compiled_ieee
def threshold(c: float, levels: Levels) -> float:
    """Velocities up to this have no sign. In proportion to c_j, so that neurons on one datum go together."""
    return levels.noise * max(abs(c), levels.small)


@compiled_ieee
def fill_watches(
    system: System, base: Base, change: FloatArray, levels: Levels, sums: FloatArray, out: Watches
) -> None:
    """The watches at base + change, into `out`; the sums there, into `sums`."""
    change_residual(system, base, change, sums)
    add_up(system, sums)
    value, rate = out
    for j in range(system.free.size):
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
            limit = threshold(c, levels)
            value[0, j] = limit - right
            value[1, j] = limit + left
            rate[0, j] = 0.0
            rate[1, j] = 0.0


def read_watches(system: System, base: Base, change: FloatArray, levels: Levels) -> Watches:
    """The watches at base + change."""
    out = Watches(np.empty_like(change), np.empty_like(change))
    fill_watches(system, base, change, levels, np.empty_like(base.residual), out)
    return out


@compiled_ieee
def read_one(system: System, step: Step, theta: float, side: int, j: int, levels: Levels) -> float:
    """One watch at theta of a step, the same bits as among all of them."""
    base = step.base
    if system.free[j] > 0.0:
        b = base.b[j] + bias_change_at(step, theta, j)
        return b - system.ends[0, j] if side == 0 else system.ends[1, j] - b
    change = np.empty((2, system.free.size))
    change_at(step, theta, change)
    out = Watches(np.empty_like(change), np.empty_like(change))
    fill_watches(system, base, change, levels, np.empty_like(base.residual), out)
    return out.value[side, j]


@compiled_ieee
def enclose(
    system: System, step: Step, low: float, high: float, side: int, j: int, levels: Levels, slack: float
) -> float:
    """Where between two thetas a watch falls below -slack: at the first it is above, at the second below."""
    at_low = read_one(system, step, low, side, j, levels) + slack
    at_high = read_one(system, step, high, side, j, levels) + slack
    last = 0
    for iteration in range(200):
        width = high - low
        theta = low + width * (at_low / (at_low - at_high))
        if iteration % 8 == 7 or not low < theta < high:
            theta = low + 0.5 * width
        if width <= NARROW * high or not low < theta < high:
            break
        value = read_one(system, step, theta, side, j, levels) + slack
        if value == 0.0:
            return theta
        if value < 0.0:
            at_low *= 0.5 if last < 0 else 1.0
            high, at_high, last = theta, value, -1
        else:
            at_high *= 0.5 if last > 0 else 1.0
            low, at_low, last = theta, value, 1
    return high


@compiled_ieee
def find_event(
    system: System, step: Step, armed: Flags, levels: Levels, at_start: bool
) -> tuple[float, Flags]:
    """The theta at which the first watch of a step fires, and which ones do then; BEYOND_STEP if none does.

    That is where a stage of section 3 ends. `armed` is brought up to date as far as the step lasts.
    `at_start` says that the step begins the segment: a watch that is negative there already is not allowed to
    stop time, and fires at the first sample.
    """
    base = step.base
    n = system.free.size
    when = np.full((2, n), BEYOND_STEP)
    change, sums = np.zeros((2, n)), np.empty_like(base.residual)
    old = Watches(np.empty((2, n)), np.empty((2, n)))
    new = Watches(np.empty((2, n)), np.empty((2, n)))
    fill_watches(system, base, change, levels, sums, old)
    before, first = 0.0, BEYOND_STEP
    for i in range(1, SAMPLES + 1):
        after = i / SAMPLES
        change_at(step, after, change)
        fill_watches(system, base, change, levels, sums, new)
        for side in range(2):
            for j in range(n):
                value, ready = new.value[side, j], armed[side, j]
                falling, rising = old.rate[side, j], new.rate[side, j]
                end = after
                if value < 0.0:
                    if not ready:  # it stands on its datum to within a tie, and now leaves over it
                        if rising < 0.0:
                            slack = levels.tie
                            near = value > -slack or old.value[side, j] <= -slack
                            when[side, j] = (
                                after
                                if near
                                else enclose(system, step, before, after, side, j, levels, slack)
                            )
                        continue
                elif ready and falling < 0.0 < rising:  # it has turned round: about here it was nearest
                    end = before + (after - before) * (falling / (falling - rising))
                    if read_one(system, step, end, side, j, levels) >= 0.0:
                        continue
                else:
                    armed[side, j] = ready or value > levels.near
                    continue
                if old.value[side, j] > 0.0:
                    when[side, j] = enclose(system, step, before, end, side, j, levels, 0.0)
                else:
                    when[side, j] = after if at_start and before == 0.0 else before
        for side in range(2):
            for j in range(n):
                first = min(first, when[side, j])
        if first < BEYOND_STEP:
            break
        old, new = new, old
        before = after
    return first, when == first
