"""ANLS+: ANLS that also wakes dead neurons and moves those of little use (core.anls.plus)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.anls.plus import ADJUSTED, CHEAP, CHUNK, DEAD, MOVED, REDUNDANT, anls_plus
from core.anls.rules import OFFSET
from core.methods.contract import Advance, Method, Outcome, State, common_state, parameter
from core.model.changes import Change
from core.model.pattern import gaps
from core.problem.data import TrainingData
from core.squares.solve import coefficients
from core.types import FloatArray

REASON = {DEAD: -1, REDUNDANT: -2, CHEAP: -3}
"""How a relocation tells its reason (core.model.changes.RELOCATION_REASONS)."""


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

    offset: float = parameter(
        OFFSET,
        low=1e-12,
        high=1.0,
        label="Distance left of the data",
        symbol="δ",
        help="ANLS: how far left of all data a neuron is put that crosses the first one.",
        log=True,
    )

    def init(self, data: TrainingData, b: FloatArray, c: FloatArray) -> State:  # noqa: ARG002
        start = np.array(b, dtype=np.float64)
        state = common_state(start, coefficients(data, start), gaps(data.x, start))
        return state | {"solves": np.array(1, dtype=np.int64)}

    def advance(self, data: TrainingData, state: State, until: float, *, stop_at_change: bool) -> Advance:
        begin = float(state["epoch"])
        wanted = 1 if stop_at_change else self.epochs_in_chunk(len(state["b"]), data.m, until - begin)
        b = np.array(state["b"])
        settled, made = anls_plus(data.points, b, self.offset, wanted, CHUNK)
        epoch = begin + len(made)
        after = state | {
            "epoch": np.array(epoch),
            "b": b,
            "c": coefficients(data, b),
            "gap": gaps(data.x, b),
            "solves": state["solves"] + len(made),
        }
        stages = [(begin + 1 + i, move) for i, move in enumerate(made) if move.kind != ADJUSTED]
        changes: tuple[Change, ...] = ()
        if stages:
            when, move = stages[-1]
            if move.kind == MOVED:
                changes = (Change(when, move.neuron, "moved", move.datum),)
            else:
                changes = (Change(when, move.neuron, "relocated", REASON[move.kind]),)
        outcome = None
        if settled:
            many = "iteration" if epoch == 1.0 else "iterations"
            sentence = f"No move, near or far, improves the loss: ANLS+ stops after {epoch:,.0f} {many}."
            outcome = Outcome("settled", sentence)
        return Advance(after, len(stages), changes, outcome)

    def seconds_per_epoch(self, width: int, points: int) -> float:
        return 1.2e-4 + 7e-7 * width + 2.2e-7 * points


METHOD = ActiveNeuronLeastSquaresPlus
