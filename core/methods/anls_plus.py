"""ANLS+: ANLS that also wakes dead neurons and moves those of little use (core.anls.plus)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.anls.plus import ADJUSTED, CHEAP, DEAD, MOVED, REDUNDANT, anls_plus
from core.methods.contract import Advance, Method, Outcome, State, common_state
from core.model.changes import Change
from core.model.pattern import gaps
from core.problem.data import TrainingData
from core.squares.solve import apart, coefficients
from core.types import FloatArray

REASON = {DEAD: -1, REDUNDANT: -2, CHEAP: -3}
"""How a relocation tells its reason (core.methods.contract.RELOCATION_REASONS)."""


@dataclass(frozen=True, kw_only=True)
class ActiveNeuronLeastSquaresPlus(Method):
    """ANLS, and relocation of dead, redundant and little-used neurons to the best gap anywhere."""

    name: ClassVar[str] = "anls_plus"
    title: ClassVar[str] = "ANLS+"
    summary: ClassVar[str] = (
        "ANLS that wastes no neuron: dead, redundant and little-used ones go wherever they help most."
    )
    default_epochs: ClassVar[float] = 3000.0
    solves_least_squares: ClassVar[bool] = True
    frame_every_epoch: ClassVar[bool] = True

    def init(self, data: TrainingData, b: FloatArray, c: FloatArray) -> State:  # noqa: ARG002
        start = np.array(b, dtype=np.float64)
        state = common_state(start, coefficients(data, start), gaps(data.x, start))
        return state | {"solves": np.array(1, dtype=np.int64)}

    def advance(self, data: TrainingData, state: State, until: float, *, stop_at_change: bool) -> Advance:
        begin = float(state["epoch"])
        wanted = 1 if stop_at_change else self.epochs_in_chunk(len(state["b"]), data.m, until - begin)
        b = np.array(state["b"])
        done, settled, log = anls_plus(data.x, data.y, b, apart(data), wanted)
        epoch = begin + done
        after = state | {
            "epoch": np.array(epoch),
            "b": b,
            "c": coefficients(data, b),
            "gap": gaps(data.x, b),
            "solves": state["solves"] + done,
        }
        stages = [(begin + 1 + i, *row) for i, row in enumerate(log) if row[0] != ADJUSTED]
        changes: tuple[Change, ...] = ()
        if stages:
            when, kind, neuron, datum = stages[-1]
            if kind == MOVED:
                changes = (Change(when, neuron, "moved", datum),)
            else:
                changes = (Change(when, neuron, "relocated", REASON[kind]),)
        outcome = None
        if settled:
            many = "iteration" if epoch == 1.0 else "iterations"
            sentence = f"No move, near or far, improves the loss: ANLS+ stops after {epoch:,.0f} {many}."
            outcome = Outcome("settled", sentence)
        return Advance(after, len(stages), changes, outcome)

    def seconds_per_epoch(self, width: int, points: int) -> float:
        return 5e-5 + 5e-7 * width + 5e-7 * points


METHOD = ActiveNeuronLeastSquaresPlus
