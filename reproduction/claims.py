"""Every claim with its verdict: evidence of seeds, the rule, and how it hangs on thresholds.

A verdict rests on the seeds of the confirmation. Until they are drawn it is that of the explored seeds,
and says so.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from reproduction.criteria import DECIDING, Criteria, Criterion, Verdict, criteria
from reproduction.judges import JUDGES, Table
from reproduction.measures import Numbers
from reproduction.statistics import Spread
from reproduction.verdicts import Evidence, brief, contradictory, decide, would_tell

CLAIMS: Mapping[str, Criterion] = criteria().claims
"""By name, in the order of the paper."""

OPPOSITE = frozenset(
    {
        ("agrees", "differs"),
        ("corrected", "differs"),
        ("agrees", "luck"),
        ("corrected", "luck"),
        ("luck", "differs"),
    }
)
"""Verdicts that cannot both be right; one that is undecided contradicts none."""


def opposite(one: Verdict, other: Verdict) -> bool:
    """Whether two verdicts cannot both be right."""
    return (one, other) in OPPOSITE or (other, one) in OPPOSITE


@dataclass(frozen=True)
class Trial:
    """The verdict at another value of one threshold."""

    word: str
    value: float
    verdict: Verdict


@dataclass(frozen=True)
class Finding:
    """What was measured, and what follows."""

    ours: str
    short: str
    """The same for a cell of a table."""
    verdict: Verdict
    why: str
    confirmed: bool
    """Whether the verdict is that of seeds which nobody had seen."""
    explored: Verdict
    """The verdict of the seeds that were known before."""
    ours_explored: str
    trials: tuple[Trial, ...] = field(default=())
    would_tell: float = 0.0
    """How many seeds would decide an undecided claim; infinite where none would."""
    spread: Spread | None = None
    """The one number behind `ours`, where there is one."""

    @property
    def contradicts(self) -> bool:
        """Whether unseen seeds and known ones tell opposite things."""
        return self.confirmed and opposite(self.verdict, self.explored)


def judge_all(explored: Table, confirmation: Table, by: Criteria | None = None) -> dict[str, Finding]:
    """The finding of every claim."""
    by = by or criteria()
    return {name: judge(claim, explored, confirmation, by) for name, claim in by.claims.items()}


def judge(claim: Criterion, explored: Table, confirmation: Table, by: Criteria) -> Finding:
    """One claim."""
    known, before, trials = judge_set(claim, explored, by)
    found, verdict, confirmed = known, before, set(claim.samples) <= set(confirmation)
    if confirmed:
        found, verdict, trials = judge_set(claim, confirmation, by)
    needed = would_tell(claim.rule, found, by.limits(), at_words(trials))
    return Finding(
        ours=found.ours,
        short=brief(claim.rule, found),
        verdict=verdict,
        why=found.why,
        confirmed=confirmed,
        explored=before,
        ours_explored=known.ours,
        trials=trials,
        would_tell=needed if verdict == "undecided" else 0.0,
        spread=found.spread,
    )


def judge_set(claim: Criterion, table: Table, by: Criteria) -> tuple[Evidence, Verdict, tuple[Trial, ...]]:
    """Evidence and verdict of one set of seeds, and the verdicts at other thresholds."""
    limits = by.limits()
    found = JUDGES[claim.name](table, limits, claim)
    verdict = decide(claim.rule, found, limits)
    trials = []
    for word, value in by.trials(claim):
        other = {**limits, word: value}
        trials.append(Trial(word, value, decide(claim.rule, JUDGES[claim.name](table, other, claim), other)))
    if claim.rule == "eye" and contradictory({verdict, *at_words(trials)}):
        verdict = "undecided"
    return found, verdict, tuple(trials)


def at_words(trials: Sequence[Trial]) -> set[Verdict]:
    """The verdicts at other values of the paper's words; what share is the rule is none of them."""
    return {trial.verdict for trial in trials if trial.word not in DECIDING}


def joined(*tables: Table) -> dict[str, dict[int, Numbers]]:
    """Tables of different seeds as one."""
    names = {name: None for table in tables for name in table}
    return {
        name: {seed: one for table in tables for seed, one in table.get(name, {}).items()} for name in names
    }
