"""The track record of a run: what was forecast from the middle of its stages, and what happened."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ...config.run_config import RunConfig
from ...frames.frame import Frame
from ...frames.stages import Stage, stages_of
from ...model.pattern.changes import ChangeKind
from . import predict
from .result import ForecastKind

MAX_STAGES = 40
"""The longest stages only: each takes a forecast."""


@dataclass(frozen=True)
class ForecastResult:
    """One stage that has ended."""

    stage: int
    from_frame: int
    from_epoch: float
    kind: ForecastKind
    at: float | None
    neuron: int | None
    datum: int | None
    happened_kind: ChangeKind
    happened_at: float
    happened_neuron: int
    happened_datum: int


@dataclass(frozen=True)
class TrackRecord:
    """How forecasts fared, in the order of time."""

    rows: tuple[ForecastResult, ...]
    left: int
    """How many later stages there was no time for."""


def track_record(
    config: RunConfig,
    frames: Sequence[Frame],
    most: int = MAX_STAGES,
    has_time: Callable[[], bool] = lambda: True,
) -> TrackRecord:
    """The longest ended stages, each forecast from the frame nearest to its middle.

    Only stages that another recorded one follows at once: of the others it is not known who ended them. No
    further one is begun when there is no time.
    """
    found = stages_of(frames)
    ended = [(stage, after) for stage, after in pairwise(found) if after.unrecorded == 0 and after.changes]
    longest = sorted(ended, key=lambda pair: pair[0].start - pair[0].end)[:most]
    rows: list[ForecastResult] = []
    for pair in sorted(longest, key=lambda pair: pair[0].start):
        if not has_time():
            break
        rows.append(_compared(config, frames, *pair))
    return TrackRecord(tuple(rows), len(longest) - len(rows))


def middle_frame(frames: Sequence[Frame], stage: Stage) -> Frame:
    """The frame of a stage that is nearest to its middle epoch."""
    middle = 0.5 * (stage.start + stage.end)
    within = frames[stage.first_frame : stage.last_frame + 1]
    return min(within, key=lambda frame: abs(frame.epoch - middle))


def _compared(config: RunConfig, frames: Sequence[Frame], stage: Stage, after: Stage) -> ForecastResult:
    frame = middle_frame(frames, stage)
    event = predict(config, frame, events=1)
    meant = [
        change for change in after.changes if (change.neuron, change.datum) == (event.neuron, event.datum)
    ]
    happened = (meant or after.changes)[0]
    return ForecastResult(
        stage.number, frame.index, frame.epoch,
        event.kind, event.epoch, event.neuron, event.datum,
        happened.kind, happened.epoch, happened.neuron, happened.datum,
    )  # fmt: skip
