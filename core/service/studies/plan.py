"""What a study consists of: its runs, what they cost, and the portions in which they are handed out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import fsum

from core.config import NUMERICS_VERSION, runs_from_query
from core.config.run_config import check_cost
from core.limits import Limits
from core.spelling import FieldError

PORTION_SECONDS = 2.0
"""So long a portion takes by estimate, so that users take turns within seconds."""
PORTION_RUNS = 100


@dataclass(frozen=True)
class Plan:
    """The runs of a study, by their places in it."""

    id: str
    """32 hexadecimal digits: query with budgets, and the version of the numerics."""
    query: str
    """Canonical."""
    differing: tuple[str, ...]
    """The keys that tell its runs apart."""
    queries: tuple[str, ...]
    seconds: tuple[float, ...]
    """What each run costs, by estimate."""
    portions: tuple[range, ...]
    datasets: tuple[tuple[str, str], ...]
    """Names and texts of own data."""

    @property
    def total(self) -> float:
        """Seconds of computing for all runs."""
        return fsum(self.seconds)


def study_id_of(query: str) -> str:
    """The name of the study of a canonical query."""
    return sha256(f"study\n{NUMERICS_VERSION}\n{query}".encode()).hexdigest()[:32]


def plan_of(query: str, limits: Limits, datasets: Mapping[str, str]) -> Plan:
    """The plan of a query; FieldError names the key, its value and what is allowed."""
    found = runs_from_query(query, limits=limits, datasets=datasets)
    for config in found.configs:
        check_cost(config, limits)
    seconds = tuple(config.estimated_seconds() for config in found.configs)
    total = fsum(seconds)
    if total > limits.study_seconds:
        raise FieldError(
            "query",
            f"its {len(seconds):,} runs would take about {total:,.0f} s of computing;"
            f" allowed are {limits.study_seconds:,.0f} s for a study",
        )
    own = {config.dataset for config in found.configs if config.dataset is not None}
    return Plan(
        id=study_id_of(found.query),
        query=found.query,
        differing=found.differing,
        queries=tuple(config.to_query(limits=limits) for config in found.configs),
        seconds=seconds,
        portions=tuple(_portions(seconds)),
        datasets=tuple(own),
    )


def _portions(seconds: Sequence[float]) -> Iterator[range]:
    begin, cost = 0, 0.0
    for place, each in enumerate(seconds):
        if place > begin and (cost + each > PORTION_SECONDS or place - begin >= PORTION_RUNS):
            yield range(begin, place)
            begin, cost = place, 0.0
        cost += each
    yield range(begin, len(seconds))
