"""What the heavy ball and Nesterov's method have in common besides their loop (momentum_epochs)."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...methods.contract import Advance, Method, State, StepLimit, common_state
from ...methods.stepping.epochs import Epochs, open_changes
from ...methods.stepping.slots import sums_of
from ...methods.stepping.state import (
    EXPLODED,
    judged_end,
    later_state,
    network_of,
    starting_keys,
    told_changes,
)
from ...model.pattern import gaps
from ...model.sharpness import largest_stable_step
from ...problem.data import TrainingData
from ...types import FloatArray
from .epochs import Memory, momentum_epochs


@dataclass(frozen=True, kw_only=True)
class Rolling(Method):
    """Gradient descent with a velocity: `velocity` (2, n) in the state, of b and of c.

    It has ended when an epoch changes no bit of (b, c) and of the velocities, as gradient descent has.
    """

    default_epochs: ClassVar[float] = 1e6
    rival: ClassVar[bool] = True
    step_limited_by: ClassVar[StepLimit] = "momentum"

    @abstractmethod
    def memory(self) -> Memory:
        """The hyper-parameters of the steps."""

    @abstractmethod
    def reach(self) -> float:
        """The largest stable step, as a multiple of that of gradient descent."""

    def init(self, data: TrainingData, b: FloatArray, c: FloatArray) -> State:
        start = common_state(b, c, gaps(data.x, b)) | starting_keys(data, b, c)
        return start | {"velocity": np.zeros((2, len(b)))}

    def advance(self, data: TrainingData, state: State, until: float, *, stop_at_change: bool) -> Advance:
        begin = float(state["epoch"])
        network, velocity = network_of(state), np.array(state["velocity"])
        epochs = self.epochs_in_chunk(len(network.b), data.m, until - begin)
        sums, changes = sums_of(data), open_changes(len(network.b))
        went = Epochs(
            *momentum_epochs(
                sums, network, velocity, self.memory(), int(begin), epochs, stop_at_change, changes
            )
        )
        after = later_state(data, state, network._asdict() | {"velocity": velocity}, went.done)
        outcome = judged = None
        if not went.finite:
            outcome = EXPLODED
        elif begin + went.done >= until:
            judged = judged_end(self, data, after, at_rest=went.still)
        told = told_changes(begin + went.last, changes[: went.changed])
        return Advance(after, went.stages, told, outcome, judged)

    def step_limit(self, data: TrainingData, b: FloatArray, c: FloatArray) -> float:
        return self.reach() * largest_stable_step(data, b, c)

    def seconds_per_epoch(self, width: int, points: int) -> float:  # noqa: ARG002
        return 8e-8 + 8e-9 * width
