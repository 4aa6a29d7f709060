"""Full-batch gradient descent on the mean squared loss, O(n) an epoch (core.methods.stepping.slots)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...model.pattern.gaps import hopped_datum, is_hopping
from ...model.pattern.hopping import DATUM, LAST_CHANGE, PATIENCE, TURN, no_hops
from ...model.pattern.pins import velocities
from ...model.sharpness import largest_stable_step
from ...portable.exponential import portable_expm1
from ...portable.logarithm import portable_log1p
from ...portable.powers import portable_pow
from ...problem.data import TrainingData
from ...types import FloatArray
from .. import parameters
from ..contract import ForecastBy, State, StepLimit, parameter
from ..stepping.method import Stepping
from .epochs import DescentRule, gd_epochs


@dataclass(frozen=True, kw_only=True)
class GradientDescent(Stepping):
    """b and c step against the gradient; epoch k is flow time k * learning_rate."""

    name: ClassVar[str] = "gd"
    title: ClassVar[str] = "GD"
    summary: ClassVar[str] = (
        "Full-batch gradient descent on biases and coefficients: exact, at millions of epochs a second."
    )
    forecast_by: ClassVar[ForecastBy] = "flow"
    decays: ClassVar[bool] = True
    step_limited_by: ClassVar[StepLimit] = "curvature"

    kernel = staticmethod(gd_epochs)

    learning_rate: float = parameters.learning_rate(
        "Step of gradient descent on the mean squared loss; epoch k is flow time kη."
    )
    decay: float = parameter(
        0.0,
        low=0.0,
        high=1.0,
        label="Decay of the rate",
        symbol="p",
        help="Epoch k takes the step ηₖ = η (1 + k)⁻ᵖ; 0 keeps it constant.",
    )

    def rule(self) -> DescentRule:
        return DescentRule(self.learning_rate, self.decay)

    def step(self, epoch: float) -> float:
        return self.learning_rate * float(portable_pow(1.0 + epoch, -self.decay))

    def step_limit(self, data: TrainingData, b: FloatArray, c: FloatArray) -> float:
        return largest_stable_step(data, b, c)

    def guessed_state(self, data: TrainingData, state: State) -> State:
        """The reach of a pinned neuron is guessed: that of a hop from here, more where it stands beyond."""
        b, c, pin = (np.array(state[key]) for key in ("b", "c", "pin"))
        reach = np.zeros(len(b))
        pinned = np.flatnonzero(pin >= 0)
        right, left = velocities(data, b, c, pinned, pin[pinned])
        hop = self.step(float(state["epoch"])) * np.maximum(np.abs(right), np.abs(left))
        away = np.abs(b[pinned] - data.x[pin[pinned]])
        reach[pinned] = 2.0 * np.where(away < 2.0 * hop, hop, away)
        order = np.argsort(state["gap"], kind="stable").astype(np.int64)
        hops = no_hops(len(b))
        hops[DATUM] = np.where(is_hopping(pin), hopped_datum(pin), -1)
        hops[LAST_CHANGE], hops[PATIENCE] = int(state["epoch"]), TURN
        guess = {"reach": reach, "order": order, "held": np.maximum(pin, -1), "hops": hops}
        return self.init(data, b, c) | state | guess

    def epochs_ahead(self, epoch: float, time: float) -> float:
        """The steps add up to the integral of η u⁻ᵖ from epoch + 1/2 on, but for a part in epoch squared."""
        steps, slowing = time / self.learning_rate, 1.0 - self.decay
        if self.decay == 0.0:
            return steps
        begin = epoch + 0.5
        growth = steps / portable_pow(begin, slowing)
        if slowing > 0.0:
            growth = portable_log1p(slowing * growth) / slowing
        return float(begin * portable_expm1(growth))

    def seconds_per_epoch(self, width: int, points: int) -> float:  # noqa: ARG002
        return 5e-8 + 5e-9 * width


METHOD = GradientDescent
