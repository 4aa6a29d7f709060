"""The forecast of a method whose next steps can be tried out: ask it, from the state of the frame.

Such a method's next step is a function of b and c alone, and cheap; so what it will do is not predicted but
done. An iteration that changes no pattern (ANLS+ adjusts biases within their gaps) is passed over.
"""

import numpy as np

from ...config.run_config import RunConfig
from ...frames.frame import Frame
from ...model.loss import mean_loss
from ...model.pattern.changes import Change
from ...types import FloatArray
from .result import Forecast, Future, next_change, without_event

SECONDS = 0.5
"""Estimated work of all the steps tried."""
MAX_STEPS = 100
"""Steps tried at most."""


def forecast_by_steps(config: RunConfig, frame: Frame, events: int) -> Forecast:
    """What the next steps do."""
    method, data = config.method, config.training_data()
    state = method.init(data, frame.b, frame.c) | {"epoch": np.array(frame.epoch)}
    outlook = method.outlook(data, state)
    coming: list[Change] = []
    samples: list[tuple[float, FloatArray, FloatArray]] = [(frame.epoch, frame.b, frame.c)]
    steps = int(np.clip(SECONDS / method.seconds_per_epoch(len(frame.b), data.m), 1, MAX_STEPS))
    outcome = None
    while outcome is None and len(coming) < events and samples[-1][0] < frame.epoch + steps:
        result = method.advance(data, state, float(state["epoch"]) + 1.0, stop_at_change=True)
        state, outcome = result.state, result.met
        coming += result.changes
        if float(state["epoch"]) > samples[-1][0]:
            samples.append((float(state["epoch"]), state["b"], state["c"]))
    epoch, b, c = (np.array(column) for column in zip(*samples, strict=True))
    loss = [frame.loss, *(mean_loss(data, b[i], c[i]) for i in range(1, len(epoch)))]
    future = Future(epoch, np.array(loss), b, c)
    if coming:
        return next_change(tuple(coming), "move", future, rests=outcome is not None, outlook=outlook)
    if outcome is not None:
        return without_event(frame, "ended", ended=(outcome, state))
    return without_event(frame, "no_move", numbers={"steps": steps})
