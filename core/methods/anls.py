"""Active neuron least squares (paper, section 4.3), an iteration in microseconds.

Step 1 weighs every candidate of core.anls.iteration, step 2 takes the best one if it
improves the loss, and ends the run if not. The coefficients are those of least
norm at every iteration. An iteration counts as one least-squares solve, because
one chain gives the losses of all candidates.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.anls.iteration import anls
from core.anls.rules import OFFSET
from core.methods.contract import Advance, Method, Outcome, State, common_state, parameter
from core.model.changes import Change
from core.model.pattern import gaps
from core.problem.data import TrainingData
from core.squares.chain import ascending
from core.squares.solve import coefficients
from core.types import FloatArray


@dataclass(frozen=True, kw_only=True)
class ActiveNeuronLeastSquares(Method):
    """One neuron crosses one datum per iteration: always the one that lowers the loss most."""

    name: ClassVar[str] = "anls"
    title: ClassVar[str] = "ANLS"
    summary: ClassVar[str] = (
        "Active neuron least squares: in each iteration the best single crossing of a data point, "
        "with optimal coefficients before and after."
    )
    default_epochs: ClassVar[float] = 1000.0
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
        chunk = self.epochs_in_chunk(len(state["b"]), data.m, until - float(state["epoch"]))
        wanted = 1 if stop_at_change else chunk
        b = np.array(state["b"])
        course = anls(data.points, b, ascending(b), self.offset, wanted)
        done = course.done
        epoch = float(state["epoch"]) + done
        after = state | {
            "epoch": np.array(epoch),
            "b": b,
            "c": coefficients(data, b),
            "gap": gaps(data.x, b),
            "solves": state["solves"] + done,
        }
        changes: tuple[Change, ...] = ()
        if done:
            changes = (Change(epoch, int(course.neuron[-1]), "moved", int(course.datum[-1])),)
        outcome = None
        if course.settled:
            many = "iteration" if epoch == 1.0 else "iterations"
            sentence = f"No candidate improves the loss: ANLS stops after {epoch:,.0f} {many}."
            outcome = Outcome("settled", sentence)
        return Advance(after, done, changes, outcome)

    def seconds_per_epoch(self, width: int, points: int) -> float:
        return 6e-5 + 5e-7 * width + 5.5e-8 * points


METHOD = ActiveNeuronLeastSquares
