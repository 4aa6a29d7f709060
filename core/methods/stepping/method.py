"""What GD, Adam and the methods with momentum have in common besides their loop (`epochs.run_epochs`)."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from ...model.pattern import gaps
from ...problem.data import TrainingData
from ...types import FloatArray, IntArray
from ..contract import Advance, Method, State, common_state
from .epochs import Counts, Descended, open_changes
from .slots import Network, sums_of
from .state import EXPLODED, counted_advance, judged_end, kept, later_state, shown, starting_keys


@dataclass(frozen=True, kw_only=True)
class Stepping(Method):
    """Descends epoch by epoch with kernels made by `run_epochs`.

    It has ended when an epoch changes no bit of (b, c) and of what the method remembers: the iteration is a
    function of these and the order of summation, so nothing can change after.
    """

    default_epochs: ClassVar[float] = 1e6
    remembers: ClassVar[tuple[str, int]] = ("", 0)
    """What it remembers of each neuron: a key of the state, and the number of rows of that array."""

    kernel: ClassVar[Callable[..., Descended]]
    """Its loop, made by `run_epochs`: a static method of sums, network, memory, rule, before, epochs,
    stop_at_change, changes."""

    @abstractmethod
    def rule(self) -> NamedTuple:
        """The hyper-parameters of the steps, for the kernel."""

    def init(self, data: TrainingData, b: FloatArray, c: FloatArray) -> State:
        key, rows = self.remembers
        memory = {key: np.zeros((rows, len(b)))} if rows else {}
        return common_state(b, c, gaps(data.x, b)) | starting_keys(data, b, c) | memory

    def advance(self, data: TrainingData, state: State, until: float, *, stop_at_change: bool) -> Advance:
        begin, (key, rows) = float(state["epoch"]), self.remembers
        network = Network(*kept(state, Network._fields))
        width = len(network.b)
        memory = state[key].copy() if rows else np.empty((0, width))
        epochs, changes = self.epochs_in_chunk(width, data.m, until - begin), open_changes(width)
        sums, rule = sums_of(data), self.rule()
        went, finite, still = self.kernel(
            sums, network, memory, rule, int(begin), epochs, stop_at_change, changes
        )
        counts, moved = Counts(*went), network._asdict() | ({key: memory} if rows else {})
        after = later_state(state, moved | shown(data, state, moved), counts)
        return loop_advance(
            self,
            data,
            after,
            counts,
            finite,
            until,
            changes,
            lambda: self.is_at_rest(data, after, still=still),
        )

    def is_at_rest(self, data: TrainingData, state: State, *, still: bool) -> bool:  # noqa: ARG002
        """Whether nothing can change after the last epoch, which may have changed nothing itself."""
        return still


def loop_advance(
    method: Method,
    data: TrainingData,
    after: State,
    counts: Counts,
    finite: bool,
    until: float,
    changes: IntArray,
    at_rest: Callable[[], bool],
) -> Advance:
    """What a loop did, as `Method.advance` returns it; an end is looked for at `until` alone."""
    met = judged = None
    if not finite:
        met = EXPLODED
    elif after["epoch"] >= until:
        judged = judged_end(method, data, after, at_rest=at_rest())
    return counted_advance(after, counts, changes, met, judged)
