"""L-BFGS (Nocedal 1980; Liu & Nocedal 1989) on biases and coefficients (core.rivals.lbfgs.searches)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...methods.contract import Advance, End, Method, State, common_state, parameter
from ...methods.stepping.epochs import Counts, open_changes
from ...methods.stepping.state import counted_advance, later_state
from ...model.pattern import gaps
from ...problem.data import TrainingData
from ...types import FloatArray
from .searches import lbfgs_searches


@dataclass(frozen=True, kw_only=True)
class LimitedMemoryBfgs(Method):
    """Steps along a direction that the last few gradients suggest, by a line search that expects kinks.

    In the state `pairs` (2, memory, 2n) are the last steps and changes of the gradient, and `held` tells how
    many there were. No bias is ever pinned: the search stops in kinks or leaps
    over them, and what is told are crossings.
    """

    name: ClassVar[str] = "lbfgs"
    title: ClassVar[str] = "L-BFGS"
    summary: ClassVar[str] = "L-BFGS on biases and coefficients: its last steps tell it the curvature."
    default_epochs: ClassVar[float] = 3000.0
    frame_every_epoch: ClassVar[bool] = True
    rival: ClassVar[bool] = True
    counts: ClassVar[str] = "iteration"

    memory: int = parameter(
        10, low=1, high=50, label="Memory", symbol="k",
        help="L-BFGS: how many of the last steps the direction is made from.",
    )  # fmt: skip

    def init(self, data: TrainingData, b: FloatArray, c: FloatArray) -> State:
        start = common_state(b, c, gaps(data.x, b))
        return start | {
            "pairs": np.zeros((2, self.memory, 2 * len(b))),
            "held": np.array(0, dtype=np.int64),
        }

    def advance(self, data: TrainingData, state: State, until: float, *, stop_at_change: bool) -> Advance:
        b, c, pairs = (np.array(state[key]) for key in ("b", "c", "pairs"))
        wanted = self.epochs_in_chunk(len(b), data.m, until - float(state["epoch"]))
        held = int(state["held"])
        changes = open_changes(len(b))
        went, rest, evaluations, held = lbfgs_searches(
            data.points, data.s, b, c, pairs, held, wanted, stop_at_change, changes
        )
        counts = Counts(*went)
        moved = {"b": b, "c": c, "gap": gaps(data.x, b), "pairs": pairs, "held": np.array(held, np.int64)}
        end = End("trained", "no_better_point") if rest else None
        return counted_advance(later_state(state, moved, counts, evaluations), counts, changes, met=end)

    def seconds_per_epoch(self, width: int, points: int) -> float:
        return 2e-7 + 8e-8 * self.memory + (1.8e-8 + 1.2e-9 * self.memory) * width + 4.5e-9 * points


METHOD = LimitedMemoryBfgs
