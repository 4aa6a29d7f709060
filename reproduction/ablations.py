"""Choices that the paper leaves open, each tried on a small sample beside the runs that it varies."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from core.narrative import number
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


def _near(value: float, paper: float, limits: Limits) -> bool:
    return paper / limits["similar"] <= value <= paper * limits["similar"]


@dataclass(frozen=True)
class _Question:
    """Which number is read, of the base and of the variants, and what is counted."""

    ours: str
    """The choice that is made elsewhere."""
    number: Callable[[Numbers, Limits], float]
    is_hit: Callable[[float, Limits], bool]
    base_number: Callable[[Numbers, Limits], float] | None = None


_QUESTIONS: Mapping[str, _Question] = {
    "biases": _Question(
        "init=he",
        lambda one, _: one["at_100"],
        lambda value, limits: value <= limits["similar"] * 1e-4,
    ),
    "scaling": _Question(
        "loss=mean",
        lambda one, limits: one[at("trained", limits["trained"])],
        lambda value, _: value > 1e7,
    ),
    "epsilon": _Question(
        "epsilon=1e-8",
        lambda one, _: one["loss"],
        lambda value, limits: _near(value, 2e-3, limits),
    ),
    "epsilon-hybrid": _Question(
        "epsilon=1e-8",
        lambda one, _: one["rise"],
        lambda value, limits: value > limits["unstable"],
    ),
    "cut-off": _Question(
        "none: rank by counting",
        lambda one, _: one["error_rise"],
        lambda value, limits: value > limits["rises"],
        lambda one, limits: one[at("error_rise_near", limits["similar"])],
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
        rows.append(_row(ablation, asked.ours, [read(one, limits) for one in base], asked, limits))
        for change in ablation.changes:
            values = [asked.number(one, limits) for one in varied[f"{name}-{change}"].values()]
            rows.append(_row(ablation, change, values, asked, limits))
    return rows


def _row(ablation: Ablation, choice: str, values: list[float], asked: _Question, limits: Limits) -> Row:
    found = spread(values)
    middle = f"{number(found.median)} [{number(found.sure_low, 2)}, {number(found.sure_high, 2)}]"
    hits = share(asked.is_hit(value, limits) for value in values)
    return Row(ablation.name, ablation.asks, choice, middle, ablation.counts, hits)
