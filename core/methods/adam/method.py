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
from ..contract import Advance, Method, State, common_state
from ..stepping.epochs import Epochs, open_changes
from ..stepping.slots import sums_of
from ..stepping.state import (
    adam_caution,
    explosion,
    judged_end,
    later_state,
    lost,
    network_of,
    starting_keys,
    told_changes,
    told_losses,
)
from .epochs import adam_epochs

TRAINED = "Fully trained: the gradient and its running mean vanish to rounding."
ROUNDING = 1e-13
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
    unforeseen: ClassVar[str] = (
        "Adam steps by the gradients that it remembers, so the gradient flow does not tell its events."
    )
    ends: ClassVar[str] = "it will end when Adam's steps carry a bias over a data point or find a lower loss"

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
        caution = adam_caution(data, self.learning_rate)
        if not went.finite:
            outcome = explosion(caution)
        elif begin + went.done >= until:
            judged = judged_end(data, after, caution, TRAINED, at_rest=self._is_at_rest(data, after))
        told = told_changes(begin + went.last, changes[: went.changed])
        return Advance(after, went.stages, told, outcome, judged)

    def caution(self, data: TrainingData, b: FloatArray, c: FloatArray) -> str:  # noqa: ARG002
        return adam_caution(data, self.learning_rate)

    def remark(self, data: TrainingData, state: State) -> str:
        return told_losses(lost(data, state), adam_caution(data, self.learning_rate))

    def _is_at_rest(self, data: TrainingData, state: State) -> bool:
        small = ROUNDING * float(np.sqrt(mean_square(data, data.y)))
        if np.abs(state["moments"][[0, 2]]).max() > small:
            return False
        pattern = Pattern(state["gap"], state["pin"])
        measured = stationarity(data, pattern, state["b"], state["c"])
        return measured.residual <= small * small and measured.violation <= small

    def seconds_per_epoch(self, width: int, points: int) -> float:  # noqa: ARG002
        return 1.2e-7 + 1.2e-8 * width


METHOD = Adam
