"""A method: every bias and every coefficient goes the same small way against its gradient."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..methods import parameters
from ..methods.contract import Advance, Method, State, common_state
from ..methods.stepping.state import EXPLODED, judged_end, starting_keys
from ..model.pattern import gaps
from ..model.pattern.changes import Change
from ..model.pattern.pins import pulls
from ..portable.sums import dot
from ..problem.data import TrainingData
from ..types import FloatArray


@dataclass(frozen=True, kw_only=True)
class SignDescent(Method):
    """Steps of one length, whatever the slope."""

    name: ClassVar[str] = "sign"
    title: ClassVar[str] = "Sign"
    summary: ClassVar[str] = "Every parameter goes the same small way against its gradient."
    default_epochs: ClassVar[float] = 1e3
    rival: ClassVar[bool] = True

    learning_rate: float = parameters.learning_rate("Sign descent: the length of every step.")

    def init(self, data: TrainingData, b: FloatArray, c: FloatArray) -> State:
        return common_state(b, c, gaps(data.x, b)) | starting_keys(data, b, c)

    def advance(self, data: TrainingData, state: State, until: float, *, stop_at_change: bool) -> Advance:
        begin, gap = float(state["epoch"]), state["gap"]
        b, c = state["b"].copy(), state["c"].copy()
        changes: tuple[Change, ...] = ()
        done = stages = 0
        still = False
        wanted = self.epochs_in_chunk(len(b), data.m, until - begin)
        while done < wanted and not still and not (stages and stop_at_change):
            slope, lift = -c * pulls(data, b, c)[gap], self._lift(data, b, c)
            still = not (slope.any() or lift.any())
            b -= self.learning_rate * np.sign(slope)
            c -= self.learning_rate * np.sign(lift)
            done += 1
            before, gap = gap, gaps(data.x, b)
            moved = np.flatnonzero(gap != before)
            if moved.size:
                stages += 1
                first = np.minimum(gap, before)
                changes = tuple(Change(begin + done, int(j), "crossed", int(first[j])) for j in moved)
        after = state | {
            "epoch": np.array(begin + done),
            "b": b,
            "c": c,
            "gap": gap,
            "gradients": state["gradients"] + done,
        }
        outcome = judged = None
        if not (np.isfinite(b).all() and np.isfinite(c).all()):
            outcome = EXPLODED
        elif still:
            outcome = judged_end(self, data, after, at_rest=True)
        elif begin + done >= until:
            judged = judged_end(self, data, after, at_rest=False)
        return Advance(after, stages, changes, outcome, judged)

    def _lift(self, data: TrainingData, b: FloatArray, c: FloatArray) -> FloatArray:
        """The gradient along the coefficients, but for a factor."""
        pull = pulls(data, b, c)
        residual = pull[:-1] - pull[1:]
        return np.array([dot(np.maximum(data.x - bias, 0.0), residual) for bias in b])

    def seconds_per_epoch(self, width: int, points: int) -> float:
        return 2e-5 + 2e-6 * width + 1e-8 * points


METHOD = SignDescent
