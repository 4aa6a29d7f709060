"""What is told of a run at one moment."""

from dataclasses import dataclass

from .remaining import Ends
from .run_record import RunStatus


@dataclass(frozen=True)
class RunInfo:
    """All there is to say of a run except its frames."""

    id: str
    query: str
    """Canonical, with the largest budget asked for."""
    status: RunStatus
    reason: str
    outcome: str
    epoch: float
    loss: float | None
    frames: int
    epochs: float
    """The budget."""
    rate: float
    """Epochs a second, lately; 0 when it is not running."""
    seconds: float
    """Computing time so far."""
    position: int | None
    """Runs that go first, for a queued one."""
    watching: int
    starter: str
    """Handle of the browser that may stop it."""
    placed: float
    remaining: Ends | None = None
    """Seconds that are left, at least and at most; None when it is not running, or nothing of it was seen."""
