"""The plateaus of a run: where its loss stands still, as the eye sees it on logarithmic axes.

A *window* is a third of a decade of log10(1 + epoch). The loss stands still in a window if it
changes by less than a tenth there, up or down. A **plateau** is a maximal stretch that such windows
cover; two stretches are one if the loss at the end of the first and that at the start of the second
differ by less than a tenth as well. Every run begins flat on a logarithmic axis, so a stretch that
is over before epoch 20 is none.

The loss is read every hundredth of a decade, between two frames on the line through them, and the
median of eleven readings counts: a jump to and fro within a few hundredths of a decade interrupts
nothing, and it does not matter how many frames a run has. A loss that is rounding beside the data
stands still, whatever it does.

A run has few plateaus, where it may have hundreds of stages; core.narrative.plateaus tells
why one stands still.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from ..config.run_config import RunConfig
from ..frames.frame import Frame
from ..model.loss import rounding_of
from ..portable.logarithm import portable_log10

PER_DECADE = 100
WINDOW = PER_DECADE // 3
CHANGE = 0.1
"""A loss that changes by less than this part in a window stands still."""
MEDIAN_REACH = 5
"""Readings on either side that take part in a median."""
BEGINNING = 1 + WINDOW / PER_DECADE
"""log10(1 + epoch) before which a stretch may not be over: a window beyond epoch 9."""


@dataclass(frozen=True)
class FlatStretch:
    """A plateau as numbers: its epochs, losses and stages are those of the frames in it."""

    number: int
    """from 1, as people count"""
    first: int
    """index of its first frame"""
    last: int
    """index of its last frame"""
    begin: float
    """epoch"""
    end: float
    """epoch"""
    loss_begin: float
    """at the first frame"""
    loss_end: float
    """at the last frame"""
    stage_first: int
    """stage of its first frame, from 0"""
    stage_last: int
    """stage of its last frame"""
    open: bool
    """it reaches the last frame and may go on"""
    judged: int
    """the frame at which it is judged why it stands still: its middle on the axis, or the last one if open"""


def readings(frames: Sequence[Frame], least: float) -> list[float]:
    """log10 of the loss every hundredth of a decade from epoch 0 on, each the median of its neighbourhood."""
    at = [PER_DECADE * portable_log10(1.0 + frame.epoch) for frame in frames]
    height = [portable_log10(max(frame.loss, least)) for frame in frames]
    read: list[float] = []
    for (u, v), (here, there) in zip(pairwise(at), pairwise(height), strict=True):
        while len(read) < v:
            read.append(here + (there - here) * ((len(read) - u) / (v - u)))
    if at[-1] >= len(read):
        read.append(height[-1])
    return [median(read[max(i - MEDIAN_REACH, 0) : i + MEDIAN_REACH + 1]) for i in range(len(read))]


def stretches(read: Sequence[float]) -> list[tuple[int, int]]:
    """First and last reading of each maximal stretch that stands still."""
    most = -portable_log10(1.0 - CHANGE)
    found: list[tuple[int, int]] = []
    for first in range(len(read) - WINDOW):
        window = read[first : first + WINDOW + 1]
        if max(window) - min(window) >= most:
            continue
        if found and (first <= found[-1][1] or abs(read[first] - read[found[-1][1]]) < most):
            found[-1] = (found[-1][0], first + WINDOW)
        else:
            found.append((first, first + WINDOW))
    return [(first, last) for first, last in found if last >= PER_DECADE * BEGINNING]


def flat_stretches(config: RunConfig, frames: Sequence[Frame]) -> tuple[FlatStretch, ...]:
    """The plateaus of the frames of a run, from its first frame on, as numbers."""
    if len(frames) < 2:
        return ()
    read = readings(frames, max(rounding_of(config.training_data()), 1e-300))
    at = [PER_DECADE * portable_log10(1.0 + frame.epoch) for frame in frames]
    found: list[FlatStretch] = []
    for first, last in stretches(read):
        is_open = last == len(read) - 1
        inside = [i for i, u in enumerate(at) if first <= u and (is_open or u <= last)]
        if len(inside) > 1:
            found.append(_stretch(frames, at, inside, len(found) + 1, is_open))
    return tuple(found)


def _stretch(
    frames: Sequence[Frame], at: Sequence[float], inside: Sequence[int], number: int, is_open: bool
) -> FlatStretch:
    """A plateau of the frames `inside`."""
    first, last = inside[0], inside[-1]
    middle = 0.5 * (at[first] + at[last])
    judged = last if is_open else min(inside, key=lambda i: abs(at[i] - middle))
    return FlatStretch(
        number=number,
        first=frames[first].index,
        last=frames[last].index,
        begin=frames[first].epoch,
        end=frames[last].epoch,
        loss_begin=frames[first].loss,
        loss_end=frames[last].loss,
        stage_first=frames[first].stage,
        stage_last=frames[last].stage,
        open=is_open,
        judged=frames[judged].index,
    )
