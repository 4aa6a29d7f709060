"""What the web side asks of whatever hands runs to workers."""

from typing import Protocol

from core.service.store import RunState
from core.service.workers.compute import Progress

NOT_WATCHED = "Nobody has been watching for a while; it goes on as soon as somebody looks."
STOPPED = "It was stopped by the browser that started it, or by whoever looks after the server."


class Dispatcher(Protocol):
    """A fair queue and the workers behind it."""

    def start(self) -> None:
        """Begin to hand out runs, those left over from an earlier life first."""

    def close(self) -> None:
        """Take no more runs, let workers save what they have, and end them if they are ours."""

    def enqueue(self, run_id: str, quota: str, *, again: bool = False) -> None:
        """Queue a run once; QueueFullError when there is no room, unless it was accepted before."""

    def charge(self, run_id: str, quota: str) -> None:
        """Somebody else answers for a run that is queued or under way; QueueFullError as above."""

    def stop(self, run_id: str) -> None:
        """Take a run out of the queue or stop its worker, within a second."""

    def position(self, run_id: str) -> int | None:
        """Runs that go first; None when it is not queued."""

    def progress(self, run_id: str) -> Progress | None:
        """How far it is; None when no worker has it."""

    def last_word(self, run_id: str) -> RunState | None:
        """A state that could not be stored, if any."""

    def under_way(self) -> list[str]:
        """Runs that workers have, and that wait for one."""

    def busy(self) -> int:
        """How many these are."""

    def done(self) -> tuple[float, int]:
        """Epochs that all workers have computed so far, and frames that they have stored."""

    def workers(self) -> int:
        """Workers ready to compute."""
