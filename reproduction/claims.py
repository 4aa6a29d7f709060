"""Every claim with its verdict: evidence of two sets of seeds, the rule, and how it hangs on thresholds."""

from dataclasses import dataclass, field

from reproduction.criteria import DECIDING, Criteria, Criterion, criteria
from reproduction.judges import JUDGES, Table
from reproduction.statistics import Spread
from reproduction.verdicts import COUNTED, VERDICTS, Evidence, Verdict, decide

__all__ = ["COUNTED", "VERDICTS", "Finding", "Trial", "judge", "judge_all", "judge_set"]


@dataclass(frozen=True)
class Trial:
    """The verdict of the first set of seeds at another value of one threshold."""

    word: str
    value: float
    verdict: Verdict


@dataclass(frozen=True)
class Finding:
    """What was measured, and what follows."""

    ours: str
    verdict: Verdict
    why: str
    alone: Verdict
    """The verdict of the first set of seeds by itself."""
    again: Verdict
    """That of the second."""
    ours_again: str
    """What was measured on the second set."""
    trials: tuple[Trial, ...] = field(default=())
    spread: Spread | None = None
    """The one number behind `ours`, where there is one."""


def judge_all(table: Table, confirming: Table, by: Criteria | None = None) -> dict[str, Finding]:
    """The finding of every claim."""
    by = by or criteria()
    return {name: judge(claim, table, confirming, by) for name, claim in by.claims.items()}


def judge(claim: Criterion, table: Table, confirming: Table, by: Criteria) -> Finding:
    """One claim, on both sets of seeds."""
    found, verdict, trials = judge_set(claim, table, by)
    second, again, _ = judge_set(claim, confirming, by)
    return Finding(
        ours=found.ours,
        verdict=verdict if verdict == again else "undecided",
        why=found.why,
        alone=verdict,
        again=again,
        ours_again=second.ours,
        trials=trials,
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
    if claim.rule == "eye":
        seen = {verdict, *(trial.verdict for trial in trials if trial.word not in DECIDING)}
        if {"agrees", "differs"} <= seen or {"corrected", "differs"} <= seen:
            verdict = "undecided"
    return found, verdict, tuple(trials)
