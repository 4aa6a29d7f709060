"""What a study consists of: its runs, what they cost, and the portions in which they are handed out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import fsum

from core.config import NUMERICS_VERSION, RunList, check_cost, runs_from_query
from core.limits import Limits
from core.spelling import FieldError

PORTION_SECONDS = 1.0
"""So long a portion takes by estimate, so that users take turns within seconds, and no core waits for long at
the end of a study."""
PORTION_RUNS = 100


@dataclass(frozen=True)
class Plan:
    """The runs of a study, by their places in it; none of them is made before it is handed out."""

    id: str
    """32 hexadecimal digits: query with budgets, and the version of the numerics."""
    runs: RunList
    total: float
    """Seconds of computing for all runs, by estimate."""
    portions: tuple[range, ...]
    limits: Limits

    def query_of(self, place: int) -> str:
        """The query of one run."""
        return self.runs.run(place).to_query(limits=self.limits)

    @property
    def query(self) -> str:
        """The canonical query."""
        return self.runs.query

    @property
    def dataset(self) -> tuple[str, str] | None:
        """Name and text of own data."""
        return self.runs.run(0).dataset


def study_id_of(query: str) -> str:
    """The name of the study of a canonical query."""
    return sha256(f"study\n{NUMERICS_VERSION}\n{query}".encode()).hexdigest()[:32]


def plan_of(query: str, limits: Limits, datasets: Mapping[str, str]) -> Plan:
    """The plan of a query; FieldError names the key, its value and what is allowed."""
    runs = runs_from_query(query, limits=limits, datasets=datasets)
    seconds = tuple(runs.seconds())
    for place, each in enumerate(seconds):
        if each > limits.cpu_seconds:
            check_cost(runs.run(place), limits)
    total = fsum(seconds)
    if total > limits.study_seconds:
        raise FieldError(
            "query",
            f"its {len(seconds):,} runs would take about {total:,.0f} s of computing;"
            f" allowed are {limits.study_seconds:,.0f} s for a study",
        )
    return Plan(study_id_of(runs.query), runs, total, tuple(_portions(seconds)), limits)


def _portions(seconds: Sequence[float]) -> Iterator[range]:
    begin, cost = 0, 0.0
    for place, each in enumerate(seconds):
        if place > begin and (cost + each > PORTION_SECONDS or place - begin >= PORTION_RUNS):
            yield range(begin, place)
            begin, cost = place, 0.0
        cost += each
    yield range(begin, len(seconds))
