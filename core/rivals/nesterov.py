"""Nesterov's accelerated gradient (1983), with an O(n) gradient (core.rivals.rolling.epochs)."""

from dataclasses import dataclass
from typing import ClassVar

from ..methods import parameters
from .parameters import share_of_velocity
from .rolling.epochs import Memory
from .rolling.method import Rolling


@dataclass(frozen=True, kw_only=True)
class Nesterov(Rolling):
    """Counted from the point ahead: v <- mu v - eta g, and a step of mu v - eta g."""

    name: ClassVar[str] = "nesterov"
    title: ClassVar[str] = "Nesterov"
    summary: ClassVar[str] = (
        "Momentum that looks ahead: the gradient is taken where the velocity leads, which damps its swings."
    )

    learning_rate: float = parameters.learning_rate(
        "Step of gradient descent on the mean squared loss, before the velocity adds to it."
    )
    momentum: float = share_of_velocity()

    def memory(self) -> Memory:
        return Memory(self.learning_rate, self.momentum, ahead=True)

    def reach(self) -> float:
        return (1.0 + self.momentum) / (1.0 + 2.0 * self.momentum)


METHOD = Nesterov
