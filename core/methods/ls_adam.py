"""Hybrid least squares and Adam (Cyr et al.; core.descent.hybrids)."""

from dataclasses import dataclass
from typing import ClassVar

from core.methods.contract import Advance, Method, State, parameter
from core.methods.hybrid import hybrid_advance, hybrid_state
from core.problem.data import TrainingData
from core.types import FloatArray


@dataclass(frozen=True, kw_only=True)
class LeastSquaresAdam(Method):
    """A step of Adam on b at the present c, then the least-norm c for the new b."""

    name: ClassVar[str] = "ls_adam"
    title: ClassVar[str] = "LS/Adam"
    summary: ClassVar[str] = "Adam on the biases; after every step the coefficients are solved for."
    default_epochs: ClassVar[float] = 1e4
    solves_least_squares: ClassVar[bool] = True

    learning_rate: float = parameter(
        1e-3,
        low=1e-8,
        high=10.0,
        label="Learning rate",
        symbol="η",
        help="Step of Adam on the biases, at most about this far an iteration.",
        log=True,
    )

    def init(self, data: TrainingData, b: FloatArray, c: FloatArray) -> State:  # noqa: ARG002
        return hybrid_state(data, b)

    def advance(self, data: TrainingData, state: State, until: float, *, stop_at_change: bool) -> Advance:
        return hybrid_advance(
            data,
            state,
            adaptive=True,
            learning_rate=self.learning_rate,
            stop_at_change=stop_at_change,
            epochs=self.epochs_in_chunk(len(state["b"]), data.m, until - float(state["epoch"])),
        )

    def seconds_per_epoch(self, width: int, points: int) -> float:
        return 1e-6 + 7e-8 * width + 1e-8 * points


METHOD = LeastSquaresAdam
