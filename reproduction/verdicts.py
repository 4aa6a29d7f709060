"""The five verdicts, and the rules by which evidence gives one: a verdict is never written by hand."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from reproduction.statistics import Spread, spread, wilson

Verdict = Literal["agrees", "corrected", "luck", "differs", "undecided"]
Rule = Literal["share", "value", "every", "eye"]

VERDICTS: dict[Verdict, str] = {
    "agrees": "agrees",
    "corrected": "agrees with a correction",
    "luck": "depends on the seed",
    "differs": "differs",
    "undecided": "not decidable",
}

COUNTED: dict[Verdict, str] = {
    "agrees": "agree",
    "corrected": "agree with a correction",
    "luck": "depend on the seed",
    "differs": "differ",
    "undecided": "are not decidable",
}
"""The same after a number."""


@dataclass(frozen=True)
class Evidence:
    """What the runs of one set of seeds say about a claim, before any rule is applied."""

    ours: str
    """What was measured, as a reader wants it."""
    why: str
    hits: Sequence[bool] = ()
    """Whether it holds, case by case."""
    readings: tuple[Sequence[bool], ...] = ()
    """The same in other readings that the paper leaves open."""
    values: Sequence[float] = ()
    """The number, seed by seed, where the paper gives one."""
    paper: float = float("nan")
    mended: Sequence[bool] = ()
    """Whether it holds after the correction, case by case; none where there is no correction."""
    spread: Spread | None = field(default=None)
    """The one number behind `ours`, where there is one."""


def decide(rule: Rule, found: Evidence, limits: Mapping[str, float]) -> Verdict:
    """The verdict of one set of seeds."""
    if rule == "value":
        return _by_value(found, limits)
    if rule == "every":
        return _corrected(_always(found.hits), found, _always)
    verdict = _by_share(found.hits, limits)
    for reading in found.readings:
        if _by_share(reading, limits) != verdict:
            return "undecided"
    return _corrected(verdict, found, lambda hits: _by_share(hits, limits))


def _by_share(hits: Sequence[bool], limits: Mapping[str, float]) -> Verdict:
    low, high = wilson(sum(hits), len(hits))
    if low > limits["most"]:
        return "agrees"
    if high < limits["hardly"]:
        return "differs"
    # so few that not even all or none of them would tell
    return "luck" if any(hits) and not all(hits) else "undecided"


def _always(hits: Sequence[bool]) -> Verdict:
    return "agrees" if hits and all(hits) else "differs"


def _by_value(found: Evidence, limits: Mapping[str, float]) -> Verdict:
    middle = spread(found.values)
    least, most = found.paper / limits["similar"], found.paper * limits["similar"]
    if least <= middle.sure_low and middle.sure_high <= most:
        return "corrected" if found.mended and all(found.mended) else "agrees"
    return "differs" if middle.sure_high < least or middle.sure_low > most else "undecided"


def _corrected(verdict: Verdict, found: Evidence, judge: Callable[[Sequence[bool]], Verdict]) -> Verdict:
    """What is left to say after the correction; a claim that holds as it stands needs none."""
    if verdict == "agrees" or not found.mended:
        return verdict
    mended = judge(found.mended)
    return "corrected" if mended == "agrees" else mended
