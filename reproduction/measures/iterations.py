"""A run at every single iteration: what happens between two recorded frames counts too."""

from dataclasses import dataclass

import numpy as np

from core.config import RunConfig
from core.model import mean_loss, prediction_error
from core.types import FloatArray


@dataclass(frozen=True, eq=False)
class Trace:
    """Loss and prediction error after every iteration, the start included, and the last network."""

    epochs: FloatArray
    loss: FloatArray
    error: FloatArray
    b: FloatArray
    c: FloatArray


def every_iteration(config: RunConfig, last: int, *, errors: bool = True) -> Trace:
    """Drive the method one iteration at a time; where it comes to rest before, its last state stands."""
    data, method = config.training_data(), config.method
    state = method.init(data, *config.initial())
    loss, error = np.empty(last + 1), np.zeros(last + 1)
    for k in range(last + 1):
        if k:
            result = method.advance(data, state, float(k), stop_at_change=False)
            state = result.state
            if result.end is not None:
                loss, error = loss[: k + 1], error[: k + 1]
        loss[k] = mean_loss(data, state["b"], state["c"])
        if errors:
            error[k] = prediction_error(data, state["b"], state["c"])
        if k + 1 >= loss.size:
            break
    return Trace(np.arange(loss.size, dtype=np.float64), loss, error, state["b"], state["c"])
