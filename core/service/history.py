"""What the frames of a run tell when they are read together: its stages and its rates."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from core.config.run_config import RunConfig
from core.model.pattern import Pattern
from core.portable.logarithm import portable_log
from core.run.frames import Frame
from core.run.plateaus import plateaus_of
from core.run.stages import stages_of
from core.run.story import explain


def stages(config: RunConfig, frames: Sequence[Frame]) -> list[dict[str, Any]]:
    """One entry for each stage that has a frame: its extent, its floor, what began it, its story."""
    told: list[dict[str, Any]] = []
    data = config.training_data()
    previous_floor = None
    for stage in stages_of(frames):
        first = frames[stage.first_frame]
        story = explain(
            data,
            Pattern(first.gap, first.pin),
            first.b,
            first.c,
            stage=stage.number,
            epoch=stage.start,
            changes=stage.changes,
            floor=stage.floor,
            previous_floor=previous_floor,
            learning_rate=_learning_rate(config),
            adaptive=config.method.name.endswith("adam"),
        )
        told.append(
            {
                "stage": stage.number,
                "first": stage.first_frame,
                "last": stage.last_frame,
                "start": stage.start,
                "end": stage.end,
                "open": stage.is_open,
                "floor": stage.floor,
                "loss_start": stage.loss_at_start,
                "loss_end": stage.loss_at_end,
                "rate": _measured_rate(frames[stage.first_frame : stage.last_frame + 1]),
                "changes": [[x.epoch, x.neuron, x.kind, x.datum] for x in stage.changes],
                "story": asdict(story),
            }
        )
        previous_floor = stage.floor
    return told


def plateaus(config: RunConfig, frames: Sequence[Frame]) -> list[dict[str, Any]]:
    """One entry for each plateau. Plateaus are counted from 1, stages and frames from 0."""
    return [asdict(plateau) for plateau in plateaus_of(config, frames)]


def _learning_rate(config: RunConfig) -> float | None:
    """The step by which biases move, for methods that move them by the gradient."""
    method = config.method
    if method.solves_least_squares and method.frame_every_epoch:
        return None
    rate = getattr(method, "learning_rate", None)
    return float(rate) if rate is not None else None


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
