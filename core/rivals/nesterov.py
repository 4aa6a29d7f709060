"""Nesterov's accelerated gradient (1983); the loop is in `with_momentum.epochs`."""

from dataclasses import dataclass
from typing import ClassVar

from .with_momentum.method import WithMomentum


@dataclass(frozen=True, kw_only=True)
class Nesterov(WithMomentum):
    """Counted from the point ahead: v <- mu v - eta g, and a step of mu v - eta g."""

    name: ClassVar[str] = "nesterov"
    title: ClassVar[str] = "Nesterov"
    summary: ClassVar[str] = (
        "Momentum that looks ahead: the gradient is taken where the velocity leads, which damps its swings."
    )
    ahead: ClassVar[bool] = True

    def stable_factor(self) -> float:
        return (1.0 + self.momentum) / (1.0 + 2.0 * self.momentum)


METHOD = Nesterov
