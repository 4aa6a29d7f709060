"""The forecast of a method that follows the gradient flow: solve the flow from here to its next events.

Pinned neurons start on their data (methods.flow.next_events). The flow's time is counted in epochs by the
method's own `epochs_ahead`. That a stage must end is told apart, without solving anything, by Theorem
convergence (core.theory.convergence); it says neither who ends it nor when.
"""

from dataclasses import replace

import numpy as np

from ...config.run_config import RunConfig
from ...frames.frame import Frame
from ...methods.contract import State
from ...methods.flow.next_events import Prediction, next_events
from ...methods.flow.rest import HORIZON
from ...model.loss import mean_loss
from ...model.pattern import Pattern
from ...model.pattern.changes import Change
from ...narrative.numbers import number, position
from ...problem.data import TrainingData
from ...theory.convergence import must_end
from ...types import FloatArray
from .answer import (
    CERTAIN,
    LATEST,
    Forecast,
    Future,
    next_change,
    open_ended,
    told_epoch,
)
from .rehearsal import Rehearsal, rehearse


def forecast_by_flow(config: RunConfig, frame: Frame, events: int) -> Forecast:
    """What the flow does next, told in epochs; what comes soon, as descent itself does it."""
    method, data = config.method, config.training_data()
    pattern = Pattern(frame.gap, frame.pin)
    certificate = CERTAIN if must_end(data, pattern, frame.b, frame.c) else ""
    state: State = {"epoch": np.array(frame.epoch), "b": frame.b, "c": frame.c}
    near = rehearse(config, frame)
    astray = method.off_course(data, state | {"gap": frame.gap, "pin": frame.pin})
    if astray:
        return _astray(data, frame, near, astray, certificate)
    found = next_events(data, frame.b, frame.c, pattern, HORIZON, events)

    def epoch_at(time: float) -> float:
        return frame.epoch + method.epochs_ahead(frame.epoch, time)

    future = _future(data, frame, found, np.array([epoch_at(time) for time in found.sample_times.tolist()]))
    foreseen = [
        Change(epoch_at(time), *event)
        for time, group in zip(found.times.tolist(), found.events, strict=True)
        for event in group
        if epoch_at(time) <= LATEST
    ]
    coming = _in_the_books(frame, near, foreseen)
    rests = found.rests and len(future.epoch) == len(found.sample_times)
    if coming:
        return next_change(coming, _told(data, frame, coming[0]), certificate, future, rests)
    blank = open_ended(frame, _why_none(found, future), certificate=certificate)
    if near.trained or (rests and not foreseen):
        sentence = "Nothing more happens: the flow comes to rest without another event."
        blank = open_ended(frame, sentence, kind="trained")
    return replace(blank, future=future, reached=float(future.epoch[-1]))


def _in_the_books(frame: Frame, near: Rehearsal, foreseen: list[Change]) -> tuple[Change, ...]:
    """The changes as descent keeps its books: near ones as rehearsed, later ones as far as they are news.

    A neuron that the flow takes a hair's breadth away from its datum may still be pinned to it in the books.
    """
    pin = frame.pin.tolist()
    coming = list(near.changes)
    for change in near.changes:
        pin[change.neuron] = change.datum if change.kind == "pinned" else -1
    for change in foreseen:
        if change.epoch <= near.until or (change.kind == "pinned" and pin[change.neuron] == change.datum):
            continue
        if change.kind == "released" and pin[change.neuron] != change.datum:
            continue
        pin[change.neuron] = change.datum if change.kind == "pinned" else -1
        coming.append(change)
    return tuple(coming)


def _astray(data: TrainingData, frame: Frame, near: Rehearsal, why: str, certificate: str) -> Forecast:
    """Where descent does not follow the flow, only what was rehearsed is known."""
    unknown = f"Unknown, since descent does not follow the flow here: {why}"
    blank = open_ended(frame, unknown, certificate=certificate)
    if not near.changes:
        return blank
    return next_change(near.changes, _told(data, frame, near.changes[0]), certificate, blank.future, False)


def _future(data: TrainingData, frame: Frame, found: Prediction, epoch: FloatArray) -> Future:
    """The samples up to the latest epoch."""
    many = max(1, int(np.count_nonzero(epoch <= LATEST)))
    loss = [frame.loss, *(mean_loss(data, found.b[i], found.c[i]) for i in range(1, many))]
    return Future(epoch[:many], np.array(loss), found.b[:many], found.c[:many])


def _told(data: TrainingData, frame: Frame, change: Change) -> str:
    """One event in words."""
    who, when = f"Neuron {change.neuron + 1}", f"at about epoch {told_epoch(change.epoch)}"
    where = position(data, change.datum)
    if change.kind == "pinned":
        return f"{who} reaches {where} {when} and is pinned there."
    if change.kind == "released":
        return f"{who} is released from {where} {when}."
    if change.datum == data.m - 1 and frame.gap[change.neuron] < data.m:
        return f"{who} crosses {where}, the last data point, {when} and is dead from then on."
    return f"{who} crosses {where} {when}."


def _why_none(found: Prediction, future: Future) -> str:
    """Why no event was found although the flow goes on."""
    reached = told_epoch(float(future.epoch[-1]))
    if found.events:
        return "Unknown: the flow lets go of a pinned neuron that descent still holds."
    if found.stuck:
        return f"Unknown: from epoch {reached} on the flow is too fast to be followed."
    if len(future.epoch) < len(found.sample_times) or found.reached >= HORIZON:
        return f"Unknown: nothing happens before epoch {number(LATEST)}."
    return f"Unknown: the flow has no event up to epoch {reached}, as far as it was followed."
