"""Adam (Kingma & Ba) on biases and coefficients, with an O(n) gradient (core.descent)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...model.loss import mean_square
from ...model.pattern import Pattern, gaps
from ...problem.data import TrainingData
from ...theory.stationarity import stationarity
from ...types import FloatArray
from .. import parameters
from ..contract import Advance, Method, State, StepLimit, common_state
from ..stepping.epochs import Epochs, open_changes
from ..stepping.slots import sums_of
from ..stepping.state import (
    EXPLODED,
    judged_end,
    later_state,
    network_of,
    starting_keys,
    told_changes,
)
from .epochs import adam_epochs

ZERO_GRADIENT = 1e-13
"""Gradients are zero when below this multiple of the root mean square of y."""


@dataclass(frozen=True, kw_only=True)
class Adam(Method):
    """Steps against the running mean of the gradient, scaled by its running root mean square.

    `moments` (4, n) in the state are the first and second moments of b, then of
    c. The step is lr times a number of order 1 however small the gradient, so Adam
    seldom comes to rest; it has when the residual is orthogonal to all that the
    network can still change (core.theory.stationarity) and no momentum is left.
    """

    name: ClassVar[str] = "adam"
    title: ClassVar[str] = "Adam"
    summary: ClassVar[str] = "Adam on biases and coefficients: momentum and a step size for each parameter."
    default_epochs: ClassVar[float] = 1e6
    step_limited_by: ClassVar[StepLimit] = "spacing"

    learning_rate: float = parameters.learning_rate(
        "Adam moves every bias and coefficient by about this much an epoch, at most."
    )
    beta1: float = parameters.memory_of_mean()
    beta2: float = parameters.memory_of_square()
    epsilon: float = parameters.smallest_scale()

    def init(self, data: TrainingData, b: FloatArray, c: FloatArray) -> State:
        start = common_state(b, c, gaps(data.x, b)) | starting_keys(data, b, c)
        return start | {"moments": np.zeros((4, len(b)))}

    def advance(self, data: TrainingData, state: State, until: float, *, stop_at_change: bool) -> Advance:
        begin = float(state["epoch"])
        network = network_of(state)
        moments = np.array(state["moments"])
        epochs = self.epochs_in_chunk(len(network.b), data.m, until - begin)
        changes = open_changes(len(network.b))
        went = Epochs(
            *adam_epochs(
                sums_of(data),
                network,
                moments,
                parameters.AdamSettings(self.learning_rate, self.beta1, self.beta2, self.epsilon),
                int(begin),
                epochs,
                stop_at_change,
                changes,
            )
        )
        after = later_state(data, state, network._asdict() | {"moments": moments}, went.done)
        outcome = judged = None
        if not went.finite:
            outcome = EXPLODED
        elif begin + went.done >= until:
            judged = judged_end(self, data, after, at_rest=self._is_at_rest(data, after))
        told = told_changes(begin + went.last, changes[: went.changed])
        return Advance(after, went.stages, told, outcome, judged)

    def step_limit(self, data: TrainingData, b: FloatArray, c: FloatArray) -> float:  # noqa: ARG002
        """A step is about the learning rate, however small the gradient: longer ones jump over data."""
        return data.mean_spacing

    def _is_at_rest(self, data: TrainingData, state: State) -> bool:
        small = ZERO_GRADIENT * float(np.sqrt(mean_square(data, data.y)))
        if np.abs(state["moments"][[0, 2]]).max() > small:
            return False
        pattern = Pattern(state["gap"], state["pin"])
        measured = stationarity(data, pattern, state["b"], state["c"])
        return measured.residual <= small * small and measured.violation <= small

    def seconds_per_epoch(self, width: int, points: int) -> float:  # noqa: ARG002
        return 1.2e-7 + 1.2e-8 * width


METHOD = Adam
