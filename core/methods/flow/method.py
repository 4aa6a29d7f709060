"""Gradient flow: the limit of gradient descent as its step goes to 0, followed from event to event.

    db_j/dt = s c_j G_j,      dc_j/dt = -s (H_j - b_j G_j),

with G_j and H_j the sums of w_k r_k and w_k r_k x_k over the data that neuron j sees (paper, section 3).
s is `data.s`: 2/W with W = sum w_k for the mean loss, 1 for half the sum of w_k r_k^2. Where gradient
descent hops over a datum for millions of epochs the flow slides on it: the neuron is pinned
(methods.flow.events). Time is counted in epochs, t = epochs * learning_rate, so that the flow lies on the
axis of gradient descent.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from ...model.loss import mean_loss
from ...model.pattern.changes import Change
from ...portable.logarithm import portable_log10
from ...problem.data import TrainingData
from ...types import FloatArray
from .. import contract, parameters
from ..contract import Advance, End, ForecastBy, Method, State, common_state
from .events import Point, first_pattern
from .rest import exact_fit
from .segment import Segment, seconds_per_segment, seconds_per_step, segment_from
from .tolerance import sizes_of

LONGEST_STALL = 1000
"""So many segments in a row may pass within one and the same epoch: coinciding events, a few for each
neuron."""
MOST_GRADIENTS = 10_000_000
"""A run of a hundred neurons to the largest budget takes a tenth of it."""


@dataclass(frozen=True, kw_only=True)
class GradientFlow(Method):
    """b and c follow the gradient in continuous time, with pinned neurons as sliding modes.

    Besides the common keys the state holds the start of the present segment (`anchor_epoch`, `anchor_b`,
    `anchor_c`, `anchor_gradients`, `anchor_length`; its pattern is the state's). All later states up to the
    next event are values of the integration that starts there, so a checkpoint needs nothing of its memory.
    """

    name: ClassVar[str] = "flow"
    title: ClassVar[str] = "Gradient flow"
    summary: ClassVar[str] = (
        "The continuous limit of gradient descent, integrated from one stage change to the next."
    )
    default_epochs: ClassVar[float] = 1e8
    decays: ClassVar[bool] = True
    largest_epochs: ClassVar[Literal["epochs", "flow_epochs"]] = "flow_epochs"
    forecast_by: ClassVar[ForecastBy] = "flow"

    learning_rate: float = parameters.learning_rate(
        "Flow time of one epoch: the step of the gradient descent that the flow is the limit of."
    )

    def init(self, data: TrainingData, b: FloatArray, c: FloatArray) -> State:
        gap, pin = first_pattern(data, b, c)
        state = common_state(b, c, gap)
        return state | {
            "pin": pin,
            "anchor_epoch": state["epoch"],
            "anchor_b": state["b"],
            "anchor_c": state["c"],
            "anchor_gradients": state["gradients"],
            "anchor_length": np.array(0.0),
        }

    def advance(self, data: TrainingData, state: State, until: float, *, stop_at_change: bool) -> Advance:
        start = Point.of(
            state["anchor_b"],
            state["anchor_c"],
            state["gap"],
            state["pin"],
            float(state["anchor_length"]),
        )
        epoch, gradients = float(state["anchor_epoch"]), int(state["anchor_gradients"])
        known = float(state["epoch"])
        work, stages, stalled = 0.0, 0, 0
        changes: tuple[Change, ...] = ()
        while True:
            segment = segment_from(data, start)
            work += seconds_per_segment(data.m)
            # Growing past what is known comes first, whatever it costs: an event at the very epoch of the
            # last one belongs to the same stage change, and a resumed run must get back to where it was.
            while segment.end is None:
                reached = self._reached(segment, epoch)
                if reached > known and (reached >= until or work >= contract.CHUNK_SECONDS):
                    break
                before = segment.spent
                segment.grow()
                work += seconds_per_step(segment.live, segment.spent - before)
            reached = self._reached(segment, epoch)
            if not segment.times or stalled > LONGEST_STALL or gradients > MOST_GRADIENTS:
                after = self._state(segment, epoch, gradients, epoch)
                return Advance(after, stages, changes, ending(data, segment, stalled))
            if stages and stop_at_change and reached > epoch:
                return Advance(self._state(segment, epoch, gradients, epoch), stages, changes)
            if segment.end is None or reached > until:
                after = self._state(segment, epoch, gradients, min(until, reached))
                return Advance(after, stages, changes)
            stalled = stalled + 1 if reached == epoch else 0
            start, epoch, gradients = segment.end, reached, gradients + segment.spent
            known = max(known, epoch)
            if segment.events:
                same = bool(changes) and changes[-1].epoch == epoch
                stages += not same
                changes = (changes if same else ()) + tuple(Change(epoch, *event) for event in segment.events)

    def epochs_ahead(self, epoch: float, time: float) -> float:  # noqa: ARG002
        return time / self.learning_rate

    def _reached(self, segment: Segment, epoch: float) -> float:
        return epoch + (segment.times[-1] / self.learning_rate if segment.times else 0.0)

    def _state(self, segment: Segment, anchor_epoch: float, anchor_gradients: int, epoch: float) -> State:
        """The state at an epoch of a segment that starts at `anchor_epoch`."""
        anchor_b, anchor_c, gap, pin = segment.start.arrays()
        b, c, gradients = anchor_b, anchor_c, 0
        if epoch > anchor_epoch:
            time = (epoch - anchor_epoch) * self.learning_rate
            b, c, gradients = segment.at(min(time, segment.times[-1]))
        return {
            "epoch": np.array(epoch),
            "b": b,
            "c": c,
            "gap": gap,
            "pin": pin,
            "gradients": np.array(anchor_gradients + gradients, dtype=np.int64),
            "solves": np.array(0, dtype=np.int64),
            "anchor_epoch": np.array(anchor_epoch),
            "anchor_b": anchor_b,
            "anchor_c": anchor_c,
            "anchor_gradients": np.array(anchor_gradients, dtype=np.int64),
            "anchor_length": np.array(segment.start.length),
        }

    def exact_loss(self, data: TrainingData) -> float:
        return exact_fit(sizes_of(data))

    def seconds(self, width: int, points: int, epochs: float) -> float:
        """Measured: some hundred steps a neuron on the way to t = 1e5, evenly spread over the decades."""
        decades = portable_log10(1.0 + epochs * self.learning_rate) / 5.0
        steps = STEPS_PER_NEURON * width * decades
        return float(
            steps * (seconds_per_step(width, GRADIENTS_PER_STEP) + 0.1 * seconds_per_segment(points))
        )

    def seconds_per_epoch(self, width: int, points: int) -> float:
        return self.seconds(width, points, self.default_epochs) / self.default_epochs


STEPS_PER_NEURON, GRADIENTS_PER_STEP = 120.0, 50
"""Medians over the gallery."""


def ending(data: TrainingData, segment: Segment, stalled: int) -> End:
    """Why the flow ends where the segment starts."""
    if segment.stuck or stalled > LONGEST_STALL:
        return End("settled", "too_fast")
    if segment.times:
        return End("settled", "too_many_gradients")
    b, c, _, _ = segment.start.arrays()
    if mean_loss(data, b, c) <= exact_fit(sizes_of(data)):
        return End("trained", "fits_exactly")
    return End("trained", "stationary")


METHOD = GradientFlow
