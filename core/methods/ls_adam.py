"""Hybrid least squares and Adam (section 5.2, Cyr et al.): its settings.

The step on the biases and the solve for the coefficients are the kernel `hybrid_epochs`
(core.methods.hybrid.iterations), which LS/GD shares.
"""

from dataclasses import dataclass
from typing import ClassVar

from . import parameters
from .contract import StepLimit
from .hybrid.method import Hybrid
from .parameters import AdamSettings


@dataclass(frozen=True, kw_only=True)
class LeastSquaresAdam(Hybrid):
    """A step of Adam on b at the present c, then the least-norm c for the new b."""

    name: ClassVar[str] = "ls_adam"
    title: ClassVar[str] = "LS/Adam"
    summary: ClassVar[str] = "Adam on the biases; after every step the coefficients are solved for."
    adaptive: ClassVar[bool] = True
    step_limited_by: ClassVar[StepLimit] = "spacing"

    learning_rate: float = parameters.learning_rate(
        "Step of Adam on the biases, at most about this far an iteration."
    )
    beta1: float = parameters.memory_of_mean()
    beta2: float = parameters.memory_of_square()
    epsilon: float = parameters.smallest_scale()

    def rule(self) -> AdamSettings:
        return AdamSettings(self.learning_rate, self.beta1, self.beta2, self.epsilon)


METHOD = LeastSquaresAdam
