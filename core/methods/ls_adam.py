"""Hybrid least squares and Adam (Cyr et al.; core.descent.hybrids)."""

from dataclasses import dataclass
from typing import ClassVar

from core.descent.loops import Adam
from core.methods.contract import parameter
from core.methods.hybrid import Hybrid


@dataclass(frozen=True, kw_only=True)
class LeastSquaresAdam(Hybrid):
    """A step of Adam on b at the present c, then the least-norm c for the new b."""

    name: ClassVar[str] = "ls_adam"
    title: ClassVar[str] = "LS/Adam"
    summary: ClassVar[str] = "Adam on the biases; after every step the coefficients are solved for."
    adaptive: ClassVar[bool] = True

    learning_rate: float = parameter(
        1e-3,
        low=1e-8,
        high=10.0,
        label="Learning rate",
        symbol="η",
        help="Step of Adam on the biases, at most about this far an iteration.",
        log=True,
    )
    beta1: float = parameter(
        0.9,
        low=0.0,
        high=0.999999,
        label="Memory of the mean",
        symbol="β₁",
        help="Adam: how much of the running mean of the gradient is kept in an epoch.",
    )
    beta2: float = parameter(
        0.999,
        low=0.0,
        high=0.999999,
        label="Memory of the square",
        symbol="β₂",
        help="Adam: how much of the running mean square of the gradient is kept in an epoch.",
    )
    epsilon: float = parameter(
        1e-8,
        low=1e-16,
        high=1.0,
        label="Smallest scale",
        symbol="ε",
        help="Adam: added to the root mean square that divides the step.",
        log=True,
    )

    def rule(self) -> Adam:
        return Adam(self.learning_rate, self.beta1, self.beta2, self.epsilon)


METHOD = LeastSquaresAdam
