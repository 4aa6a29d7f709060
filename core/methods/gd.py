"""Full-batch gradient descent on the mean squared loss, O(n) an epoch (core.descent.sorted_neurons)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.descent.loops import gd_epochs
from core.descent.sorted_neurons import sums_of
from core.methods.contract import Advance, Method, State, common_state, parameter
from core.methods.stepping import later_state, outcome_of, starting_keys, told_changes
from core.model.pattern import gaps
from core.problem.data import TrainingData
from core.types import FloatArray

TRAINED = "Fully trained: every step is below rounding, so no further epoch changes a bias or a coefficient."


@dataclass(frozen=True, kw_only=True)
class GradientDescent(Method):
    """b and c step against the gradient; epoch k is flow time k * learning_rate.

    It has ended when an epoch changes no bit of (b, c): the iteration is a
    function of (b, c) and the order of summation, so nothing can change after.
    """

    name: ClassVar[str] = "gd"
    title: ClassVar[str] = "GD"
    summary: ClassVar[str] = (
        "Full-batch gradient descent on biases and coefficients: exact, at millions of epochs a second."
    )
    default_epochs: ClassVar[float] = 1e6

    learning_rate: float = parameter(
        1e-3,
        low=1e-8,
        high=10.0,
        label="Learning rate",
        symbol="η",
        help="Step of gradient descent on the mean squared loss; epoch k is flow time kη.",
        log=True,
    )

    def init(self, data: TrainingData, b: FloatArray, c: FloatArray) -> State:
        return common_state(b, c, gaps(data.x, b)) | starting_keys(data, b, c)

    def advance(self, data: TrainingData, state: State, until: float, *, stop_at_change: bool) -> Advance:
        begin = float(state["epoch"])
        keys = ("b", "c", "order", "pin", "reach", "recent")
        b, c, order, pin, reach, recent = (np.array(state[key]) for key in keys)
        changes = np.empty((len(b), 3), dtype=np.int64)
        done, stages, last, count, finite, still = gd_epochs(
            *(data.x, data.y, *sums_of(data), b, c, order, pin, reach, recent, self.learning_rate),
            *(
                int(begin),
                self.epochs_in_chunk(len(b), data.m, until - begin),
                stop_at_change,
                changes,
            ),
        )
        moved = dict(zip(keys, (b, c, order, pin, reach, recent), strict=True))
        after = later_state(data, state, moved, done)
        outcome = None
        if begin + done >= until or not finite:
            outcome = outcome_of(data, after, self.learning_rate, TRAINED, finite=finite, at_rest=still)
        return Advance(after, stages, told_changes(begin + last, changes[:count]), outcome)

    def seconds_per_epoch(self, width: int, points: int) -> float:  # noqa: ARG002
        return 5e-8 + 5e-9 * width


METHOD = GradientDescent
