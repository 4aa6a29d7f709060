"""What the death of a worker means for the jobs that it had: the one rule, for one machine and for many.

Several runs take turns on a worker, which reports each change of turn. The one whose turn was reported last
is to blame, and so are all where none was reported. A job that was to blame too often is given up, and one
whose step took too long is given up at once: it would take the next worker's time as well. All others go on
from their checkpoints.
"""

from dataclasses import dataclass

from .. import lifecycle
from ..run_record import Record
from ..settings import Settings
from .watchdog import too_long


def is_guilty(job: str, turn: str) -> bool:
    """Whether a worker died of a job, by the turn that it reported last, whoever has been removed since.

    Examples
    --------
    >>> is_guilty("a", "a"), is_guilty("b", "a"), is_guilty("b", "")
    (True, False, True)
    """
    return turn in (job, "")


@dataclass(frozen=True)
class Death:
    """How a worker ended that had a job."""

    how: str
    """In a few words."""
    is_guilty: bool = True
    """Whether it died of this job."""
    is_overdue: bool = False
    """Whether a step took too long."""

    def is_final(self, deaths: int, settings: Settings) -> bool:
        """Whether a job is given up after so many deaths."""
        return self.is_guilty and deaths >= (1 if self.is_overdue else settings.deaths)

    def of_run(self, record: Record, settings: Settings) -> Record:
        """What becomes of a run."""
        reason = f"Its worker died {{deaths}} times ({self.how}); it was given up."
        if self.is_overdue:
            reason = too_long(settings.limits.step_seconds)
        most = 1 if self.is_overdue else settings.deaths
        return lifecycle.die(record, record.state.attempt, guilty=self.is_guilty, most=most, reason=reason)
