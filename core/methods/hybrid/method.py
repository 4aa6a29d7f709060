"""What LS/GD and LS/Adam have in common besides their loop (core.methods.hybrid.iterations)."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from ...least_squares.chain import ascending
from ...least_squares.solve import coefficients, least_loss
from ...model.pattern import gaps
from ...model.pattern.hopping import no_hops
from ...model.pattern.pins import pulls
from ...problem.data import TrainingData
from ...types import FloatArray
from ..contract import Advance, End, Method, State, common_state
from ..parameters import AdamSettings
from ..stepping.epochs import Counts, open_changes
from ..stepping.state import counted_advance, kept, later_state, shown
from .iterations import Biases, hybrid_epochs

RAISED = 1.5
"""A loss beyond this multiple of the one before has risen; less is how such steps wander."""


class FirstStep(NamedTuple):
    """What a plain first step of the biases does."""

    before: float
    """The least loss at the start."""
    after: float
    fitting: float
    """A learning rate at which the loss does not rise."""

    @property
    def raises(self) -> bool:
        return self.after > RAISED * self.before


def first_step(data: TrainingData, b: FloatArray, rate: float) -> FirstStep:
    """The least losses before and after a first step from b, and a learning rate that fits."""
    best = coefficients(data, b)
    velocity = data.s * best * pulls(data, b, best)[gaps(data.x, b)]
    before, after = least_loss(data, b), least_loss(data, b + rate * velocity)
    fitting = rate
    if after > RAISED * before:
        while least_loss(data, b + fitting * velocity) > before and fitting > rate * 2.0**-60:
            fitting *= 0.5
    return FirstStep(before, after, fitting)


@dataclass(frozen=True, kw_only=True)
class Hybrid(Method):
    """A step on b at the present c, then the least-norm c for the new b."""

    default_epochs: ClassVar[float] = 1e4
    solves_least_squares: ClassVar[bool] = True
    counts: ClassVar[str] = "iteration"
    adaptive: ClassVar[bool]
    """Whether the steps are Adam's."""

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
        }

    def step_limit(self, data: TrainingData, b: FloatArray, c: FloatArray) -> float:  # noqa: ARG002
        """Adam's steps are judged by their length, plain ones by what the first does to the loss."""
        if self.adaptive:
            return data.mean_spacing
        first = first_step(data, b, self.rule().learning_rate)
        return first.fitting if first.raises else float("inf")

    def advance(self, data: TrainingData, state: State, until: float, *, stop_at_change: bool) -> Advance:
        begin = float(state["epoch"])
        biases = Biases(*kept(state, Biases._fields))
        epochs = self.epochs_in_chunk(len(biases.b), data.m, until - begin)
        c, changes, rule = np.empty_like(biases.b), open_changes(len(biases.b)), self.rule()
        went, rest = hybrid_epochs(
            data.points, data.s, biases, c, rule, self.adaptive, begin, epochs, stop_at_change, changes
        )
        counts, moved = Counts(*went), biases._asdict()
        moved |= shown(data, state, moved) | {"c": c, "solves": state["solves"] + counts.done}
        end = End("trained", "at_rest") if rest else None
        return counted_advance(later_state(state, moved, counts), counts, changes, met=end)

    def seconds_per_epoch(self, width: int, points: int) -> float:
        return 1.5e-6 + 8.5e-8 * width + 1e-8 * points
