"""Choices that the paper leaves open, each tried on a small sample beside the runs that it varies."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from reproduction.criteria import Ablation, Criteria, Limits
from reproduction.judges.table import Table
from reproduction.measures import Numbers, at
from reproduction.statistics import share, spread


@dataclass(frozen=True)
class Row:
    """One choice, and what became of the claim's number with it."""

    ablation: str
    asks: str
    choice: str
    median: str
    counts: str
    hits: str


@dataclass(frozen=True)
class _Question:
    """Which number is read, of the base and of the variants, and what is counted."""

    ours: str
    """The choice that is made elsewhere."""
    number: Callable[[Numbers, Limits], float]
    is_hit: Callable[[float, float, Limits], bool]
    """Of the number, the ablation's own, and the thresholds."""
    base_number: Callable[[Numbers, Limits], float] | None = None
    varied_counts: str = ""
    """What is counted of the variants, where it is another thing than of the base."""


_QUESTIONS: Mapping[str, _Question] = {
    "biases": _Question(
        "init=he",
        lambda one, _: one["at_100"],
        lambda value, own, limits: value <= limits["similar"] * own,
    ),
    "scaling": _Question(
        "loss=mean",
        lambda one, limits: one[at("trained", limits["trained"])],
        lambda value, own, _: value > own,
    ),
    "epsilon": _Question(
        "epsilon=1e-8",
        lambda one, _: one["loss"],
        lambda value, own, limits: own / limits["similar"] <= value <= own * limits["similar"],
    ),
    "epsilon-hybrid": _Question(
        "epsilon=1e-8",
        lambda one, _: one["rise"],
        lambda value, _, limits: value > limits["unstable"],
    ),
    "cut-off": _Question(
        "none: rank by counting",
        lambda one, _: one["error_rise"],
        lambda value, _, limits: value > limits["rises"],
        lambda one, limits: one[at("error_rise_near", limits["similar"])],
        "the error rises anywhere in iterations 0 to {cut_iterations:g}",
    ),
}


def ablation_rows(table: Table, varied: Table, by: Criteria) -> list[Row]:
    """Every choice, the one made elsewhere first, over the seeds that all of its variants have."""
    limits = by.limits()
    rows = []
    for name, ablation in by.ablations.items():
        asked = _QUESTIONS[name]
        seeds = {seed for change in ablation.changes for seed in varied[f"{name}-{change}"]}
        base = [numbers for seed, numbers in table[ablation.base].items() if seed in seeds]
        read = asked.base_number or asked.number
        values = [read(one, limits) for one in base]
        rows.append(_row(ablation, asked.ours, values, ablation.counts, limits))
        counts = asked.varied_counts.format_map(limits) or ablation.counts
        for change in ablation.changes:
            values = [asked.number(one, limits) for one in varied[f"{name}-{change}"].values()]
            rows.append(_row(ablation, change, values, counts, limits))
    return rows


def _row(ablation: Ablation, choice: str, values: list[float], counts: str, limits: Limits) -> Row:
    asked = _QUESTIONS[ablation.name]
    middle = spread(values).short
    hits = share(asked.is_hit(value, ablation.value, limits) for value in values)
    return Row(ablation.name, ablation.asks, choice, middle, counts, hits)
