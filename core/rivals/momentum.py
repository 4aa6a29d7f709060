"""Gradient descent with momentum (Polyak 1964), with an O(n) gradient (core.rivals.rolling.epochs)."""

from dataclasses import dataclass
from typing import ClassVar

from ..methods import parameters
from .parameters import share_of_velocity
from .rolling.epochs import Memory
from .rolling.method import Rolling


@dataclass(frozen=True, kw_only=True)
class Momentum(Rolling):
    """The heavy ball: v <- mu v - eta g, and a step of v."""

    name: ClassVar[str] = "momentum"
    title: ClassVar[str] = "Momentum"
    summary: ClassVar[str] = (
        "Gradient descent that keeps a share of its last step: it gathers speed where the slope goes on."
    )

    learning_rate: float = parameters.learning_rate(
        "Step of gradient descent on the mean squared loss, before the velocity adds to it."
    )
    momentum: float = share_of_velocity()

    def memory(self) -> Memory:
        return Memory(self.learning_rate, self.momentum, ahead=False)

    def reach(self) -> float:
        return 1.0 + self.momentum


METHOD = Momentum
