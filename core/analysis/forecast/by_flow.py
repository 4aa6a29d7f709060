"""The forecast of a method that follows the gradient flow: solve the flow from here to its next events.

Pinned neurons start on their data (methods.flow.next_events). The flow's time is counted in epochs by the
method's own `epochs_ahead`. That a stage must end is found apart, without solving anything, by Theorem 3.3
(thm:convergence, core.theory.convergence); it says neither who ends it nor when.
"""

import numpy as np

from ...config.run_config import RunConfig
from ...frames.frame import Frame
from ...methods.flow.next_events import Prediction, next_events
from ...methods.flow.rest import HORIZON
from ...model.loss import mean_loss
from ...model.pattern import Pattern
from ...model.pattern.changes import Change
from ...model.sharpness import largest_stable_step
from ...problem.data import TrainingData
from ...theory.convergence import must_end
from ...types import FloatArray
from .result import (
    LATEST,
    Forecast,
    ForecastReason,
    Future,
    next_change,
    present_alone,
    without_event,
)
from .run_ahead import NearFuture, run_ahead


def forecast_by_flow(config: RunConfig, frame: Frame, events: int) -> Forecast:
    """What the flow does next, counted in epochs; what comes soon, as descent itself does it."""
    method, data = config.method, config.training_data()
    pattern = Pattern(frame.gap, frame.pin)
    certified = must_end(data, pattern, frame.b, frame.c)
    near = run_ahead(config, frame)
    unstable = unstable_step(config, frame)
    if unstable:  # steps grow instead of shrink: only what was run ahead is known
        if near.changes:
            return next_change(near.changes, "event", present_alone(frame), certified=certified)
        return without_event(frame, "off_course", certified=certified, numbers=unstable)
    found = next_events(data, frame.b, frame.c, pattern, HORIZON, events)

    def epoch_at(time: float) -> float:
        return frame.epoch + method.epochs_ahead(frame.epoch, time)

    future = _future(data, frame, found, np.array([epoch_at(time) for time in found.sample_times.tolist()]))
    flow_changes = [
        Change(epoch_at(time), *event)
        for time, group in zip(found.times.tolist(), found.events, strict=True)
        for event in group
        if epoch_at(time) <= LATEST
    ]
    coming = as_recorded(frame, near, flow_changes)
    rests = found.rests and len(future.epoch) == len(found.sample_times)
    if coming:
        return next_change(coming, "event", future, certified=certified, rests=rests)
    if near.trained or (rests and not flow_changes):
        return without_event(frame, "rests", future=future)
    return without_event(frame, _why_none(found, future), certified=certified, future=future)


def unstable_step(config: RunConfig, frame: Frame) -> dict[str, float]:
    """`step` and `stable`, the largest stable one, where the first is beyond the second; else empty."""
    step = config.method.step(frame.epoch)
    if step is None:
        return {}
    pattern = Pattern(frame.gap, frame.pin)
    stable = largest_stable_step(config.training_data(), frame.b, frame.c, pattern)
    return {"step": step, "stable": stable} if step > stable else {}


def as_recorded(frame: Frame, near: NearFuture, flow_changes: list[Change]) -> tuple[Change, ...]:
    """The changes that frames of descent will list: near ones as run ahead, later ones if they are new.

    A neuron that the flow takes a little way off its datum may still count as pinned in descent.
    """
    pin = frame.pin.tolist()
    coming = list(near.changes)
    for change in near.changes:
        pin[change.neuron] = change.datum if change.kind == "pinned" else -1
    for change in flow_changes:
        if change.epoch <= near.until or (change.kind == "pinned" and pin[change.neuron] == change.datum):
            continue
        if change.kind == "released" and pin[change.neuron] != change.datum:
            continue
        pin[change.neuron] = change.datum if change.kind == "pinned" else -1
        coming.append(change)
    return tuple(coming)


def _future(data: TrainingData, frame: Frame, found: Prediction, epoch: FloatArray) -> Future:
    """The samples up to the latest epoch."""
    many = max(1, int(np.count_nonzero(epoch <= LATEST)))
    loss = [frame.loss, *(mean_loss(data, found.b[i], found.c[i]) for i in range(1, many))]
    return Future(epoch[:many], np.array(loss), found.b[:many], found.c[:many])


def _why_none(found: Prediction, future: Future) -> ForecastReason:
    """Why no event was found although the flow goes on."""
    if found.events:
        return "pin_held"
    if found.stuck:
        return "too_fast"
    if len(future.epoch) < len(found.sample_times) or found.reached >= HORIZON:
        return "too_late"
    return "no_event"
