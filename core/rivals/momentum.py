"""Gradient descent with momentum (Polyak 1964); the loop is in `with_momentum.epochs`."""

from dataclasses import dataclass
from typing import ClassVar

from .with_momentum.method import WithMomentum


@dataclass(frozen=True, kw_only=True)
class Momentum(WithMomentum):
    """The heavy ball: v <- mu v - eta g, and a step of v."""

    name: ClassVar[str] = "momentum"
    title: ClassVar[str] = "Momentum"
    summary: ClassVar[str] = (
        "Gradient descent that keeps a share of its last step: it gathers speed where the slope goes on."
    )
    ahead: ClassVar[bool] = False

    def stable_factor(self) -> float:
        return 1.0 + self.momentum


METHOD = Momentum
