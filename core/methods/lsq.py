"""Least squares for the coefficients at the initial biases, once (section 4.1, def:LSQ)."""

from dataclasses import dataclass
from typing import ClassVar

from ..problem.data import TrainingData
from .contract import Advance, End, State
from .placing import Placing


@dataclass(frozen=True, kw_only=True)
class LeastSquares(Placing):
    """Least-squares c for the biases as they are drawn: the baseline of every method that moves them.

    c = A^+ y where all weights are 1 (core.least_squares.solve.coefficients).
    """

    name: ClassVar[str] = "lsq"
    title: ClassVar[str] = "LSQ"
    summary: ClassVar[str] = "The best coefficients for the initial biases, which stay where they are."
    default_epochs: ClassVar[float] = 1.0

    def advance(self, data: TrainingData, state: State, until: float, *, stop_at_change: bool) -> Advance:  # noqa: ARG002
        return Advance(state, met=End("settled", "solved"))

    def seconds_per_epoch(self, width: int, points: int) -> float:
        return 2e-5 + 1.4e-7 * width + 8e-9 * points


METHOD = LeastSquares
