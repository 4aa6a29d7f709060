"""What LS/GD and LS/Adam have in common besides their loop (core.methods.hybrid.iterations)."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...least_squares.chain import ascending
from ...least_squares.solve import coefficients, least_loss
from ...model.loss import mean_loss
from ...model.pattern import gaps
from ...model.pattern.hopping import no_hops
from ...model.pattern.pins import pulls
from ...problem.data import TrainingData
from ...types import FloatArray
from ..contract import Advance, Method, Outcome, State, common_state
from ..parameters import AdamSettings
from ..stepping.epochs import open_changes
from ..stepping.state import adam_caution, kept, lost, shown, told_changes, told_losses
from .iterations import Biases, Iterations, hybrid_epochs

RISE = 1.5
"""A loss beyond this multiple of the one before has risen; less is how such steps wander."""


@dataclass(frozen=True, kw_only=True)
class Hybrid(Method):
    """A step on b at the present c, then the least-norm c for the new b."""

    default_epochs: ClassVar[float] = 1e4
    solves_least_squares: ClassVar[bool] = True
    counts: ClassVar[str] = "iteration"
    ends: ClassVar[str] = "it will end when the steps carry biases to where the best coefficients do better"
    adaptive: ClassVar[bool]
    """Whether the steps are Adam's."""
    unforeseen: ClassVar[str] = (
        "The coefficients jump to their best values after every step, "
        "so the gradient flow does not tell its events."
    )

    @abstractmethod
    def rule(self) -> AdamSettings:
        """The hyper-parameters of the steps; plain ones read the learning rate alone."""

    def init(self, data: TrainingData, b: FloatArray, c: FloatArray) -> State:  # noqa: ARG002
        """After the first least-squares solve. `order` sorts b; `first` and `second` are Adam's moments."""
        start = np.array(b, dtype=np.float64)
        return common_state(start, coefficients(data, start), gaps(data.x, start)) | {
            "solves": np.array(1, dtype=np.int64),
            "order": ascending(start),
            "hops": no_hops(len(start)),
            "held": np.full(len(start), -1, dtype=np.int64),
            "first": np.zeros(len(start)),
            "second": np.zeros(len(start)),
            "live": np.array(np.count_nonzero(gaps(data.x, start) < data.m), dtype=np.int64),
            "start_loss": np.array(least_loss(data, start)),
            "first_step": self._first_step(data, start),
        }

    def _first_step(self, data: TrainingData, b: FloatArray) -> FloatArray:
        """The loss after a first step from b, and a learning rate at which it does not rise.

        Adam's steps are judged by their length instead: two zeros.
        """
        if self.adaptive:
            return np.zeros(2)
        rate = self.rule().learning_rate
        best = coefficients(data, b)
        velocity = data.s * best * pulls(data, b, best)[gaps(data.x, b)]
        before, after = least_loss(data, b), least_loss(data, b + rate * velocity)
        fitting = rate
        if after > RISE * before:
            while least_loss(data, b + fitting * velocity) > before and fitting > rate * 2.0**-60:
                fitting *= 0.5
        return np.array([after, fitting])

    def caution(self, data: TrainingData, b: FloatArray, c: FloatArray) -> str:  # noqa: ARG002
        return self._caution(data, least_loss(data, b), self._first_step(data, b))

    def _caution(self, data: TrainingData, before: float, first_step: FloatArray) -> str:
        rate = self.rule().learning_rate
        if self.adaptive:
            return adam_caution(data, rate)
        after, fitting = first_step.tolist()
        if after <= RISE * before:
            return ""
        before, after = data.scale.loss(before), data.scale.loss(after)
        return (
            f"The learning rate {rate:g} is too large: the first step raises the loss "
            f"from {before:.3g} to {after:.3g}, one of about {fitting:.1g} would not."
        )

    def remark(self, data: TrainingData, state: State) -> str:
        before, now = float(state["start_loss"]), mean_loss(data, state["b"], state["c"])
        if now > RISE * before:
            before, now = data.scale.loss(before), data.scale.loss(now)
            return f"The loss rose from {before:.3g} to {now:.3g}: the learning rate is too large here."
        first_step = state.get("first_step", np.zeros(2))  # runs stored by version 2.0 have none
        return told_losses(lost(data, state), self._caution(data, before, first_step))

    def advance(self, data: TrainingData, state: State, until: float, *, stop_at_change: bool) -> Advance:
        begin = float(state["epoch"])
        biases = Biases(*(np.array(value) for value in kept(state, Biases._fields)))
        epochs = self.epochs_in_chunk(len(biases.b), data.m, until - begin)
        c, changes, rule = np.empty_like(biases.b), open_changes(len(biases.b)), self.rule()
        went = Iterations(
            *hybrid_epochs(
                data.points, data.s, biases, c, rule, self.adaptive, begin, epochs, stop_at_change, changes
            )
        )
        after = (
            state
            | biases._asdict()
            | shown(data, biases._asdict())
            | {
                "epoch": np.array(begin + went.done),
                "c": c,
                "gradients": state["gradients"] + went.done,
                "solves": state["solves"] + went.done,
            }
        )
        outcome = None
        if went.rest:
            outcome = Outcome("trained", "No bias moves any more: the gradient is zero to the last digit.")
        return Advance(after, went.stages, told_changes(begin + went.last, changes[: went.changed]), outcome)

    def seconds_per_epoch(self, width: int, points: int) -> float:
        return 1.5e-6 + 8.5e-8 * width + 1e-8 * points
