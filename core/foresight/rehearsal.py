"""The next epochs of descent, run ahead: who comes first where the flow knows no order.

Discrete descent differs from the flow at its pins. Neurons pinned to one datum are released together by the
flow; descent lets them go one by one, each when its hops have carried it out of its reach, and one that the
flow takes a hair's breadth away from its datum still counts as pinned. A million epochs take a tenth of a
second, so near events are not left to the limit.
"""

from dataclasses import dataclass

import numpy as np

from core.methods.contract import Method
from core.model.changes import Change
from core.problem.data import TrainingData
from core.run.frames import Frame

SECONDS = 0.15
"""Estimated work of the epochs that are run ahead."""


@dataclass(frozen=True)
class Rehearsal:
    """What descent itself did."""

    changes: tuple[Change, ...]
    """At the first change of the pattern; empty where there was none."""
    until: float
    """Epoch up to which it was run."""
    trained: bool
    """Whether it came to rest there."""


def rehearse(method: Method, data: TrainingData, frame: Frame) -> Rehearsal:
    """Run ahead to the next change of the pattern, for as long as it is cheap."""
    common = {"epoch": np.array(frame.epoch), "b": frame.b, "c": frame.c, "gap": frame.gap, "pin": frame.pin}
    state = method.rehearsal(data, common)
    if state is None:
        return Rehearsal((), frame.epoch, False)
    until = frame.epoch + np.floor(SECONDS / method.seconds_per_epoch(len(frame.b), data.m))
    while float(state["epoch"]) < until:
        result = method.advance(data, state, until, stop_at_change=True)
        state = result.state
        if result.changes or result.outcome is not None:
            trained = result.outcome is not None and result.outcome.kind == "trained"
            return Rehearsal(result.changes, float(state["epoch"]), trained)
    return Rehearsal((), until, False)
