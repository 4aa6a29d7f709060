"""What the frames of a run tell when they are read together: its stages and its rates."""

from collections.abc import Sequence
from dataclasses import asdict
from itertools import groupby
from math import log
from typing import Any

from core.config import RunConfig
from core.explanation import explain
from core.frames import Frame
from core.pattern import Pattern


def stages(config: RunConfig, frames: Sequence[Frame]) -> list[dict[str, Any]]:
    """One entry for each stage that has a frame: its extent, its floor, what began it, its story."""
    told: list[dict[str, Any]] = []
    data = config.training_data()
    groups = [list(group) for _, group in groupby(frames, key=lambda frame: frame.stage)]
    for place, group in enumerate(groups):
        first, last = group[0], group[-1]
        following = groups[place + 1][0].epoch if place + 1 < len(groups) else None
        story = explain(
            data,
            Pattern(first.gap, first.pin),
            first.b,
            first.c,
            stage=first.stage,
            epoch=first.epoch,
            changes=first.changes,
            floor=first.floor,
            previous_floor=groups[place - 1][-1].floor if place else None,
            learning_rate=_learning_rate(config),
            adaptive=config.method.name.endswith("adam"),
        )
        told.append(
            {
                "stage": first.stage,
                "first": first.index,
                "last": last.index,
                "start": first.epoch,
                "end": following if following is not None else last.epoch,
                "open": following is None,
                "floor": first.floor,
                "loss_start": first.loss,
                "loss_end": last.loss,
                "rate": _measured_rate(group),
                "changes": [[x.epoch, x.neuron, x.kind, x.datum] for x in first.changes],
                "story": asdict(story),
            }
        )
    return told


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
            return log(excess / above) / (frame.epoch - first.epoch)
    last = group[-1]
    above = last.loss - last.floor
    if len(group) > 1 and 0 < above < excess and last.epoch > first.epoch:
        return log(excess / above) / (last.epoch - first.epoch)
    return None
