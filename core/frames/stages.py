"""The stages of a run, read off its frames.

A stage is a maximal interval in which the pattern is constant: the gap of every
free neuron and the datum of every pinned one. Every frame carries the number of
its stage, and the first of a stage what began it, with the exact epoch; a run
whose pattern changes incessantly has stages without a frame, which are counted.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from ..model.pattern.changes import Change
from .frame import Frame


@dataclass(frozen=True)
class Stage:
    """One stage that has a frame."""

    number: int
    start: float
    """exact epoch at which the pattern appeared"""
    end: float
    """start of the next stage that has a frame; in the last stage, the last epoch recorded so far"""
    is_open: bool
    """the last stage, which may go on"""
    floor: float
    """Q_0, the mean loss that this pattern cannot get below"""
    first_frame: int
    last_frame: int
    loss_at_start: float
    loss_at_end: float
    changes: tuple[Change, ...]
    """what began it"""
    unrecorded: int
    """stages since the one before that have no frame"""


def stages_of(frames: Iterable[Frame]) -> tuple[Stage, ...]:
    """The stages of consecutive frames, from the first of a run on."""
    groups = [list(group) for _, group in groupby(frames, key=lambda frame: frame.stage)]
    starts = [max((change.epoch for change in group[0].changes), default=group[0].epoch) for group in groups]
    ends = [*starts[1:], groups[-1][-1].epoch] if groups else []
    numbers = [-1] + [group[0].stage for group in groups]
    return tuple(
        Stage(
            number=group[0].stage,
            start=start,
            end=end,
            is_open=group is groups[-1],
            floor=group[0].floor,
            first_frame=group[0].index,
            last_frame=group[-1].index,
            loss_at_start=group[0].loss,
            loss_at_end=group[-1].loss,
            changes=group[0].changes,
            unrecorded=group[0].stage - before - 1,
        )
        for group, start, end, before in zip(groups, starts, ends, numbers[:-1], strict=True)
    )
