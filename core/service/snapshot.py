"""What is known of a run at one moment."""

from dataclasses import dataclass

from core.service.store import Order, RunState, RunStatus


@dataclass(frozen=True)
class Snapshot:
    """Order, state and status of a run at one moment."""

    order: Order
    state: RunState
    status: RunStatus
    taken: float
    asleep: bool
    """Nobody will compute it unless somebody looks."""


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
