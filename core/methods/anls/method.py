"""Active neuron least squares (paper, section 4.3), an iteration in microseconds.

Step 1 weighs every candidate: core.methods.anls.rules places them, core.methods.anls.gains finds their gains.
Step 2 (core.methods.anls.iteration) takes the best one if it improves the loss, and ends the run if not. The
coefficients are those of least norm at every iteration. An iteration counts as one least-squares solve,
because one chain gives the losses of all candidates.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...least_squares.chain import ascending
from ...model.pattern.changes import Change
from ...problem.data import TrainingData
from .. import parameters
from ..contract import Advance, End, Outlook, State
from ..placing import Placing
from .iteration import anls
from .table import candidate_table


@dataclass(frozen=True, kw_only=True)
class ActiveNeuronLeastSquares(Placing):
    """One neuron crosses one datum per iteration: always the one that lowers the loss most."""

    name: ClassVar[str] = "anls"
    title: ClassVar[str] = "ANLS"
    summary: ClassVar[str] = (
        "Active neuron least squares: in each iteration the best single crossing of a data point, "
        "with optimal coefficients before and after."
    )
    default_epochs: ClassVar[float] = 1000.0

    offset: float = parameters.distance_left()

    def advance(self, data: TrainingData, state: State, until: float, *, stop_at_change: bool) -> Advance:
        b = np.array(state["b"])
        wanted = self.wanted(data, state, until, stop_at_change)
        course = anls(data.points, b, ascending(b), self.offset, wanted)
        after = self.placed(data, state, b, course.done)
        changes: tuple[Change, ...] = ()
        if course.done:
            epoch = float(after["epoch"])
            changes = (Change(epoch, int(course.neuron[-1]), "moved", int(course.datum[-1])),)
        end = End("settled", "no_better_candidate") if course.settled else None
        return Advance(after, course.done, changes, end)

    def outlook(self, data: TrainingData, state: State) -> Outlook | None:
        table = candidate_table(data, state["b"], self.offset)
        if table.chosen is None:
            return None
        better = int(np.count_nonzero(table.candidate_loss < table.loss))
        return Outlook(better, len(table), float(table.candidate_loss[table.chosen]))

    def seconds_per_epoch(self, width: int, points: int) -> float:
        return 6e-5 + 5e-7 * width + 5.5e-8 * points


METHOD = ActiveNeuronLeastSquares
