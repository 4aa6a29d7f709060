"""What the web side asks of whatever hands runs to workers."""

from collections.abc import Callable
from typing import Protocol

from ..run_record import Record
from ..store import Store
from .compute import Progress

Act = Callable[[str, Record | None], None]
"""Do what the record of a run says."""


def act_on_newest(store: Store, run_id: str, record: Record | None, act: Act) -> Record | None:
    """Act on a record, or on the stored one; the record that was acted on last."""
    act(run_id, record := record or store.record(run_id))
    # What was read may be old by the time it is acted on; then there is something newer to act on.
    while (newer := store.record(run_id)) != record:
        act(run_id, record := newer)
    return record


class RunScheduler(Protocol):
    """A fair queue and the workers behind it."""

    def start(self) -> None:
        """Begin to hand out runs, those left over from an earlier life first."""
        return

    def close(self) -> None:
        """Let another server hand them out."""
        return

    def enqueue(self, run_id: str, quota: str) -> None:
        """Give a run a place in the queue; QueueFullError when there is none. It may have one already, and it
        may have no record yet: a worker that finds nothing to do for a run lets go of it, and `follow` puts
        back what has to wait."""

    def charge(self, run_id: str, quota: str) -> None:
        """Somebody else answers for a run that is queued or under way; QueueFullError as above."""

    def follow(self, run_id: str, record: Record | None = None) -> Record | None:
        """Do what the record of a run says: let a queued one wait, tell the worker of a command, take one
        that has ended out of the queue. To be called after every change that matters to queue and workers,
        with what was written then, if anything; called once too often it does no harm, and after an
        interruption anybody may call it. The record that was followed last is returned."""

    def has(self, run_id: str) -> bool:
        """Whether a run is in the queue or a worker has it."""

    def position(self, run_id: str) -> int | None:
        """Runs that go first; None when it is not queued."""

    def progress(self, run_id: str) -> Progress | None:
        """How far it is; None when no worker has it."""

    def under_way(self) -> list[str]:
        """Runs that workers have, and that wait for one."""

    def busy(self) -> int:
        """How many these are."""
        return len(self.under_way())

    def done(self) -> tuple[float, int]:
        """Epochs that all workers have computed so far, and frames that they have stored."""

    def workers(self) -> int:
        """Workers ready to compute."""
