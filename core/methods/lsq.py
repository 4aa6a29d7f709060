"""Least squares for the coefficients at the initial biases, once (paper, eq. def:LSQ)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..least_squares.solve import solve
from ..problem.data import TrainingData
from ..types import FloatArray
from .contract import Advance, Outcome, State
from .placing import Placing


@dataclass(frozen=True, kw_only=True)
class LeastSquares(Placing):
    """c = A^+ y for the biases as they are drawn: the baseline of every method that moves them."""

    name: ClassVar[str] = "lsq"
    title: ClassVar[str] = "LSQ"
    summary: ClassVar[str] = "The best coefficients for the initial biases, which stay where they are."
    default_epochs: ClassVar[float] = 1.0
    ends: ClassVar[str] = "it will not end, because LSQ moves no bias"

    def init(self, data: TrainingData, b: FloatArray, c: FloatArray) -> State:
        rank = solve(data, np.asarray(b, dtype=np.float64)).rank
        return super().init(data, b, c) | {"rank": np.array(rank, dtype=np.int64)}

    def advance(self, data: TrainingData, state: State, until: float, *, stop_at_change: bool) -> Advance:  # noqa: ARG002
        sentence = (
            "Least squares is solved at once: the coefficients are optimal for these biases, "
            f"of rank {int(state['rank'])} for {len(state['b'])} neurons, and no bias moves."
        )
        return Advance(state, outcome=Outcome("settled", sentence))

    def seconds_per_epoch(self, width: int, points: int) -> float:
        return 2e-5 + 1.4e-7 * width + 8e-9 * points


METHOD = LeastSquares
