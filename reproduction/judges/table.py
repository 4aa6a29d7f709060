"""The numbers that judges read, by sample and seed."""

from collections.abc import Callable, Mapping

from reproduction.criteria import Criterion, Limits
from reproduction.measures import Numbers
from reproduction.verdicts import Evidence

Table = Mapping[str, Mapping[int, Numbers]]
"""Numbers by sample and seed."""

Judge = Callable[[Table, Limits, Criterion], Evidence]
"""What one set of seeds says about a claim."""


def of(table: Table, sample: str, name: str) -> list[float]:
    """One number of a sample, seed by seed."""
    return [numbers[name] for numbers in table[sample].values()]


def together(table: Table, *samples: str) -> list[dict[str, Numbers]]:
    """The numbers of several samples, for each seed that all of them have."""
    seeds = sorted(set.intersection(*(set(table[sample]) for sample in samples)))
    return [{sample: table[sample][seed] for sample in samples} for seed in seeds]
