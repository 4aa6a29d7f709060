"""Whether the flow has come to rest: nothing is left to gain, here or in any stage it could still get to."""

import numpy as np
from numba import njit

from core.flow.elimination import ROWS, Factors, factorise, solve
from core.flow.events import Scene, spread
from core.flow.system import Base, System, bound_rates, find_loss, find_velocity
from core.flow.watches import read_watches
from core.model.pattern import Pattern
from core.portable.sums import dot
from core.theory.floor import excess
from core.types import FloatArray

GAIN = 1e-10
"""Training is over when no more than this part of the loss is left to gain ..."""
FIT = 1e-9
"""... or when the root of the loss is this part of rms(y)."""
HORIZON = 1e12
"""Largest time that anybody asks for."""


@njit(cache=True, error_model="numpy")
def find_way(system: System, base: Base) -> FloatArray:
    """About how far the parameters still move in the stage: an Euler step over the whole HORIZON.

    With the Gauss-Newton matrix s A'A in place of the Jacobian the implicit step is -(1/HORIZON + s A'A)^-1
    s A'r, which is -A^+ r, the least change that leads to the floor, but for directions too slow to get
    anywhere.
    """
    n, groups = system.free.size, system.weight.size
    sums, speed, way = np.empty_like(base.residual), np.empty((2, n)), np.empty((2, n))
    find_velocity(system, base, np.zeros((2, n)), sums, speed)
    empty = Factors(1.0, np.empty(n), np.empty(n), base.c, np.empty((ROWS, groups)))
    factors = factorise(system, base.b, base.c, np.zeros_like(sums), HORIZON, 1.0, empty)
    solve(system, factors, HORIZON * speed, way)
    return way


def fits(scene: Scene, loss: float) -> bool:
    """Whether the network fits the data as exactly as the flow is integrated, or as its numbers can say."""
    return loss <= max((FIT * scene.units.y) ** 2, scene.resolution)


def is_at_rest(scene: Scene, base: Base) -> bool:
    """Whether nothing is left to gain at `base`: in this stage, or in one that the rest of the way could
    lead to.

    In the stage the loss can fall to its floor at most, and the unknowns still move by about -A^+ r, the
    least change that gets there. At that end point the watches must hold by a margin of ten times their
    change. A pinned neuron that fails (v- is proportional to the velocity of a free neuron just left of the
    same datum, and vanishes with it) is set free on the doubtful side, to see that nothing is to be gained
    there either.
    """
    system, data = scene.system, scene.data
    still = np.zeros((2, scene.live.size))
    speed = np.empty_like(still)
    find_velocity(system, base, still, np.empty_like(base.residual), speed)
    loss = find_loss(system, base.residual)
    squared_speed = dot(speed[0], speed[0]) + dot(speed[1], speed[1])
    if squared_speed == 0.0 or fits(scene, loss):
        return True
    # of the loss whose gradient is followed, hence of the mean loss by the ratio of the two
    least_gain = (
        squared_speed / (2.0 * bound_rates(system, base.b, base.c)) * (2.0 / (system.s * system.total))
    )
    if least_gain > GAIN * loss:
        return False
    b, c = spread(scene, base.b, base.c)
    _, _, gap, pin = scene.point.arrays()
    least = max(GAIN * loss, scene.resolution)
    if excess(data, Pattern(gap, pin), b, c) > least:
        return False
    way = find_way(system, base)
    without_noise = scene.levels._replace(noise=0.0)
    now = read_watches(system, base, still, without_noise).value
    then = read_watches(system, base, way, without_noise).value
    held = scene.levels.noise * np.maximum(np.abs(base.c), scene.levels.small)
    margin = 10.0 * np.abs(then - now) + np.where(scene.free, 0.0, held)
    doubtful = then <= margin
    if doubtful[:, scene.free].any():
        return False
    for side in range(2):
        neurons = scene.live[doubtful[side]]
        wider_gap, wider_pin = gap.copy(), pin.copy()
        wider_gap[neurons] -= side
        wider_pin[neurons] = -1
        if neurons.size and excess(data, Pattern(wider_gap, wider_pin), b, c) > least:
            return False
    return True
