"""What a forecast holds."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from ...frames.frame import Frame
from ...limits import Limits
from ...methods.contract import End, Outlook, State
from ...model.pattern.changes import Change
from ...types import FloatArray

ForecastKind = Literal["crossed", "pinned", "released", "trained", "unknown"]
ForecastReason = Literal[
    "event", "move", "rests", "ended", "hopping", "off_course", "pin_held", "too_fast", "too_late",
    "no_event", "no_move", "no_theory",
]  # fmt: skip
"""Why a forecast says what it says.

event       the flow, or descent run ahead, has a next event
move        the method's own next steps were tried out, and one moves a neuron
rests       the flow comes to rest without another event
ended       the method's own next step ends the run
hopping     steps that are too large throw a neuron over data
off_course  the step is beyond the largest stable one, so that descent does not follow the flow
pin_held    the flow lets go of a neuron that descent still holds
too_fast    the flow cannot be followed beyond `reached`
too_late    nothing happens before LATEST
no_event    no event up to `reached`, as far as the flow was followed
no_move     the next `steps` iterations move no neuron to another gap
no_theory   neither the flow nor trials tell what the method does
"""

EVENTS = 5
"""How many coming changes of the pattern are looked for."""
LATEST = Limits.flow_epochs
"""Later events are not told: the longest budget as shipped, whatever a server allows, so that a frame has the
same forecast on each of them."""


@dataclass(frozen=True, eq=False)
class Future:
    """The trajectories on the way to the coming events, the present first."""

    epoch: FloatArray
    """(samples,) ascending"""
    loss: FloatArray
    b: FloatArray
    """(samples, n)"""
    c: FloatArray

    def __repr__(self) -> str:
        samples, neurons = self.b.shape
        epochs = f"epochs {self.epoch[0]:g} to {self.epoch[-1]:g}"
        return f"<Future: {samples} samples of {neurons} neurons, {epochs}>"


@dataclass(frozen=True, eq=False, kw_only=True)
class Forecast:
    """What ends the present stage, and when.

    crossed    neuron passes datum, or is moved over it by a method that places neurons
    pinned     neuron comes to datum and stays there
    released   neuron leaves the datum that it was pinned to
    trained    nothing: the run comes to rest in this stage
    unknown    the reason says why
    """

    kind: ForecastKind
    """crossed, pinned, released, trained or unknown"""
    epoch: float | None = None
    """When; None where there is no event."""
    neuron: int | None = None
    """Who, counted from 0."""
    datum: int | None = None
    """Where: the data point in ascending order of x, counted from 0."""
    certified: bool = False
    """Whether the stage must end by Theorem 3.3 (thm:convergence), whoever ends it."""
    reason: ForecastReason
    """Why the forecast says what it says."""
    numbers: Mapping[str, float] = field(default_factory=dict)
    """What the reason speaks of: `step` and `stable`, or `steps`."""
    outlook: Outlook | None = None
    ended: tuple[End, State] | None = None
    """How the run ends, and in which state."""
    events: tuple[Change, ...] = ()
    """What the next few changes of the pattern are, several of one epoch among them."""
    future: Future
    """`epoch`, `loss`, `b` and `c` on the way to the events."""
    reached: float
    """Epoch up to which the future was followed."""
    rests: bool = False
    """Whether the run comes to rest there."""


def present_alone(frame: Frame) -> Future:
    """A future that holds the present alone."""
    return Future(np.array([frame.epoch]), np.array([frame.loss]), frame.b[None], frame.c[None])


def without_event(
    frame: Frame,
    reason: ForecastReason,
    *,
    certified: bool = False,
    future: Future | None = None,
    numbers: Mapping[str, float] | None = None,
    ended: tuple[End, State] | None = None,
) -> Forecast:
    """A forecast of no event."""
    ahead = future or present_alone(frame)
    trained = reason in ("rests", "ended")
    return Forecast(
        kind="trained" if trained else "unknown",
        certified=certified and not trained,
        reason=reason,
        numbers=numbers or {},
        ended=ended,
        future=ahead,
        reached=float(ahead.epoch[-1]),
        rests=trained,
    )


def next_change(
    coming: tuple[Change, ...],
    reason: ForecastReason,
    future: Future,
    *,
    certified: bool = False,
    rests: bool = False,
    outlook: Outlook | None = None,
) -> Forecast:
    """A forecast of the first of some changes."""
    first = coming[0]
    return Forecast(
        kind=first.kind if first.kind in ("pinned", "released") else "crossed",
        epoch=first.epoch,
        neuron=first.neuron,
        datum=first.datum if first.datum >= 0 else None,
        certified=certified,
        reason=reason,
        outlook=outlook,
        events=coming,
        future=future,
        reached=float(future.epoch[-1]),
        rests=rests,
    )
