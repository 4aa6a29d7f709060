"""How near to rest a run has come: stationarity, settled parameters, regression lines, averages."""

from collections.abc import Sequence

import numpy as np

from core import theory
from core.frames import Frame
from core.model import Pattern, pattern_of, segments
from core.problem import TrainingData
from core.types import FloatArray
from reproduction.criteria import grid, setting
from reproduction.measures import Numbers, at
from reproduction.measures.curves import column, stays_below


def above_floors(frames: Sequence[Frame]) -> Numbers:
    """Does the loss ever undercut the floor of its stage, and how near does it come in the last stage?"""
    loss, floor = column(frames, "loss"), column(frames, "floor")
    return {
        "lowest_excess": float(np.min((loss - floor) / loss)),
        "final_excess": float((loss[-1] - floor[-1]) / loss[-1]),
    }


def training_state(data: TrainingData, frames: Sequence[Frame]) -> Numbers:
    """When and how fully a run is trained (Lemma critical), pinned neurons counted apart.

    `mse` is the paper's measure, `residual` the one that is right with pinned neurons
    too (core.theory.Stationarity). `missed` is the largest |f(mu_l) - mean y| over the
    macroscopic data, `lines` the largest difference of slopes (Theorem LSQ-Stationary).
    """
    found = [theory.stationarity(data, Pattern(f.gap, f.pin), f.b, f.c) for f in frames]
    epochs, residuals = column(frames, "epoch"), np.array([one.residual for one in found])
    last = frames[-1]
    part = segments(data, Pattern(last.gap, last.pin), last.b, last.c)
    seen = (part.u[1:] > 0) & (last.c[part.order] != 0.0)
    several = np.flatnonzero(part.u[1:] > 1) + 1
    slopes = np.abs(part.slope[several] - part.sxy[several] / part.sxx[several])
    return {
        **{at("trained", level): stays_below(epochs, residuals, level) for level in grid("trained")},
        "mse": found[-1].mse,
        "residual": found[-1].residual,
        "pinned": float(np.count_nonzero(last.pin >= 0)),
        "missed": float(np.max(np.abs(part.value[1:] - part.mean_y[1:])[seen], initial=0.0)),
        "lines": float(np.max(slopes, initial=0.0)),
        "smallest": smallest(data, last),
    }


def smallest(data: TrainingData, frame: Frame) -> float:
    """The smallest coefficient of a neuron that sees data, over the largest; nan where none sees any."""
    live = np.abs(frame.c[frame.gap < data.m])
    return float(np.min(live) / np.max(live)) if live.size else float("nan")


def settling(frames: Sequence[Frame]) -> Numbers:
    """When biases and coefficients come within a part of their largest distance from their last values.

    `moved_late` is the largest such part in the late part of the run.
    """
    epochs = column(frames, "epoch")
    late = epochs >= setting("late") * epochs[-1]
    found: Numbers = {}
    moved = 0.0
    for name in ("b", "c"):
        values = np.array([getattr(frame, name) for frame in frames])
        distance = np.max(np.abs(values - values[-1]), axis=1)
        scale = float(np.max(distance)) or 1.0
        moved = max(moved, float(np.max(distance[late])) / scale)
        for level in grid("settled"):
            found[at(f"{name}_settled", level)] = stays_below(epochs, distance, level * scale)
    return found | {"moved_late": moved}


def averages(data: TrainingData, frames: Sequence[Frame]) -> float:
    """How much the equations of Lemma critical change when sets U_l are replaced by two points each.

    The points mu +- sigma have the averages of the set. The first and the last network of the run,
    without neurons on data; the change of the mean squared error, of that of the first.
    """
    largest, scale = 0.0, 0.0
    for frame in (frames[0], frames[-1]):
        if np.any(frame.pin >= 0):
            continue
        pattern = pattern_of(data.x, frame.b)
        before = theory.critical_error(data, pattern, frame.b, frame.c)[0]
        fewer = _two_points_each(data, frame.b, frame.c)
        after = theory.critical_error(fewer, pattern_of(fewer.x, frame.b), frame.b, frame.c)[0]
        scale = scale or before
        largest = max(largest, abs(after - before) / scale)
    return largest


def _two_points_each(data: TrainingData, b: FloatArray, c: FloatArray) -> TrainingData:
    part = segments(data, pattern_of(data.x, b), b, c)
    x, y = [], []
    for level in range(len(part.u)):
        first, stop = int(part.start[level]), int(part.start[level + 1])
        if stop - first < 3:
            x += data.x[first:stop].tolist()
            y += data.y[first:stop].tolist()
            continue
        spread = float(np.sqrt(part.sxx[level] / part.u[level]))
        rise = float(part.sxy[level] / part.sxx[level]) * spread
        x += [float(part.mean_x[level]) - spread, float(part.mean_x[level]) + spread]
        y += [float(part.mean_y[level]) - rise, float(part.mean_y[level]) + rise]
    return TrainingData(np.array(x), np.array(y), None, data.domain)
