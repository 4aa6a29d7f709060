"""Mini-batch gradient descent on biases and coefficients (core.rivals.sgd.epochs)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...least_squares.chain import ascending
from ...methods import parameters
from ...methods.contract import Advance, Method, State, StepLimit, common_state, parameter
from ...methods.stepping.epochs import Counts, open_changes
from ...methods.stepping.method import loop_advance
from ...methods.stepping.state import later_state, starting_keys
from ...model.pattern import gaps
from ...model.pattern.hopping import shown_pins
from ...problem.data import TrainingData
from ...types import FloatArray
from .epochs import Batches, sgd_epochs


@dataclass(frozen=True, kw_only=True)
class StochasticGradientDescent(Method):
    """Steps against the gradient of a few data at a time, in an order drawn anew for every epoch.

    In the state `order` sorts the biases.
    """

    name: ClassVar[str] = "sgd"
    title: ClassVar[str] = "SGD"
    summary: ClassVar[str] = (
        "Gradient descent on a few data at a time: its noise rattles at pins and plateaus."
    )
    default_epochs: ClassVar[float] = 1e5
    rival: ClassVar[bool] = True
    step_limited_by: ClassVar[StepLimit] = "unknown"

    learning_rate: float = parameters.learning_rate(
        "Step of gradient descent on the mean squared loss of a batch."
    )
    batch: int = parameter(
        10, low=1, high=10_000, label="Batch", symbol="B", log=True,
        help="SGD: how many data a step sees; with all of them it is gradient descent.",
    )  # fmt: skip
    shuffle: int = parameter(
        0, low=0, high=1_000_000, label="Shuffle", symbol="",
        help="SGD: number of the random order in which the data are taken.",
    )  # fmt: skip

    def init(self, data: TrainingData, b: FloatArray, c: FloatArray) -> State:
        start = common_state(b, c, gaps(data.x, b)) | starting_keys(data, b, c)
        del start["reach"], start["recent"]
        return start | {"order": ascending(start["b"])}

    def advance(self, data: TrainingData, state: State, until: float, *, stop_at_change: bool) -> Advance:
        begin = float(state["epoch"])
        b, c, order, hops = (state[key].copy() for key in ("b", "c", "order", "hops"))
        epochs = self.epochs_in_chunk(len(b), data.m, until - begin)
        batches = Batches(self.learning_rate, self.batch, self.shuffle)
        changes = open_changes(len(b))
        went, finite, still = sgd_epochs(
            data.points, b, c, order, hops, batches, int(begin), epochs, stop_at_change, changes
        )
        moved = {
            "b": b,
            "c": c,
            "order": order,
            "gap": gaps(data.x, b),
            "pin": shown_pins(np.full(len(b), -1), hops),
            "hops": hops,
        }
        counts = Counts(*went)
        after = later_state(state, moved, counts)
        return loop_advance(self, data, after, counts, finite, until, changes, lambda: still)

    def step_limit(self, data: TrainingData, b: FloatArray, c: FloatArray) -> float:  # noqa: ARG002
        """Each batch has a curvature of its own."""
        return float("nan")

    def seconds_per_epoch(self, width: int, points: int) -> float:
        steps = -(-points // self.batch)
        return 1e-7 * points + steps * (3e-7 + 1.5e-8 * width)


METHOD = StochasticGradientDescent
