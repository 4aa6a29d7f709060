"""The theorems of section 3, stage by stage: envelopes of the decay, and when floors fall."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

import numpy as np

from core import theory
from core.frames import Frame
from core.methods.flow import RELATIVE, sizes_of
from core.model import Pattern
from core.portable import functions as portable
from core.portable import sums
from core.problem import TrainingData
from core.types import FloatArray
from reproduction.criteria import setting
from reproduction.measures import Numbers


@dataclass(frozen=True)
class Decay:
    """One stage between two envelopes: the worst ratio of the loss above the floor to each of them.

    Within a stage the excess L - Q_0 shall lie between (L - Q_0)(t_s) exp(-p s int r_max)
    and the same with r_min, p = 2 as corrected, p = 1 as printed. Between frames the rates
    are taken as monotone, and the integral as its more forgiving Riemann sum.
    """

    stages: int
    frames: int
    corrected: int
    printed_lower: int
    printed_upper: int
    lowest_rate: float
    """The smallest r_min in any frame judged."""


ROUNDING, SLACK = setting("judged"), setting("slack")
"""A smaller excess is not judged; what is allowed for sums."""


def decay(data: TrainingData, frames: Sequence[Frame], learning_rate: float) -> Decay:
    """Count the stages in which Theorem conti-loss-n holds, corrected and as printed."""
    counted = used = corrected = printed_lower = printed_upper = 0
    lowest = float("inf")
    for _, group in groupby(frames, key=lambda frame: frame.stage):
        recorded = [(f, theory.excess(data, Pattern(f.gap, f.pin), f.b, f.c)) for f in group]
        judged = [(f, above) for f, above in recorded if above > ROUNDING]
        if len(judged) < 3:
            continue
        stage = [f for f, _ in judged]
        found = [theory.rates(data, Pattern(f.gap, f.pin), f.b, f.c) for f in stage]
        time = np.array([f.epoch for f in stage]) * learning_rate * 2.0 / data.m
        above = np.array([above for _, above in judged])
        fell = portable.log(above[0:1]) - portable.log(above[1:])
        unsure = unresolved(data, above)
        most = _largest_sum(np.array([one.r_max for one in found]), time)
        least = _smallest_sum(np.array([one.r_min for one in found]), time)
        slack = SLACK * (1.0 + np.abs(fell)) + unsure[0] + unsure[1:]
        lowest = min(lowest, *(one.r_min for one in found))
        counted += 1
        used += len(stage)
        corrected += int(np.any((fell > 2 * most + slack) | (fell < 2 * least - slack)))
        printed_lower += int(np.any(fell > most + slack))
        printed_upper += int(np.any(fell < least - slack))
    return Decay(counted, used, corrected, printed_lower, printed_upper, lowest)


def unresolved(data: TrainingData, excess: FloatArray) -> FloatArray:
    """How far the flow's own tolerance lets the logarithm of an excess be off.

    The network's values are integrated to RELATIVE of the size of y. The root of the excess is a distance of
    such values, and its logarithm counts twice.
    """
    return 2.0 * RELATIVE * sizes_of(data).y / np.sqrt(excess)


def _largest_sum(rate: FloatArray, time: FloatArray) -> FloatArray:
    return np.cumsum(np.maximum(rate[1:], rate[:-1]) * np.diff(time))


def _smallest_sum(rate: FloatArray, time: FloatArray) -> FloatArray:
    return np.cumsum(np.minimum(rate[1:], rate[:-1]) * np.diff(time))


def floor_decreases(data: TrainingData, frames: Sequence[Frame], learning_rate: float) -> Numbers:
    """Theorem Q-decrease at every stage change that it speaks of: condition met, and was it right?

    `changes` counts the stage changes of one free neuron over one datum; `promised` those
    where the corrected condition holds; `kept` those of them whose floor fell; `fell`
    all whose floor fell, promised or not.
    """
    stages = [list(group) for _, group in groupby(frames, key=lambda frame: frame.stage)]
    count = {"changes": 0, "promised": 0, "kept": 0, "fell": 0}
    for stage, following in pairwise(stages):
        before, after = stage[0], following[0]
        if after.stage != before.stage + 1:
            continue
        states = [theory.rates(data, Pattern(f.gap, f.pin), f.b, f.c).r_min for f in stage]
        time = np.array([f.epoch for f in [*stage, after]]) * learning_rate * 2.0 / data.m
        integral = float(sums.dot(np.array(states), np.diff(time)))
        result = theory.q_decrease(
            data, Pattern(before.gap, before.pin), Pattern(after.gap, after.pin), before.b, before.c, integral
        )
        if result is None:
            continue
        count["changes"] += 1
        fell = result.floor_after < result.floor_before
        count["fell"] += fell
        if result.left < result.right:
            count["promised"] += 1
            count["kept"] += fell
    return {name: float(number) for name, number in count.items()}
