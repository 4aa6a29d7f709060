"""What the pool of workers knows of jobs: their kinds, and where they come from.

Whose turn it is and who may have how much is the business of each source, by the rules of core.service.queue.
Memory is bounded alike for all (`Limits.memory_bytes`), by each worker itself.
"""

from dataclasses import dataclass, field
from typing import Any, Protocol

from .deaths import Death
from .process import WorkerProcess
from .pulse import BUSY_SECONDS


@dataclass(frozen=True)
class JobKind:
    """What all jobs of one kind have in common."""

    name: str
    niceness: int
    """Their priority on the processor (core.service.workers.child)."""
    workers: int
    """Processes at most."""
    seconds: float
    """A worker that has jobs and says nothing for so long is ended."""
    has_checkpoints: bool = False
    """Whether a job that is given back goes on where it was, so that the end of the server waits for it."""
    jobs_per_worker: int = 1
    max_jobs_per_worker: int = 1
    """With those that need not wait for a free worker."""
    is_eager: bool = False
    """Whether all workers are started at once, and not when there is a job."""
    idle_seconds: float = float("inf")
    """Workers that have had no job for so long are ended: they take memory."""
    busy_seconds: float = BUSY_SECONDS
    """Processor time that one may use without a heartbeat: compiled code may take as long as a query may."""
    is_never_cold: bool = False
    """Whether interpreted workers, as many again, begin with the jobs whose kernels are not compiled yet."""


@dataclass(frozen=True)
class Job:
    """What a worker is given."""

    name: str
    command: dict[str, Any] = field(default_factory=dict)
    """What the worker is told, besides the name."""
    notes: Any = None
    """What the source keeps of it while the worker has it (`WorkerProcess.jobs`)."""


class JobSource(Protocol):
    """Jobs of one kind: which is next, and what becomes of them. Called by the pool."""

    kind: JobKind

    def tick(self) -> None:
        """Once a round, without the lock: whatever has to be done from time to time."""

    def next_job(self, worker: WorkerProcess, is_full: bool) -> Job | None:
        """Under the lock: the next job that suits the worker, which has it from now on. Where all workers are
        full, only jobs that need not wait for a free one."""

    def wants_worker(self, *, is_interpreted: bool) -> bool:
        """Under the lock: whether a job waits that no worker of this sort could be given."""

    def cold_sets(self) -> list[str]:
        """Under the lock: the sets of kernels that its jobs wait for, or do without for the time being."""
        return []

    def on_message(self, worker: WorkerProcess, event: dict[str, Any]) -> None:
        """Without the lock, from the worker's reader thread: what a worker says of a job."""

    def on_death(self, worker: WorkerProcess, name: str, death: Death) -> None:
        """Without the lock, from the reader thread: the worker that had this job is no more. Whether the job
        is given up, `Death` decides. It is still the worker's until this returns."""
