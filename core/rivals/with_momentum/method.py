"""What the heavy ball and Nesterov's method have in common besides their loop (`epochs.momentum_epochs`)."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from ...methods import parameters
from ...methods.contract import StepLimit, parameter
from ...methods.stepping.method import Stepping
from ...model.sharpness import largest_stable_step
from ...problem.data import TrainingData
from ...types import FloatArray
from .epochs import MomentumRule, momentum_epochs


@dataclass(frozen=True, kw_only=True)
class WithMomentum(Stepping):
    """Gradient descent with a velocity: `velocity` (2, n) in the state, of b and of c."""

    remembers: ClassVar[tuple[str, int]] = ("velocity", 2)
    kernel = staticmethod(momentum_epochs)
    rival: ClassVar[bool] = True
    step_limited_by: ClassVar[StepLimit] = "momentum"
    ahead: ClassVar[bool]
    """Whether the gradient is taken where the velocity leads."""

    learning_rate: float = parameters.learning_rate(
        "Step of gradient descent on the mean squared loss, before the velocity adds to it."
    )
    momentum: float = parameter(
        0.9, low=0.0, high=0.9999, label="Momentum", symbol="μ",
        help="How much of the velocity is kept per epoch. 0 is gradient descent; 0.9 is ten times as fast "
        "along a steady slope.",
    )  # fmt: skip

    def rule(self) -> MomentumRule:
        return MomentumRule(self.learning_rate, self.momentum, self.ahead)

    @abstractmethod
    def stable_factor(self) -> float:
        """The largest stable step, as a multiple of that of gradient descent."""

    def step_limit(self, data: TrainingData, b: FloatArray, c: FloatArray) -> float:
        return self.stable_factor() * largest_stable_step(data, b, c)

    def seconds_per_epoch(self, width: int, points: int) -> float:  # noqa: ARG002
        return 8e-8 + 8e-9 * width
