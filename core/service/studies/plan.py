"""What a study consists of: its runs, what they cost, and the portions in which they are handed out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import accumulate
from math import fsum

from ...config import NUMERICS_VERSION, RunList, check_cost, runs_from_query
from ...limits import Limits
from ...spelling import FieldError
from ..workers.estimates import rough_cost

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
    costs: tuple[float, ...]
    """Seconds of computing of each run, by estimate."""

    @cached_property
    def spent(self) -> tuple[float, ...]:
        """Seconds of computing of the first runs, however many, by estimate."""
        return (0.0, *accumulate(self.costs))

    def samples(self, most: int) -> list[tuple[int, float]]:
        """Places of runs that stand for all others of their size and method, and what all of these cost; of
        the most expensive kinds."""
        kinds: dict[tuple[object, ...], list[int]] = {}
        for place, cost in enumerate(self.costs):
            cell, variant = divmod(place, len(self.runs.variants))
            kinds.setdefault((self.runs.cells[cell][0], variant, cost), []).append(place)
        shares = [(places[0], self.costs[places[0]] * len(places)) for places in kinds.values()]
        return sorted(shares, key=lambda share: -share[1])[:most]

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
    costs = tuple(_costs(runs))
    if total > limits.study_seconds:
        raise FieldError(
            "query",
            f"its {len(seconds):,} runs take about {total:,.0f} s of computing;"
            f" allowed are {limits.study_seconds:,.0f} s for a study",
        )
    return Plan(study_id_of(runs.query), runs, fsum(costs), tuple(_portions(costs)), limits, costs)


def _costs(runs: RunList) -> Iterator[float]:
    """What each run takes with its frames, which are most of a short run."""
    known: dict[tuple[int, int], tuple[float, ...]] = {}
    for place, _ in runs.cells:
        size = runs.problems[place]["width"], runs.problems[place]["points"]
        if size not in known:
            known[size] = tuple(rough_cost(method, *size, epochs) for method, epochs in runs.variants)
        yield from known[size]


def _portions(seconds: Sequence[float]) -> Iterator[range]:
    begin, cost = 0, 0.0
    for place, each in enumerate(seconds):
        if place > begin and (cost + each > PORTION_SECONDS or place - begin >= PORTION_RUNS):
            yield range(begin, place)
            begin, cost = place, 0.0
        cost += each
    yield range(begin, len(seconds))
