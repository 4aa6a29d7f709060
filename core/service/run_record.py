"""A run as it is kept: the request, the state, and both in one record with a version number.

Two shapes: what was asked, and what has become of it. Every change of a record is a transition of
core.service.lifecycle. What viewers are told (`RunInfo`) is both at one moment, and what is known only while
a worker has the run.
"""

from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from pydantic import Field

from .remaining import Ends

RunStatus = Literal["queued", "running", "paused", "finished", "stopped", "failed"]
Command = Literal["", "stop", "pause"]
ENDED: tuple[RunStatus, ...] = ("finished", "stopped", "failed")


@dataclass(frozen=True)
class Request:
    """What is asked of a run."""

    query: str
    """Canonical query, with the budget."""
    epochs: float
    """The largest budget asked for so far."""
    starter: str
    """Public handle of the browser that asked first; only it may stop the run."""
    quota: str
    """Whose quota the run counts against."""
    placed: float
    """When it was first asked for, in seconds since 1970."""


@dataclass(frozen=True)
class RunState:
    """What has become of a run so far. A worker that is done with a run says so in this form as well; one
    that gives it back leaves the status "running", and the record's command says what becomes of it."""

    status: RunStatus = "queued"
    attempt: int = 1
    """How often the run has become queued."""
    command: Command = ""
    """What the worker that has this attempt shall do instead of going on."""
    parked: bool = False
    """A paused run that waits for space on the disk, and not for somebody who looks."""
    reason: str = ""
    outcome: str = ""
    """Kind of the outcome of a finished run: budget, trained, settled, diverged."""
    epochs: float = 0.0
    """The budget that a finished run has worked off."""
    epoch: float = 0.0
    loss: float | None = None
    frames: int = 0
    """Whole frames when this was written; fewer in the store means damage."""
    seconds: float = 0.0
    """Computing time so far."""
    deaths: int = 0
    """Workers that died over this run since it was last asked for."""
    replay_mismatch: bool = False
    """The stored frames contradict a recomputation: start from nothing next time."""
    updated: float = 0.0
    """When it was last written, in seconds since 1970; the store sets it."""

    def but(self, **changes: Any) -> "RunState":
        """A copy with some fields changed."""
        return replace(self, **changes)


@dataclass(frozen=True)
class Record:
    """All that is decided about a run."""

    request: Request
    state: RunState = RunState()
    version: int = 0
    """How often it has been written; the store counts."""

    @property
    def status(self) -> RunStatus:
        """The status of its state."""
        return self.state.status

    @property
    def wakes(self) -> bool:
        """Whether it goes on as soon as somebody looks."""
        return self.status == "paused" and not self.state.parked

    def but(self, **changes: Any) -> "Record":
        """A copy with some fields of its state changed."""
        return replace(self, state=self.state.but(**changes))


@dataclass(frozen=True)
class RunInfo:
    """All there is to say of a run at one moment except its frames; the API answers with these fields."""

    id: str
    query: Annotated[str, Field(description="Canonical, with the largest budget asked for.")]
    status: RunStatus
    reason: Annotated[str, Field(description="Why it has this status, where that needs saying.")]
    outcome: Annotated[str, Field(description="How it ended: budget, trained, settled or diverged.")]
    epoch: Annotated[float, Field(description="How far it is.")]
    loss: float | None
    frames: int
    epochs: Annotated[float, Field(description="Its budget.")]
    rate: Annotated[float, Field(description="Epochs per second, lately; 0 when it is not running.")]
    seconds: Annotated[float, Field(description="Computing time so far.")]
    position: Annotated[int | None, Field(description="Runs that go first, for a queued one.")]
    watching: int
    starter: Annotated[str, Field(description="Public handle of the browser that may stop it.")]
    placed: Annotated[float, Field(description="When it was first asked for, in seconds since 1970.")]
    remaining: Ends | None = None
    """Seconds that are left, at least and at most; None when it is not running, or nothing of it was seen."""
    active: Annotated[bool, Field(description="Whether it is being computed, or waits to be.")] = False
    may_continue: Annotated[bool, Field(description="Whether a larger budget takes it further.")] = False

    def changing(self) -> dict[str, Any]:
        """What changes without a new frame, and whose run it is."""
        names = (
            "status",
            "active",
            "may_continue",
            "reason",
            "outcome",
            "epoch",
            "epochs",
            "rate",
            "remaining",
        )
        return {name: getattr(self, name) for name in (*names, "position", "watching", "starter")}
