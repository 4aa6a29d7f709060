"""What the methods that place neurons and solve for the coefficients have in common: LSQ, ANLS, ANLS+."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..least_squares.solve import coefficients
from ..model.pattern import gaps
from ..problem.data import TrainingData
from ..types import FloatArray
from .contract import ForecastBy, Method, State, common_state


@dataclass(frozen=True, kw_only=True)
class Placing(Method):
    """Coefficients are the best ones at every iteration, and every iteration gets a frame."""

    solves_least_squares: ClassVar[bool] = True
    frame_every_epoch: ClassVar[bool] = True
    forecast_by: ClassVar[ForecastBy] = "steps"
    counts: ClassVar[str] = "iteration"

    def init(self, data: TrainingData, b: FloatArray, c: FloatArray) -> State:  # noqa: ARG002
        """After the first least-squares solve."""
        start = np.array(b, dtype=np.float64)
        state = common_state(start, coefficients(data, start), gaps(data.x, start))
        return state | {"solves": np.array(1, dtype=np.int64)}

    def wanted(self, data: TrainingData, state: State, until: float, stop_at_change: bool) -> int:
        """How many iterations one call does."""
        ahead = until - float(state["epoch"])
        return 1 if stop_at_change else self.epochs_in_chunk(len(state["b"]), data.m, ahead)

    @staticmethod
    def placed(data: TrainingData, state: State, b: FloatArray, iterations: int) -> State:
        """The state so many iterations on, with the biases b."""
        return state | {
            "epoch": np.array(float(state["epoch"]) + iterations),
            "b": b,
            "c": coefficients(data, b),
            "gap": gaps(data.x, b),
            "solves": state["solves"] + iterations,
        }
