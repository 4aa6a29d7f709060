"""What the heavy ball and Nesterov's method have in common besides their loop (momentum_epochs)."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...methods.contract import Advance, Method, State, common_state
from ...methods.stepping.epochs import Epochs, open_changes
from ...methods.stepping.slots import sums_of
from ...methods.stepping.state import (
    explosion,
    judged_end,
    later_state,
    lost,
    network_of,
    starting_keys,
    told_changes,
    told_losses,
)
from ...model.pattern import gaps
from ...model.sharpness import largest_stable_step
from ...problem.data import TrainingData
from ...types import FloatArray
from .epochs import Memory, momentum_epochs

TRAINED = "Fully trained: no epoch changes a bias, a coefficient or a velocity any more."


@dataclass(frozen=True, kw_only=True)
class Rolling(Method):
    """Gradient descent with a velocity: `velocity` (2, n) in the state, of b and of c.

    It has ended when an epoch changes no bit of (b, c) and of the velocities, as gradient descent has.
    """

    default_epochs: ClassVar[float] = 1e6
    rival: ClassVar[bool] = True
    unforeseen: ClassVar[str] = (
        "Its velocity remembers earlier gradients, so the gradient flow does not tell its events."
    )
    ends: ClassVar[str] = "it will end when a bias crosses a data point or a pinned one is let go"

    @abstractmethod
    def memory(self) -> Memory:
        """The hyper-parameters of the steps."""

    @abstractmethod
    def reach(self) -> float:
        """The largest stable step, as a multiple of that of gradient descent."""

    def init(self, data: TrainingData, b: FloatArray, c: FloatArray) -> State:
        start = common_state(b, c, gaps(data.x, b)) | starting_keys(data, b, c)
        stable = self.reach() * largest_stable_step(data, b, c)
        return start | {"velocity": np.zeros((2, len(b))), "stable": np.array(stable)}

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
        caution = self._too_large(float(after["stable"]))
        if not went.finite:
            outcome = explosion(caution)
        elif begin + went.done >= until:
            judged = judged_end(data, after, caution, TRAINED, at_rest=went.still)
        told = told_changes(begin + went.last, changes[: went.changed])
        return Advance(after, went.stages, told, outcome, judged)

    def caution(self, data: TrainingData, b: FloatArray, c: FloatArray) -> str:
        return self._too_large(self.reach() * largest_stable_step(data, b, c))

    def remark(self, data: TrainingData, state: State) -> str:
        return told_losses(lost(data, state), self._too_large(float(state["stable"])))

    def _too_large(self, stable: float) -> str:
        memory = self.memory()
        if memory.learning_rate <= stable:
            return ""
        return (
            f"The learning rate {memory.learning_rate:g} is too large: with momentum {memory.momentum:g} the "
            f"largest stable step at the start is about {stable:.2g}."
        )

    def seconds_per_epoch(self, width: int, points: int) -> float:  # noqa: ARG002
        return 8e-8 + 8e-9 * width
