"""Theorem Q-decrease: when the floor falls at a stage change."""

from dataclasses import dataclass

import numpy as np

from core.model.network import evaluate
from core.model.pattern import Pattern
from core.problem.data import TrainingData
from core.theory.floor import floor, occupancy, project
from core.types import FloatArray


@dataclass(frozen=True)
class QDecrease:
    """Theorem Q-decrease at a stage change: left < right implies floor_before > floor_after.

    `left` is exp(-I), I the integral of s r_min over the stage; the theorem
    prints exp(-I/2), which is `left_printed`: it inherits the missing factor 2
    of Theorem conti-loss-n, so that the condition holds sooner than printed.
    """

    left: float
    left_printed: float
    right: float
    floor_before: float
    floor_after: float

    @property
    def holds(self) -> bool:
        return self.left < self.right


def q_decrease(
    data: TrainingData,
    before: Pattern,
    after: Pattern,
    b: FloatArray,
    c: FloatArray,
    integral: float,
) -> QDecrease | None:
    """Both sides of the condition, for (b, c) at the start of the stage that ended.

    The theorem is about one free neuron that crosses one datum x_k; anything
    else gives None. zeta and psi span what the unit vector e_k at that datum
    adds to the spaces before and after: they are its normalised parts
    orthogonal to them. `integral` is that of s r_min over the stage.
    """
    moved = np.flatnonzero(before.gap != after.gap)
    if moved.size != 1 or not np.array_equal(before.pin, after.pin):
        return None
    j = int(moved[0])
    if before.pin[j] >= 0 or abs(int(before.gap[j] - after.gap[j])) != 1:
        return None
    x, m = data.x, data.x.size
    datum = np.zeros(m)
    datum[min(before.gap[j], after.gap[j])] = 1.0
    kind = occupancy(m, before)
    zeta = _direction(datum - project(x, datum, kind))
    psi = _direction(datum - project(x, datum, occupancy(m, after)))
    r = evaluate(b, c, x) - data.y
    reducible = float(np.linalg.norm(project(x, r, kind)))
    right = (1 - abs(float(zeta @ psi))) * abs(float(r @ zeta))
    return QDecrease(
        left=float(np.exp(-integral)),
        left_printed=float(np.exp(-integral / 2)),
        right=right / reducible if reducible > 0 else float("inf") if right > 0 else 0.0,
        floor_before=floor(data, before),
        floor_after=floor(data, after),
    )


def _direction(part: FloatArray) -> FloatArray:
    """The unit vector along a part of a unit vector; 0 where the part is but a rounding error.

    It vanishes where the space contains e_k: its segment then has one or two data.
    """
    size = float(np.linalg.norm(part))
    return part / size if size > 1e-12 else np.zeros_like(part)
