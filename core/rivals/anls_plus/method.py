"""ANLS+: ANLS that also wakes dead neurons and moves those of little use (core.rivals.anls_plus.plus)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...methods import parameters
from ...methods.contract import Advance, End, State
from ...methods.placing import Placing
from ...problem.data import TrainingData
from .plus import ADJUSTED, CHUNK, anls_plus


@dataclass(frozen=True, kw_only=True)
class ActiveNeuronLeastSquaresPlus(Placing):
    """ANLS, and relocation of dead, redundant and little-used neurons to the best gap anywhere."""

    name: ClassVar[str] = "anls_plus"
    title: ClassVar[str] = "ANLS+"
    summary: ClassVar[str] = (
        "ANLS that wastes no neuron: dead, redundant and little-used ones go wherever they help most."
    )
    default_epochs: ClassVar[float] = 3000.0

    offset: float = parameters.distance_left()

    def advance(self, data: TrainingData, state: State, until: float, *, stop_at_change: bool) -> Advance:
        begin = float(state["epoch"])
        b = np.array(state["b"])
        wanted = self.wanted(data, state, until, stop_at_change)
        settled, made = anls_plus(data.points, b, self.offset, wanted, CHUNK)
        after = self.placed(data, state, b, len(made))
        stages = [(begin + 1 + i, move) for i, move in enumerate(made) if move.kind != ADJUSTED]
        changes = tuple(move.change(when) for when, move in stages[-1:])
        end = End("settled", "no_better_move") if settled else None
        return Advance(after, len(stages), changes, end)

    def seconds_per_epoch(self, width: int, points: int) -> float:
        return 1.2e-4 + 7e-7 * width + 2.2e-7 * points


METHOD = ActiveNeuronLeastSquaresPlus
