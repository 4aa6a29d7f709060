"""Hybrid least squares and gradient descent (section 5.2, Cyr et al.): its settings.

The step on the biases and the solve for the coefficients are the kernel `hybrid_epochs`
(core.methods.hybrid.iterations), which LS/Adam shares.
"""

from dataclasses import dataclass
from typing import ClassVar

from . import parameters
from .contract import StepLimit
from .hybrid.method import Hybrid
from .parameters import AdamSettings


@dataclass(frozen=True, kw_only=True)
class LeastSquaresGradientDescent(Hybrid):
    """A step of gradient descent on b at the present c, then the least-norm c for the new b."""

    name: ClassVar[str] = "ls_gd"
    title: ClassVar[str] = "LS/GD"
    summary: ClassVar[str] = (
        "Gradient descent on the biases; after every step the coefficients are solved for."
    )
    adaptive: ClassVar[bool] = False
    step_limited_by: ClassVar[StepLimit] = "first_step"

    learning_rate: float = parameters.learning_rate("Step of gradient descent on the biases.")

    def rule(self) -> AdamSettings:
        return AdamSettings(self.learning_rate, 0.0, 0.0, 0.0)


METHOD = LeastSquaresGradientDescent
