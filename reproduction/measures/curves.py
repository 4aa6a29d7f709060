"""Loss and error over epochs: plateaus, rises, and when a level is reached."""

from collections.abc import Sequence
from itertools import pairwise
from math import fsum

import numpy as np
from numpy.typing import NDArray

from core.frames import Frame
from core.model import evaluate
from core.portable import functions as portable
from core.portable import sums
from core.problem import TrainingData
from core.types import FloatArray
from reproduction.criteria import grid, setting
from reproduction.measures import Numbers, at

GRID, BEGIN = setting("resolution"), setting("beginning")
"""Resolution of log time, and from where on plateaus are looked for."""
GRID_ROUNDING = 1e-9
"""By how much a length on the grid of log time may be too short: it is a difference of rounded numbers."""


def column(frames: Sequence[Frame], name: str) -> FloatArray:
    """One scalar of every frame."""
    return np.array([getattr(frame, name) for frame in frames], dtype=np.float64)


def loss_at(frames: Sequence[Frame], epoch: float) -> float:
    """Loss of the last frame at or before an epoch."""
    last = int(np.searchsorted(column(frames, "epoch"), epoch, side="right")) - 1
    return float(frames[last].loss)


def lowest_to(epochs: FloatArray, values: FloatArray, epoch: float) -> float:
    """The smallest value at or before an epoch."""
    return float(np.min(values[epochs <= epoch]))


def stays_below(epochs: FloatArray, values: FloatArray, level: float) -> float:
    """First recorded epoch from which on `values` stay at or below a level; infinite if they do not."""
    above = np.flatnonzero(~(values <= level))
    if above.size == 0:
        return float(epochs[0])
    return float(epochs[above[-1] + 1]) if above[-1] + 1 < len(epochs) else float("inf")


def last_pattern_change(frames: Sequence[Frame]) -> float:
    """The last epoch at which some u_l changed."""
    changed = [b.epoch for a, b in pairwise(frames) if not np.array_equal(a.u, b.u)]
    return changed[-1] if changed else 0.0


def flat_parts(
    epochs: FloatArray, loss: FloatArray, low: float, high: float, flat: float, shortest: float
) -> tuple[NDArray[np.bool_], list[tuple[float, float]]]:
    """Where the staircase is flat between two epochs: a flag on the grid of log10 epochs, and the spans."""
    seen = (epochs >= 1) & (loss > 0)
    times = _log_grid(low, high)
    curve = _interpolate(times, portable.log10(epochs[seen]), portable.log10(loss[seen]))
    level = np.gradient(curve, times) > -flat if times.size > 1 else np.zeros(times.size, dtype=np.bool_)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], level.astype(int), [0]])))
    spans = [(float(times[a]), float(times[b - 1])) for a, b in zip(edges[::2], edges[1::2], strict=True)]
    return level, [span for span in spans if span[1] - span[0] >= shortest - GRID_ROUNDING]


def plateaus(epochs: FloatArray, loss: FloatArray, name: str = "plateaus") -> Numbers:
    """How many plateaus there are from BEGIN on, for every pair of thresholds that is tried."""
    end = float(epochs[-1])
    if end <= BEGIN:
        return {at(name, flat, shortest): 0.0 for flat in grid("flat") for shortest in grid("shortest")}
    return {
        at(name, flat, shortest): float(len(flat_parts(epochs, loss, BEGIN, end, flat, shortest)[1]))
        for flat in grid("flat")
        for shortest in grid("shortest")
    }


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


def staircase(frames: Sequence[Frame], flat: float, shortest: float) -> Numbers:
    """How plateaus and pattern changes go together: changes a decade, on plateaus and off them.

    Up to the last change: the plateau after it has none by definition. `constant_share` is, of
    the plateaus' total length, the part taken by the longest stretch without a change in each.
    """
    changes = np.array(
        [b.epoch for a, b in pairwise(frames) if b.stage != a.stage and b.epoch > BEGIN], dtype=np.float64
    )
    if changes.size < 2 or changes[-1] <= 2 * BEGIN:
        return {"on_plateaus": float("nan"), "off_plateaus": float("nan"), "constant_share": float("nan")}
    epochs, loss = column(frames, "epoch"), column(frames, "loss")
    level, spans = flat_parts(epochs, loss, BEGIN, float(changes[-1]), flat, shortest)
    changes = portable.log10(changes)
    place = np.clip(((changes - float(portable.log10(BEGIN))) / GRID).round().astype(int), 0, level.size - 1)
    inside = float(np.count_nonzero(level[place]))
    longest = [_longest_quiet(changes, *span) for span in spans]
    length = fsum(b - a for a, b in spans)
    return {
        "on_plateaus": inside / max(GRID, GRID * float(np.count_nonzero(level))),
        "off_plateaus": (changes.size - inside) / max(GRID, GRID * float(np.count_nonzero(~level))),
        "constant_share": fsum(longest) / length if length else float("nan"),
    }


def _longest_quiet(changes: FloatArray, start: float, end: float) -> float:
    marks = np.concatenate([[start], changes[(changes > start) & (changes < end)], [end]])
    return float(np.max(np.diff(marks)))


def converged(epochs: FloatArray, loss: FloatArray) -> Numbers:
    """The first epoch with a loss similar to the last one, for every meaning of similar that is tried."""
    found = {}
    for factor in grid("similar"):
        below = np.flatnonzero(loss <= factor * loss[-1])
        found[at("converged", factor)] = float(epochs[below[0]])
    return found


def largest_rise(values: FloatArray) -> float:
    """Largest factor by which a curve rises above its smallest value so far."""
    return float(np.max(values / np.minimum.accumulate(values)))


def rises_near(epochs: FloatArray, values: FloatArray, epoch: float, name: str) -> Numbers:
    """The same among epochs similar to a given one, for every meaning of similar that is tried."""
    rise = values / np.minimum.accumulate(values)
    return {
        at(name, factor): float(
            np.max(rise[(epochs >= epoch / factor) & (epochs <= epoch * factor)], initial=1.0)
        )
        for factor in grid("similar")
    }


def relative_loss(data: TrainingData, loss: float) -> float:
    """The root of a loss over the mean square of y."""
    return float(np.sqrt(loss * data.m / float(sums.sum_of_squares(data.y))))


def target_norm(data: TrainingData) -> float:
    """The discrete L2 norm of the target, on the points of the prediction error."""
    assert data.truth is not None
    truth = np.asarray(data.truth(np.linspace(*data.domain, 10_000)), dtype=np.float64)
    return float(np.sqrt(float(sums.sum_of_squares(truth)) / truth.size))


def overshoot(data: TrainingData, b: FloatArray, c: FloatArray, low: float, high: float) -> float:
    """How far the network leaves the target's range between two places, in units of that range."""
    assert data.truth is not None
    x = np.unique(np.concatenate([np.linspace(low, high, 2001), b[(b > low) & (b < high)]]))
    truth, f = np.asarray(data.truth(x)), evaluate(b, c, x)
    least, most = float(np.min(truth)), float(np.max(truth))
    return max(0.0, float(np.max(f)) - most, least - float(np.min(f))) / (most - least)
