"""What the frames of a run tell when they are read together: its stages and its rates."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from ..config.run_config import RunConfig
from ..frames.frame import Frame
from ..frames.stages import stages_of
from ..narrative.plateaus import plateaus_of
from ..narrative.story import explain
from ..portable.logarithm import portable_log


def stages(config: RunConfig, frames: Sequence[Frame]) -> list[dict[str, Any]]:
    """One entry for each stage that has a frame: its extent, its floor, what began it, its story.

    Stages, frames, neurons and data are counted from 0 in numbers; in sentences, from 1.
    """
    rows: list[dict[str, Any]] = []
    scaled = config.scale.loss
    for stage in stages_of(frames):
        before = frames[stage.first_frame - 1] if stage.first_frame else None
        story = explain(config, stage, frames[stage.first_frame : stage.last_frame + 1], before)
        rows.append(
            {
                "number": stage.number,
                "first_frame": stage.first_frame,
                "last_frame": stage.last_frame,
                "start": stage.start,
                "end": stage.end,
                "is_open": stage.is_open,
                "floor": scaled(stage.floor),
                "loss_at_start": scaled(stage.loss_at_start),
                "loss_at_end": scaled(stage.loss_at_end),
                "rate": _measured_rate(frames[stage.first_frame : stage.last_frame + 1]),
                "changes": [[x.epoch, x.neuron, x.kind, x.datum] for x in stage.changes],
                "story": asdict(story),
                # as in version 2
                "stage": stage.number,
                "first": stage.first_frame,
                "last": stage.last_frame,
                "open": stage.is_open,
                "loss_start": scaled(stage.loss_at_start),
                "loss_end": scaled(stage.loss_at_end),
            }
        )
    return rows


def plateaus(config: RunConfig, frames: Sequence[Frame]) -> list[dict[str, Any]]:
    """One entry for each plateau. Plateaus are counted from 1, stages and frames from 0."""
    scaled = config.scale.loss
    return [
        asdict(plateau) | {"loss_begin": scaled(plateau.loss_begin), "loss_end": scaled(plateau.loss_end)}
        for plateau in plateaus_of(config, frames)
    ]


def _measured_rate(group: Sequence[Frame]) -> float | None:
    """Decay of log(loss - floor) an epoch over the first factor e of its fall; None when there is none."""
    first = group[0]
    excess = first.loss - first.floor
    for frame in group[1:]:
        above = frame.loss - frame.floor
        if 0 < above <= excess / 2.718281828 and frame.epoch > first.epoch:
            return portable_log(excess / above) / (frame.epoch - first.epoch)
    last = group[-1]
    above = last.loss - last.floor
    if len(group) > 1 and 0 < above < excess and last.epoch > first.epoch:
        return portable_log(excess / above) / (last.epoch - first.epoch)
    return None
