"""Theorem 3.2 (thm:Q-decrease): when the floor falls at a stage change."""

from dataclasses import dataclass

import numpy as np

from ..model.network import evaluate
from ..model.pattern import Pattern
from ..portable.exponential import portable_exp
from ..portable.sums import dot, weighted_square
from ..problem.data import TrainingData
from ..types import FloatArray
from .floor import floor, occupancy, project


@dataclass(frozen=True)
class QDecrease:
    """Theorem 3.2 at a stage change: left < right implies floor_before > floor_after.

    `left` is exp(-I), I the integral of s r_min over the stage; the theorem
    prints exp(-I/2), which is `left_printed`: it inherits the missing factor 2
    of Theorem 3.1 (thm:conti-loss-n), so that the condition holds sooner than printed.
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
    """Both sides of the condition of Theorem 3.2, for (b, c) at the start of the stage that ended.

    The theorem is about one free neuron that crosses one datum x_k; anything
    else gives None. zeta and psi span what the unit vector e_k at that datum
    adds to the spaces before and after, as in Lemma E.1 (app:lem:e-vectors): they are its normalised
    parts orthogonal to them. `integral` is that of s r_min over the stage.

    Parameters
    ----------
    data
        The training data.
    before
        Pattern of the stage that ended.
    after
        Pattern of the stage that began.
    b, c
        Biases and coefficients.
    integral
        That of s r_min over the stage.

    Returns
    -------
    QDecrease or None
        Both sides; None where the theorem does not speak of the change.

    Examples
    --------
    >>> import numpy as np
    >>> from core.model import pattern_of
    >>> from core.model.example import data, pattern, b, c
    >>> from core.theory import q_decrease
    >>> after = pattern_of(data.x, np.array([-0.5, 2.5]))
    >>> found = q_decrease(data, pattern, after, b, c, integral=1.0)
    >>> round(found.floor_before, 4), round(found.floor_after, 4), found.holds
    (0.0, 0.1667, False)
    """
    moved = np.flatnonzero(before.gap != after.gap)
    if moved.size != 1 or not np.array_equal(before.pin, after.pin):
        return None
    j = int(moved[0])
    if before.pin[j] >= 0 or abs(int(before.gap[j] - after.gap[j])) != 1:
        return None
    # a unit vector in the scalar product sum w u v, in which all of this is to be read
    k = int(min(before.gap[j], after.gap[j]))
    datum = np.zeros(data.m)
    datum[k] = 1.0 / np.sqrt(data.w[k])
    kind = occupancy(data.m, before)
    zeta = _direction(data, datum - project(data, datum, kind))
    psi = _direction(data, datum - project(data, datum, occupancy(data.m, after)))
    r = evaluate(b, c, data.x) - data.y
    reducible = _size(data, project(data, r, kind))
    right = (1 - abs(float(dot(data.w * zeta, psi)))) * abs(float(dot(data.w * r, zeta)))
    return QDecrease(
        left=float(portable_exp(-integral)),
        left_printed=float(portable_exp(-integral / 2)),
        right=right / reducible if reducible > 0 else float("inf") if right > 0 else 0.0,
        floor_before=floor(data, before),
        floor_after=floor(data, after),
    )


def _size(data: TrainingData, v: FloatArray) -> float:
    return float(np.sqrt(weighted_square(data.w, v)))


def _direction(data: TrainingData, part: FloatArray) -> FloatArray:
    """The unit vector along a part of a unit vector; 0 where the part is but a rounding error.

    It vanishes where the space contains e_k: its segment then has one or two data.
    """
    size = _size(data, part)
    return part / size if size > 1e-12 else np.zeros_like(part)
