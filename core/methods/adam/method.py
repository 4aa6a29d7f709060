"""Adam (Kingma & Ba) on biases and coefficients, with an O(n) gradient (core.methods.stepping)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...model.loss import mean_square
from ...model.pattern import Pattern
from ...problem.data import TrainingData
from ...theory.stationarity import stationarity
from ...types import FloatArray
from .. import parameters
from ..contract import State, StepLimit
from ..stepping.method import Stepping
from .epochs import adam_epochs

ZERO_GRADIENT = 1e-13
"""Gradients are zero when below this multiple of the root mean square of y."""


@dataclass(frozen=True, kw_only=True)
class Adam(Stepping):
    """Steps against the running mean of the gradient, scaled by its running root mean square.

    `moments` (4, n) in the state are the first and second moments of b, then of
    c. The step is lr times a number of order 1 however small the gradient, so Adam
    seldom comes to rest; it has when the residual is orthogonal to all that the
    network can still change (core.theory.stationarity) and no momentum is left.
    """

    name: ClassVar[str] = "adam"
    title: ClassVar[str] = "Adam"
    summary: ClassVar[str] = "Adam on biases and coefficients: momentum and a step size for each parameter."
    remembers: ClassVar[tuple[str, int]] = ("moments", 4)
    kernel = staticmethod(adam_epochs)
    step_limited_by: ClassVar[StepLimit] = "spacing"

    learning_rate: float = parameters.learning_rate(
        "Adam moves every bias and coefficient by about this much an epoch, at most."
    )
    beta1: float = parameters.memory_of_mean()
    beta2: float = parameters.memory_of_square()
    epsilon: float = parameters.smallest_scale()

    def rule(self) -> parameters.AdamSettings:
        return parameters.AdamSettings(self.learning_rate, self.beta1, self.beta2, self.epsilon)

    def step_limit(self, data: TrainingData, b: FloatArray, c: FloatArray) -> float:  # noqa: ARG002
        """A step is about the learning rate, however small the gradient: longer ones jump over data."""
        return data.mean_spacing

    def is_at_rest(self, data: TrainingData, state: State, *, still: bool) -> bool:  # noqa: ARG002
        small = ZERO_GRADIENT * float(np.sqrt(mean_square(data, data.y)))
        if np.abs(state["moments"][[0, 2]]).max() > small:
            return False
        pattern = Pattern(state["gap"], state["pin"])
        measured = stationarity(data, pattern, state["b"], state["c"])
        return measured.residual <= small * small and measured.violation <= small

    def seconds_per_epoch(self, width: int, points: int) -> float:  # noqa: ARG002
        return 1.2e-7 + 1.2e-8 * width


METHOD = Adam
