"""Answers about one run as models: its frames, its data, and the tables that are made of them."""

from typing import Any

from pydantic import Field

from .models import Answer, Id, Pair, Status


class Frames(Answer):
    """Columns with one entry per frame. Whoever asks on asks `after` the last index."""

    id: str = Id
    status: Status
    head: int = Field(description="How many frames the run has.")
    recorded: int = Field(description="How many of them never change.")
    next: int = Field(-1, description="`after` of the next question.")
    index: list[int] = Field([])
    epoch: list[float | None] = Field([])
    loss: list[float | None] = Field([])
    stage: list[int] = Field([])
    floor: list[float | None] = Field([])
    b: list[list[float | None]] = Field([], description="Biases, one row per frame.")
    c: list[list[float | None]] = Field([], description="Coefficients, one row per frame.")
    changes: list[list[list[Any]]] = Field([], description="[epoch, neuron, kind, datum] of each change.")


class FramesOfOne(Answer):
    """Frames of one of several runs, or why there are none."""

    id: str
    run: dict[str, Any] | None = None
    frames: Frames | None = None
    error: str = ""
    status_code: int = 0


class FramesOfSeveral(Answer):
    """In the order in which they were asked for."""

    runs: list[FramesOfOne]


class Data(Answer):
    """What is learned."""

    x: list[float]
    y: list[float]
    domain: Pair
    truth: dict[str, list[float | None]] | None = Field(description="The function behind the data, if any.")
    notes: list[str]


class OneStage(Answer):
    """One stage; the names are those of `FitResult.stages()`."""

    number: int
    first_frame: int
    last_frame: int
    start: float = Field(description="Epoch.")
    end: float
    is_open: bool = Field(description="It is the last one, and may go on.")
    floor: float
    loss_at_start: float
    loss_at_end: float
    rate: float | None
    changes: list[list[Any]] = Field(description="What began it: [epoch, neuron, kind, datum].")
    story: dict[str, str]
    stage: int = Field(description="The same as `number`.", deprecated=True)
    first: int = Field(description="The same as `first_frame`.", deprecated=True)
    last: int = Field(description="The same as `last_frame`.", deprecated=True)
    open: bool = Field(description="The same as `is_open`.", deprecated=True)
    loss_start: float = Field(description="The same as `loss_at_start`.", deprecated=True)
    loss_end: float = Field(description="The same as `loss_at_end`.", deprecated=True)


class OnePlateau(Answer):
    """One plateau; the names are those of `FitResult.plateaus()`."""

    number: int = Field(description="Counted from 1.")
    first: int
    last: int
    begin: float
    end: float
    loss_begin: float
    loss_end: float
    open: bool
    why: str
    sentence: str = Field(description="What happens.")
    ends: str = Field(description="What ends it.")
    detail: str = Field(description="The numbers behind.")
    neuron: int | None = Field(description="The one that the sentences name, from 0.")
    datum: int | None
    judged: int = Field(description="The frame at which these texts are true.")
    phases: list[dict[str, Any]] = Field(description="The same texts, from a `first` to a `last` frame.")


class Plateaus(Answer):
    """Where the loss stands still."""

    id: str = Id
    plateaus: list[OnePlateau]


class Stages(Plateaus):
    """The stages, and the plateaus."""

    stages: list[OneStage]


class Best(Answer):
    """The best known loss."""

    id: str = Id
    loss: float | None
    how: str
    proven: bool


class RateColumns(Answer):
    """The excess of a stage over its floor, between the envelopes of the theorem; columns."""

    id: str = Id
    stage: int
    epoch: list[float]


class CandidateColumns(Answer):
    """The moves that ANLS weighs at a frame, in columns."""

    id: str = Id
    frame: int
    loss: float
    chosen: int | None
    reason: str


class OneForecast(Answer):
    """What ends the stage of a frame; the names are those of `FitResult.forecast()`."""

    id: str = Id
    frame: int
    frame_epoch: float = Field(description="The epoch of that frame.")
    kind: str
    epoch: float | None = Field(description="When the stage ends.")
    neuron: int | None
    datum: int | None
    certified: bool
    sentence: str
    events: list[dict[str, Any]]
    future: dict[str, Any]


class Forecasts(Answer):
    """The track record."""

    id: str = Id
    rows: list[dict[str, Any]]
    left: int
