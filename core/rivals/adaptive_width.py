"""Adaptive width: ANLS+ that adds the best neuron and removes the least useful (anls_plus.growth)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..methods import parameters
from ..methods.contract import Advance, End, ForecastBy, State, parameter
from ..methods.placing import Placing
from ..problem.data import TrainingData
from ..types import FloatArray
from .anls_plus.growth import Growth, beginning, grow
from .anls_plus.plus import ADJUSTED, CHUNK, Move


@dataclass(frozen=True, kw_only=True)
class AdaptiveWidth(Placing):
    """ANLS+ with as many neurons as are worth it, the width of the link at most.

    The state holds besides the common keys: `losses` (n + 1), the least sum of squares found with each number
    of neurons, and `kept` (n), the best biases of the largest number so far.
    """

    name: ClassVar[str] = "adaptive_width"
    title: ClassVar[str] = "Adaptive width"
    summary: ClassVar[str] = (
        "ANLS+ that parks all neurons, adds the best and removes the least useful: how many are needed?"
    )
    default_epochs: ClassVar[float] = 3000.0
    forecast_by: ClassVar[ForecastBy] = "nothing"

    least_gain: float = parameter(
        1e-3,
        low=1e-6,
        high=0.9,
        log=True,
        label="Least gain",
        symbol="γ",
        help="One more neuron is added only if it lowers the loss by more than this part of it.",
    )
    offset: float = parameters.distance_left()

    def init(self, data: TrainingData, b: FloatArray, c: FloatArray) -> State:
        begin = beginning(b)
        return super().init(data, b, c) | {"losses": begin.losses, "kept": begin.kept}

    def advance(self, data: TrainingData, state: State, until: float, *, stop_at_change: bool) -> Advance:
        begin = float(state["epoch"])
        now = Growth(np.array(state["b"]), np.array(state["losses"]), np.array(state["kept"]))
        made: list[Move] = []
        work, move = 0, None
        for _ in range(self.wanted(data, state, until, stop_at_change)):
            now, move = grow(data.points, now, self.offset, self.least_gain)
            if move is None:
                break
            made.append(move)
            work += move.passes * (data.m + len(now.b))
            if work >= CHUNK:
                break
        after = self.placed(data, state, now.b, len(made)) | {"losses": now.losses, "kept": now.kept}
        stages = [(begin + 1 + i, step) for i, step in enumerate(made) if step.kind != ADJUSTED]
        changes = tuple(move.change(when) for when, move in stages[-1:])
        end = End("settled", "enough_neurons") if move is None else None
        return Advance(after, len(stages), changes, end)

    def seconds_per_epoch(self, width: int, points: int) -> float:
        return 3e-4 + 1e-6 * width + 4e-7 * points


METHOD = AdaptiveWidth
