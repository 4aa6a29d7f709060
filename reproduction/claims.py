"""What the paper claims in numbers, what we measure, and the verdict that follows.

A claim is judged by a function of the samples alone, so that a verdict is never
written by hand: other numbers give another verdict and another sentence.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from reproduction.measures import Numbers
from reproduction.words import Spread

Verdict = Literal["agrees", "corrected", "luck", "differs"]

VERDICTS: dict[Verdict, str] = {
    "agrees": "agrees",
    "corrected": "agrees with a correction",
    "luck": "depends on the seed",
    "differs": "differs",
}

COUNTED: dict[Verdict, str] = {
    "agrees": "agree",
    "corrected": "agree with a correction",
    "luck": "depend on the seed",
    "differs": "differ",
}
"""The same after a number."""

Table = Mapping[str, Mapping[int, Numbers]]
"""Numbers by sample and seed."""


@dataclass(frozen=True)
class Finding:
    """What was measured, and what follows."""

    ours: str
    verdict: Verdict
    why: str
    spread: Spread | None = None
    """The one number behind `ours`, where there is one."""


@dataclass(frozen=True)
class Claim:
    """One numerical statement of the paper."""

    name: str
    label: str
    """Where the paper says so."""
    sentence: str
    """What it says, in our words."""
    paper: str
    """Its value."""
    measured: str
    """What we measure, and how."""
    samples: tuple[str, ...]
    judge: Callable[[Table], Finding]


def of(table: Table, sample: str, name: str) -> list[float]:
    """One number of a sample, seed by seed."""
    return [numbers[name] for numbers in table[sample].values()]


def by_share(hits: Sequence[bool]) -> Verdict:
    """The verdict on something that happens: for most seeds, for one in ten at least, or hardly ever."""
    share = sum(hits) / len(hits)
    return "agrees" if share > 0.5 else "luck" if share >= 0.1 else "differs"
