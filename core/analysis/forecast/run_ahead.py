"""The next epochs of descent, run ahead: who comes first where the flow knows no order.

Discrete descent differs from the flow at its pins. Neurons pinned to one datum are released together by the
flow; descent lets them go one by one, each when its hops have carried it out of its reach, and one that the
flow takes slightly off its datum still counts as pinned. A million epochs take a tenth of a
second, so near events are not left to the limit.

The reach is a matter of the past (core.methods.stepping.pinning), and frames do not hold it. Where it takes
no more than a moment the run is repeated up to the frame; beyond, the method guesses it from the present.
"""

from dataclasses import dataclass
from threading import Lock

import numpy as np

from ...config.run_config import RunConfig
from ...frames.frame import Frame
from ...methods.contract import State
from ...model.pattern.changes import Change

AHEAD, AGAIN = 0.15, 0.3
"""Estimated work, in seconds, of the epochs that are run ahead and of those that are repeated."""


@dataclass(frozen=True)
class NearFuture:
    """What descent itself did."""

    changes: tuple[Change, ...]
    """At the first change of the pattern; empty where there was none."""
    until: float
    """Epoch up to which it was run."""
    trained: bool
    """Whether it came to rest there."""


class RepeatedStates:
    """Where a few runs were repeated to last: forecasts are asked for in the order of time.

    It saves work only. Threads share it: a state is replaced, never changed.
    """

    def __init__(self, size: int) -> None:
        self._size, self._lock = size, Lock()
        self._states: dict[RunConfig, State] = {}

    def get(self, config: RunConfig) -> State | None:
        """The last state of a run, if it is still here."""
        with self._lock:
            return self._states.get(config)

    def put(self, config: RunConfig, state: State) -> None:
        """Replace the last state of a run; the run that was longest not repeated is dropped."""
        with self._lock:
            self._states.pop(config, None)
            self._states[config] = state
            if len(self._states) > self._size:
                del self._states[next(iter(self._states))]

    def clear(self) -> None:
        """Forget all of them."""
        with self._lock:
            self._states.clear()


repeated_states = RepeatedStates(16)


def repeated(config: RunConfig, frame: Frame) -> State | None:
    """The whole state of the run at a frame; None where that takes too long or the frame is not its own."""
    if frame.epoch * config.method.seconds_per_epoch(len(frame.b), frame.points) > AGAIN:
        return None
    data, state = config.training_data(), repeated_states.get(config)
    if state is None or float(state["epoch"]) > frame.epoch:
        state = config.method.init(data, *config.initial())
    while float(state["epoch"]) < frame.epoch:
        result = config.method.advance(data, state, frame.epoch, stop_at_change=False)
        if result.met is not None and float(result.state["epoch"]) < frame.epoch:
            return None
        state = result.state
    repeated_states.put(config, state)
    same = all(np.array_equal(state[key], getattr(frame, key)) for key in ("b", "c", "gap", "pin"))
    return state if same else None


def run_ahead(config: RunConfig, frame: Frame) -> NearFuture:
    """Run ahead to the next change of the pattern, for as long as it is cheap."""
    method, data = config.method, config.training_data()
    common = {"epoch": np.array(frame.epoch), "b": frame.b, "c": frame.c, "gap": frame.gap, "pin": frame.pin}
    guessed = method.guessed_state(data, common)
    if guessed is None:
        return NearFuture((), frame.epoch, False)
    state = repeated(config, frame) or guessed
    until = frame.epoch + np.floor(AHEAD / method.seconds_per_epoch(len(frame.b), data.m))
    while float(state["epoch"]) < until:
        result = method.advance(data, state, until, stop_at_change=True)
        state = result.state
        if result.changes or result.end is not None:
            trained = result.end is not None and result.end.kind == "trained"
            return NearFuture(result.changes, float(state["epoch"]), trained)
    return NearFuture((), float(until), False)
