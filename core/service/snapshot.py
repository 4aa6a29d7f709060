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
