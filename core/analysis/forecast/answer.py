"""What a forecast holds, and the words that it is told in."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ...frames.frame import Frame
from ...model.pattern.changes import Change
from ...narrative.numbers import number
from ...types import FloatArray

ForecastKind = Literal["crossed", "pinned", "released", "trained", "unknown"]

EVENTS = 5
"""How many coming changes of the pattern are looked for."""
LATEST = 1e12
"""Later events are not told. No limit of a server: a frame has the same forecast on each of them."""
IN_FULL = 1e12
"""Epochs up to this are told with all of their digits."""


CERTAIN = "This stage must end: the lines that it would settle on do not fit its pattern."
"""Theorem convergence as a certificate (core.theory.convergence)."""


@dataclass(frozen=True, eq=False)
class Future:
    """The trajectories on the way to the coming events, the present first."""

    epoch: FloatArray
    """(samples,) ascending"""
    loss: FloatArray
    b: FloatArray
    """(samples, n)"""
    c: FloatArray


@dataclass(frozen=True, eq=False)
class Forecast:
    """What ends the present stage, and when.

    crossed    neuron passes datum, or is moved over it by a method that places neurons
    pinned     neuron comes to datum and stays there
    released   neuron leaves the datum that it was pinned to
    trained    nothing: the run comes to rest in this stage
    unknown    the sentence says why
    """

    kind: ForecastKind
    epoch: float | None
    neuron: int | None
    datum: int | None
    sentence: str
    """One or two short sentences; neurons are counted from 1."""
    certificate: str
    """The certificate in words; empty where there is none."""
    events: tuple[Change, ...]
    """What the next few changes of the pattern are, several of one epoch among them."""
    future: Future
    reached: float
    """Epoch up to which the future was followed."""
    rests: bool
    """Whether the run comes to rest there."""

    @property
    def certified(self) -> bool:
        """Whether the stage must end by Theorem convergence (core.theory.convergence), whoever ends it."""
        return self.certificate != ""


def open_ended(
    frame: Frame, sentence: str, *, kind: Literal["trained", "unknown"] = "unknown", certificate: str = ""
) -> Forecast:
    """A forecast without any event, whose future holds the present alone."""
    present = Future(np.array([frame.epoch]), np.array([frame.loss]), frame.b[None], frame.c[None])
    rests = kind == "trained"
    return Forecast(kind, None, None, None, sentence, certificate, (), present, frame.epoch, rests)


def next_change(
    coming: tuple[Change, ...], sentence: str, certificate: str, future: Future, rests: bool
) -> Forecast:
    """A forecast of the first of some changes."""
    first = coming[0]
    kind: ForecastKind = first.kind if first.kind in ("pinned", "released") else "crossed"
    datum = first.datum if first.datum >= 0 else None
    reached = float(future.epoch[-1])
    return Forecast(
        kind, first.epoch, first.neuron, datum, sentence, certificate, coming, future, reached, rests
    )


def told_epoch(epoch: float) -> str:
    """An epoch in words, up to the next whole one: the one at whose end the event has happened."""
    return f"{np.ceil(epoch):,.0f}" if epoch < IN_FULL else number(epoch)
