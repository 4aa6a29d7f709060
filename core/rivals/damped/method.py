"""What the Gauss-Newton methods have in common besides their loop (core.rivals.damped.trials)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...least_squares.chain import ascending
from ...least_squares.solve import coefficients
from ...methods.contract import Advance, End, Method, State, common_state, parameter
from ...methods.stepping.epochs import Counts, open_changes
from ...methods.stepping.state import counted_advance, later_state
from ...model.pattern import gaps
from ...problem.data import TrainingData
from ...types import FloatArray
from .steps import Place, trace_at
from .trials import Kind, newton_trials


@dataclass(frozen=True, kw_only=True)
class Damped(Method):
    """Steps to the minimum of the linearised problem, damped so that the loss falls.

    In the state `order` sorts the biases; `leaving` marks those on a datum that leave it to the left;
    `damping` and `growth` are those of the next trial.
    """

    default_epochs: ClassVar[float] = 1000.0
    frame_every_epoch: ClassVar[bool] = True
    rival: ClassVar[bool] = True
    counts: ClassVar[str] = "iteration"
    kind: ClassVar[Kind]

    damping: float = parameter(
        1e-3, low=1e-12, high=1e3, label="First damping", symbol="λ₀",
        help="Gauss–Newton: how strongly the first step is held back, in parts of the trace of its matrix; "
        "later the damping follows the loss.", log=True,
    )  # fmt: skip

    def init(self, data: TrainingData, b: FloatArray, c: FloatArray) -> State:
        start = np.array(b, dtype=np.float64)
        c = coefficients(data, start) if self.kind.projected else np.array(c, dtype=np.float64)
        state = common_state(start, c, gaps(data.x, start)) | {
            "order": ascending(start),
            "leaving": np.zeros(len(start), dtype=np.int64),
        }
        trace = trace_at(data.points, data.s, self._place(state), self.kind.biases_alone)
        return state | {
            "solves": np.array(int(self.kind.projected), dtype=np.int64),
            "damping": np.array(self.damping * (trace if trace > 0.0 else 1.0)),
            "growth": np.array(2.0),
        }

    @staticmethod
    def _place(state: State) -> Place:
        return Place(*(np.array(state[key]) for key in Place._fields))

    def advance(self, data: TrainingData, state: State, until: float, *, stop_at_change: bool) -> Advance:
        begin = float(state["epoch"])
        place = self._place(state)
        damping, growth = float(state["damping"]), float(state["growth"])
        trials = self.epochs_in_chunk(len(place.b), data.m, until - begin)
        changes = open_changes(len(place.b))
        went, rest, damping, growth = newton_trials(
            data.points, data.s, place, self.kind, damping, growth, trials, stop_at_change, changes
        )
        counts = Counts(*went)
        moved = place._asdict() | {
            "gap": gaps(data.x, place.b),
            "solves": state["solves"] + counts.done,
            "damping": np.array(damping),
            "growth": np.array(growth),
        }
        end = End("trained", "no_better_step") if rest else None
        return counted_advance(later_state(state, moved, counts), counts, changes, met=end)

    def seconds_per_epoch(self, width: int, points: int) -> float:
        return 3e-6 + 2.5e-7 * width + 3e-8 * points
