"""Whether the flow has come to rest: nothing is left to gain, here or in any stage it could still get to."""

import numpy as np

from ...compiled import compiled_ieee
from ...model.exact_fit import exact_flow_loss
from ...types import FloatArray
from .elimination import factorise, solve_factored
from .events import LiveStage, Point, open_stage, spread
from .system import Base, System, bound_rates, find_loss, find_velocity
from .tolerance import Sizes
from .watches import read_watches

GAIN = 1e-10
"""Training is over when no more than this part of the loss is left to gain, or when the fit is exact."""
HORIZON = 1e12
"""Largest time that anybody asks for."""


@compiled_ieee
def find_way(system: System, base: Base, way: FloatArray) -> float:
    """What of the mean loss the stage has left to gain; `way` (2, n) receives about how far the parameters
    still move for it.

    The rest of the way is one implicit Euler step over the whole HORIZON T, with the Gauss-Newton matrix in
    place of the Jacobian: d = -(1/T + s A'A)^-1 s A'r. That is -A^+ r, the least change that leads to the
    floor, but for directions that are too slow to get anywhere. It lowers the linearised loss by d'
    (velocity) / 2.
    """
    n = system.free.size
    sums, speed = np.empty_like(base.residual), np.empty((2, n))
    find_velocity(system, base, np.zeros((2, n)), sums, speed)
    factors = factorise(system, base.b, base.c, np.zeros_like(sums), HORIZON, 1.0)
    solve_factored(system, factors, np.zeros((2, n)), base.residual, way)
    gain = 0.0
    for j in range(n):
        gain += 0.5 * (speed[0, j] * way[0, j] + speed[1, j] * way[1, j])
    return gain * (2.0 / (system.s * system.total))


@compiled_ieee
def bound_gain(system: System, base: Base) -> float:
    """What of the mean loss is left to gain at least: |velocity|^2 / (rate s W).

    `rate` bounds the rates of decay (`bound_rates`). The loss that steps follow has |velocity|^2 / (2 rate)
    left to gain at least, and is s W / 2 times the mean loss.
    """
    n = system.free.size
    speed = np.empty((2, n))
    find_velocity(system, base, np.zeros((2, n)), np.empty_like(base.residual), speed)
    total = 0.0
    for j in range(n):
        total += speed[0, j] * speed[0, j] + speed[1, j] * speed[1, j]
    return total / (bound_rates(system, base.b, base.c) * (system.s * system.total)) if total > 0.0 else 0.0


def exact_fit(sizes: Sizes) -> float:
    """Losses up to this count as an exact fit."""
    return exact_flow_loss(sizes.y * sizes.y)


def fits(stage: LiveStage, loss: float) -> bool:
    """Whether the network fits the data as exactly as the flow is integrated, or as its numbers can say."""
    return loss <= max(exact_fit(stage.sizes), stage.resolution)


def is_at_rest(stage: LiveStage, base: Base) -> bool:
    """Whether nothing is left to gain at `base`: in this stage, or in one that the rest of the way could
    lead to.

    In the stage the loss can fall to its floor at most, and the unknowns still move by about -A^+ r, the
    least change that gets there. At that end point the watches must hold by a margin of ten times their
    change. A pinned neuron that fails (v- is proportional to the velocity of a free neuron just left of the
    same datum, and vanishes with it) is set free on the doubtful side, to see that nothing is to be gained
    there either.
    """
    loss = find_loss(stage.system, base.residual)
    least = max(GAIN * loss, stage.resolution)
    still_to_gain = bound_gain(stage.system, base)
    if still_to_gain == 0.0 or fits(stage, loss):
        return True
    if still_to_gain > least:
        return False
    way = np.empty((2, stage.live.size))
    if find_way(stage.system, base, way) > least:
        return False
    without_noise = stage.levels._replace(noise=0.0)
    now = read_watches(stage.system, base, np.zeros_like(way), without_noise).value
    then = read_watches(stage.system, base, way, without_noise).value
    held = stage.levels.noise * np.maximum(np.abs(base.c), stage.levels.small)
    doubtful = then <= 10.0 * np.abs(then - now) + np.where(stage.free, 0.0, held)
    if doubtful[:, stage.free].any():
        return False
    b, c = spread(stage, base.b, base.c)
    for side in range(2):
        neurons = stage.live[doubtful[side]]
        if neurons.size == 0:
            continue
        _, _, gap, pin = stage.point.arrays()
        gap[neurons] -= side
        pin[neurons] = -1
        wider = open_stage(stage.data, Point.of(b, c, gap, pin))
        if find_way(wider.system, wider.base, np.empty((2, wider.live.size))) > least:
            return False
    return True
