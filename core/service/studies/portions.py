"""Who computes portions: what the scheduler asks of the processes of this machine, or of Celery's."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Portion:
    """Some runs of a study, to be computed one after the other."""

    study: str
    first: int
    """Its first place names it within the study."""
    runs: tuple[tuple[int, str], ...]
    """Places and queries of the runs that have no record yet."""

    @property
    def name(self) -> tuple[str, int]:
        """What it is called while it is out."""
        return self.study, self.first


class PortionWorkers(Protocol):
    """Workers for studies. Called from the scheduler's thread alone."""

    def leads(self) -> bool:
        """Whether this process is the one that hands out portions."""

    def out(self) -> set[tuple[str, int]]:
        """The portions that somebody works at. One that is out no more is done, or was given back."""

    def free_slots(self) -> int:
        """How many more portions it can take now."""

    def hand(self, portion: Portion) -> None:
        """Have a portion computed."""

    def drop(self, study: str) -> None:
        """Give back what is out of a study, within a second."""

    def workers(self) -> int:
        """Workers that share a study."""

    def close(self) -> None:
        """Let another process lead."""
        return
