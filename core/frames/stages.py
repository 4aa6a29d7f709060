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
    """One stage that has a frame. As a table: ``pandas.DataFrame(result.stages())``.

    Examples
    --------
    >>> from core import fit
    >>> fit("f1", method="gd", epochs=1000).stages()[0]
    <Stage 0: epochs 0 to 4, loss 6.466 to 4.688, floor 0.004087>
    """

    number: int
    """from 0"""
    start: float
    """exact epoch at which the pattern appeared"""
    end: float
    """start of the next stage that has a frame; in the last stage, the last epoch recorded so far"""
    is_open: bool
    """the last stage, which may go on"""
    floor: float
    """Q_0, the mean loss that this pattern cannot get below"""
    first_frame: int
    """its index"""
    last_frame: int
    """its index"""
    loss_at_start: float
    """at the first frame"""
    loss_at_end: float
    """at the last frame"""
    changes: tuple[Change, ...]
    """what began it"""
    unrecorded: int
    """stages since the one before that have no frame"""

    def __repr__(self) -> str:
        epochs = f"epochs {self.start:g} to {self.end:g}{' so far' * self.is_open}"
        loss = f"loss {self.loss_at_start:.4g} to {self.loss_at_end:.4g}"
        return f"<Stage {self.number}: {epochs}, {loss}, floor {self.floor:.4g}>"


def stages_of(frames: Iterable[Frame]) -> tuple[Stage, ...]:
    """The stages of consecutive frames, from the first of a run on.

    Parameters
    ----------
    frames
        Frames of a run.

    Returns
    -------
    tuple of Stage
        From the first on.

    Examples
    --------
    >>> from core import RunConfig, train
    >>> from core.frames import stages_of
    >>> stages = stages_of(train(RunConfig.from_query("target=f1&method=anls&epochs=4")))
    >>> [(stage.number, stage.start, stage.is_open) for stage in stages]
    [(0, 0.0, False), (1, 1.0, False), (2, 2.0, False), (3, 3.0, False), (4, 4.0, True)]
    """
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
