"""Full-batch gradient descent on the mean squared loss, O(n) an epoch (core.slots)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.arrays import FloatArray
from core.data import TrainingData
from core.kernels import gd_epochs
from core.methods.base import Advance, Change, Method, Outcome, State, common_state, parameter
from core.pattern import gaps
from core.pins import KINDS
from core.slots import sums_of
from core.stepping import canonical_gaps, chunk_of, has_exploded, starting_keys, too_large, verdict

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
                chunk_of(self.seconds_per_epoch(len(b), data.m), until - begin),
                stop_at_change,
                changes,
            ),
        )
        after = state | {
            "epoch": np.array(begin + done),
            "b": b,
            "c": c,
            "gap": canonical_gaps(data, b, pin),
            "pin": pin,
            "order": order,
            "reach": reach,
            "recent": recent,
            "gradients": np.array(state["gradients"] + done),
        }
        happened = tuple(
            Change(begin + last, neuron, KINDS[kind], datum)
            for neuron, kind, datum in changes[:count].tolist()
        )
        outcome = None
        # Ends are looked for at scheduled epochs only, so that it does not matter how the way there was cut.
        scheduled = begin + done >= until
        if not finite or (scheduled and has_exploded(data, after)):
            outcome = Outcome("diverged", f"The loss exploded: {too_large(data, after, self.learning_rate)}")
        elif scheduled and still:
            outcome = Outcome(*verdict(data, after, self.learning_rate, TRAINED))
        return Advance(after, stages, happened, outcome)

    def seconds_per_epoch(self, width: int, points: int) -> float:  # noqa: ARG002
        return 5e-8 + 5e-9 * width


METHOD = GradientDescent
