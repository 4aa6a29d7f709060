"""criteria.toml as values: what the paper says, the thresholds by name, and the rules that give verdicts."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

Verdict = Literal["agrees", "corrected", "luck", "differs", "undecided"]
Rule = Literal["share", "value", "every", "eye"]

FILE = Path(__file__).resolve().parent / "criteria.toml"
DECIDING = ("most", "hardly")
"""Thresholds of every rule that counts seeds."""

TOGETHER = 0.05
"""The chance that any of all intervals misses, at most (Bonferroni)."""

Limits = Mapping[str, float]
"""Thresholds by name."""


@dataclass(frozen=True)
class Word:
    """A word of the paper that needs a number, the same in every claim."""

    name: str
    value: float
    tried: tuple[float, ...]
    """Other values, for the sensitivity of a verdict."""
    means: str


@dataclass(frozen=True)
class Criterion:
    """One statement of the paper, and how it is judged."""

    name: str
    label: str
    """Where the paper says so."""
    figure: str
    """The figure on the page that it stands under."""
    sentence: str
    """What it says, in short."""
    paper: str
    """Its value, in words."""
    samples: tuple[str, ...]
    measured: str
    rule: Rule
    counts: str
    """What is counted of a seed."""
    uses: tuple[str, ...]
    """The words that it needs, those of its rule included."""
    value: float
    """The paper's number; nan where it gives none."""
    correction: str
    because: str = ""
    """Why it may come out otherwise, in a sentence or two."""


@dataclass(frozen=True)
class Ablation:
    """A choice that the paper leaves open, tried on a small sample."""

    name: str
    asks: str
    base: str
    """The sample that it varies."""
    changes: tuple[str, ...]
    counts: str
    seeds: int
    value: float = float("nan")
    """The number that hits are compared with, where it is no word."""


@dataclass(frozen=True)
class Criteria:
    """The whole file."""

    rules: Mapping[Rule, Mapping[Verdict, str]]
    words: Mapping[str, Word]
    claims: Mapping[str, Criterion]
    ablations: Mapping[str, Ablation]
    remarks: tuple[str, ...] = ()
    """What it says of the seeds, and of the iterations that are looked at."""
    settings: Mapping[str, float] = field(default_factory=dict)
    """Thresholds of the measurement."""
    first: int = 0
    """The first seed of the confirmation."""
    seeds: Mapping[str, int] = field(default_factory=dict)
    """How many seeds each sample has there."""
    digest: str = ""
    """The file's hash."""

    def limits(self) -> dict[str, float]:
        """Every threshold at its value, and the error that each interval is allowed."""
        return {
            **self.settings,
            **{name: word.value for name, word in self.words.items()},
            "error": TOGETHER / len(self.claims),
        }

    def trials(self, claim: Criterion) -> list[tuple[str, float]]:
        """Threshold and other value, for each that the claim uses."""
        return [(name, other) for name in claim.uses for other in self.words[name].tried]


def parse(text: str) -> Criteria:
    """The file's text as values; a ValueError names what is missing or unknown."""
    raw = tomllib.loads(text)
    words = {
        name: Word(name, float(entry["value"]), tuple(map(float, entry["tried"])), entry["means"])
        for name, entry in raw["words"].items()
    }
    claims = {name: _criterion(name, entry, words) for name, entry in raw["claims"].items()}
    ablations = {
        name: Ablation(name, **entry | {"changes": tuple(entry["changes"])})
        for name, entry in raw["ablations"].items()
    }
    settings = {name: float(entry["value"]) for name, entry in raw["settings"].items()}
    planned = raw["confirmation"]
    digest = sha256(text.encode()).hexdigest()
    return Criteria(
        raw["rules"],
        words,
        claims,
        ablations,
        tuple(raw["remarks"]),
        settings,
        planned["first"],
        planned["seeds"],
        digest,
    )


def _criterion(name: str, entry: dict[str, Any], words: Mapping[str, Word]) -> Criterion:
    counting = entry["rule"] in ("share", "eye")
    uses = (*entry.pop("uses", ()), *(DECIDING if counting else ()))
    unknown = set(uses) - set(words)
    if unknown:
        raise ValueError(f"criteria: claim {name} uses {sorted(unknown)}, which [words] does not define")
    samples = tuple(entry.pop("samples"))
    label, sentence = entry.pop("place"), entry.pop("says")
    value, correction = float(entry.pop("value", "nan")), entry.pop("correction", "")
    return Criterion(
        name,
        label,
        sentence=sentence,
        **entry,
        samples=samples,
        uses=uses,
        value=value,
        correction=correction,
    )


@cache
def criteria() -> Criteria:
    """What criteria.toml says."""
    return parse(FILE.read_text(encoding="utf-8"))


def claims_under(figure: str) -> tuple[str, ...]:
    """The claims that stand under a figure of the page, in the order of the paper."""
    return tuple(name for name, claim in criteria().claims.items() if claim.figure == figure)


def grid(word: str) -> tuple[float, ...]:
    """The values of a threshold at which something is measured: its own and those that are tried."""
    found = criteria().words[word]
    return tuple(sorted({found.value, *found.tried}))


def setting(name: str) -> float:
    """A threshold of the measurement."""
    return criteria().settings[name]
