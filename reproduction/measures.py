"""Numbers read off the frames of one run. Pure functions; each says what it counts and why so.

Training is slow by nature, so durations are measured in decades of epochs: a plateau
from 1e5 to 2e5 and one from 1e7 to 2e7 look equally long on the paper's axes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from math import fsum

import numpy as np
from numpy.typing import NDArray

from core import theory
from core.model import Pattern, evaluate, segments
from core.portable import functions as portable
from core.portable import sums
from core.problem import TrainingData
from core.run import Frame
from core.types import FloatArray

Numbers = dict[str, float]

GRID = 0.02
"""Resolution of log time in decades."""
FLAT = 0.1
"""A plateau loses less than this many decades of loss in a decade of epochs."""
SHORTEST_PLATEAU = 0.2
"""Decades; a shorter pause is not called a plateau."""


def column(frames: Sequence[Frame], name: str) -> FloatArray:
    """One scalar of every frame."""
    return np.array([getattr(frame, name) for frame in frames], dtype=np.float64)


def loss_at(frames: Sequence[Frame], epoch: float) -> float:
    """Loss of the last frame at or before an epoch."""
    at = int(np.searchsorted(column(frames, "epoch"), epoch, side="right")) - 1
    return float(frames[at].loss)


def first_epoch_below(frames: Sequence[Frame], level: float) -> float:
    """First recorded epoch with a loss of at most `level`; infinite if there is none."""
    return next((frame.epoch for frame in frames if frame.loss <= level), float("inf"))


def stays_below(frames: Sequence[Frame], values: FloatArray, level: float) -> float:
    """First recorded epoch from which on `values` stay at or below a level; infinite if they do not."""
    above = np.flatnonzero(~(values <= level))
    if above.size == 0:
        return float(frames[0].epoch)
    return float(frames[above[-1] + 1].epoch) if above[-1] + 1 < len(frames) else float("inf")


def last_pattern_change(frames: Sequence[Frame]) -> float:
    """The last epoch at which some u_l changed."""
    changed = [b.epoch for a, b in pairwise(frames) if not np.array_equal(a.u, b.u)]
    return changed[-1] if changed else 0.0


def plateaus(
    frames: Sequence[Frame], low: float, high: float
) -> tuple[NDArray[np.bool_], list[tuple[float, float]]]:
    """Where the staircase is flat between two epochs: a flag on the grid of log10 epochs, and the spans."""
    epochs, loss = column(frames, "epoch"), column(frames, "loss")
    seen = (epochs >= 1) & (loss > 0)
    grid = _log_grid(low, high)
    curve = _interpolate(grid, portable.log10(epochs[seen]), portable.log10(loss[seen]))
    flat = np.gradient(curve, grid) > -FLAT
    edges = np.flatnonzero(np.diff(np.concatenate([[0], flat.astype(int), [0]])))
    spans = [(float(grid[a]), float(grid[b - 1])) for a, b in zip(edges[::2], edges[1::2], strict=True)]
    return flat, [span for span in spans if span[1] - span[0] >= SHORTEST_PLATEAU]


def _log_grid(low: float, high: float) -> FloatArray:
    """log10 of epochs from `low` to `high`, GRID apart."""
    first, last = float(portable.log10(low)), float(portable.log10(high))
    return first + GRID * np.arange(int((last - first) / GRID + 0.5) + 1, dtype=np.float64)


def _interpolate(at: FloatArray, x: FloatArray, y: FloatArray) -> FloatArray:
    """The broken line through (x, y), constant beyond its ends; np.interp, whose loop may be fused."""
    left = np.clip(np.searchsorted(x, at, side="right") - 1, 0, x.size - 2)
    slope = (y[left + 1] - y[left]) / (x[left + 1] - x[left])
    inner = slope * (at - x[left]) + y[left]
    return np.where(at <= x[0], y[0], np.where(at >= x[-1], y[-1], inner))


def staircase(frames: Sequence[Frame], low: float = 10.0) -> Numbers:
    """How plateaus and pattern changes go together: changes a decade, on plateaus and off them.

    `constant_share` is, of the plateaus' total length, the part taken by the longest
    stretch without a change in each of them.
    """
    high = frames[-1].epoch
    flat, spans = plateaus(frames, low, high)
    changes = np.array(
        [b.epoch for a, b in pairwise(frames) if b.stage != a.stage and b.epoch > low], dtype=np.float64
    )
    changes = portable.log10(changes)
    at = np.clip(((changes - float(portable.log10(low))) / GRID).round().astype(int), 0, flat.size - 1)
    inside = float(np.count_nonzero(flat[at]))
    longest = [_longest_quiet(changes, *span) for span in spans]
    length = fsum(b - a for a, b in spans)
    return {
        "plateaus": float(len(spans)),
        "plateau_decades": float(length),
        "longest_plateau": max((b - a for a, b in spans), default=0.0),
        "on_plateaus": inside / max(GRID, GRID * float(np.count_nonzero(flat))),
        "off_plateaus": (changes.size - inside) / max(GRID, GRID * float(np.count_nonzero(~flat))),
        "constant_share": fsum(longest) / length if length else float("nan"),
    }


def _longest_quiet(changes: FloatArray, start: float, end: float) -> float:
    marks = np.concatenate([[start], changes[(changes > start) & (changes < end)], [end]])
    return float(np.max(np.diff(marks)))


def above_floors(frames: Sequence[Frame]) -> Numbers:
    """Does the loss ever undercut the floor of its stage, and how near does it come in the last stage?"""
    loss, floor = column(frames, "loss"), column(frames, "floor")
    return {
        "lowest_excess": float(np.min((loss - floor) / loss)),
        "final_excess": float((loss[-1] - floor[-1]) / loss[-1]),
    }


def training_state(data: TrainingData, frames: Sequence[Frame], level: float) -> Numbers:
    """When and how fully a run is trained (Lemma critical), pinned neurons counted apart.

    `mse` is the paper's measure, `residual` the one that is right with pinned neurons
    too (core.theory.Stationarity). `missed` is how far the network is from the
    macroscopic data, the mean over l of |f(mu_l) - mean y|, largest of all l.
    """
    found = [theory.stationarity(data, Pattern(f.gap, f.pin), f.b, f.c) for f in frames]
    last = frames[-1]
    part = segments(data, Pattern(last.gap, last.pin), last.b, last.c)
    seen = (part.u[1:] > 0) & (last.c[part.order] != 0.0)
    missed = np.abs(part.value[1:] - part.mean_y[1:])[seen]
    return {
        "trained": stays_below(frames, np.array([one.residual for one in found]), level),
        "mse": found[-1].mse,
        "residual": found[-1].residual,
        "violation": found[-1].violation,
        "pinned": float(np.count_nonzero(last.pin >= 0)),
        "dead": float(np.count_nonzero(last.gap == data.m)),
        "missed": float(np.max(missed, initial=0.0)),
    }


@dataclass(frozen=True)
class Decay:
    """One stage between two envelopes: the worst ratio of the loss above the floor to each of them.

    Within a stage the excess L - Q_0 shall lie between (L - Q_0)(t_s) exp(-p s int r_max)
    and the same with r_min, p = 2 as corrected, p = 1 as printed. Between frames the rates
    are taken as monotone, and the integral as its more forgiving Riemann sum: a violation
    that is counted is one.
    """

    stages: int
    frames: int
    corrected: int
    printed_lower: int
    printed_upper: int


ROUNDING = 1e-20
"""A smaller excess is a sum of squared rounding errors, and is not judged."""


def decay(data: TrainingData, frames: Sequence[Frame], learning_rate: float) -> Decay:
    """Count the stages in which Theorem conti-loss-n holds, corrected and as printed."""
    counted = used = corrected = printed_lower = printed_upper = 0
    for _, group in groupby(frames, key=lambda frame: frame.stage):
        recorded = [(f, theory.excess(data, Pattern(f.gap, f.pin), f.b, f.c)) for f in group]
        judged = [(f, above) for f, above in recorded if above > ROUNDING]
        if len(judged) < 3:
            continue
        stage = [f for f, _ in judged]
        found = [theory.rates(data, Pattern(f.gap, f.pin), f.b, f.c) for f in stage]
        time = np.array([f.epoch for f in stage]) * learning_rate * 2.0 / data.m
        excess = portable.log([above for _, above in judged])
        fell = excess[0] - excess[1:]
        most = _largest_sum(np.array([one.r_max for one in found]), time)
        least = _smallest_sum(np.array([one.r_min for one in found]), time)
        slack = 1e-6 * (1.0 + np.abs(fell))
        counted += 1
        used += len(stage)
        corrected += int(np.any((fell > 2 * most + slack) | (fell < 2 * least - slack)))
        printed_lower += int(np.any(fell > most + slack))
        printed_upper += int(np.any(fell < least - slack))
    return Decay(counted, used, corrected, printed_lower, printed_upper)


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


def spike_at_zero(data: TrainingData, frame: Frame) -> float:
    """How far the network overshoots the target's range within 0.05 of 0, in units of that range."""
    if data.truth is None:
        return float("nan")
    b = frame.b[np.abs(frame.b) < 0.05]
    x = np.unique(np.concatenate([np.linspace(-0.05, 0.05, 2001), b]))
    truth, f = data.truth(x), evaluate(frame.b, frame.c, x)
    low, high = float(np.min(truth)), float(np.max(truth))
    return max(0.0, float(np.max(f)) - high, low - float(np.min(f))) / (high - low)


def largest_rise(frames: Sequence[Frame], name: str) -> float:
    """Largest factor by which a column rises above its smallest value so far."""
    values = column(frames, name)
    return float(np.max(values / np.minimum.accumulate(values)))
