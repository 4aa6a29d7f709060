"""The five verdicts, and the rules by which evidence gives one: a verdict is never written by hand."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf

from core.portable import functions as portable
from reproduction.criteria import Rule, Verdict
from reproduction.statistics import Spread, seeds_to_tell, share, spread, wilson

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

BY_OUR_WORD = (
    "By our word no run of them had been made when the criteria were last changed: the log shows criteria "
    "and runs in one commit."
)
"""Of the seeds that verdicts rest on; of a second set the log shows it (`reproduction.second`)."""


def counted(verdict: Verdict, number: int) -> str:
    """A verdict after a number of claims: '2 agree', '1 agrees'."""
    if number != 1:
        return COUNTED[verdict]
    return "is not decidable" if verdict == "undecided" else VERDICTS[verdict]


@dataclass(frozen=True)
class Evidence:
    """What the runs of one set of seeds say about a claim, before any rule is applied."""

    ours: str
    """What was measured, as a reader wants it."""
    why: str
    hits: Sequence[bool] = ()
    """Whether it holds, case by case."""
    readings: tuple[Sequence[bool], ...] = ()
    """The same in other readings that the paper leaves open: of a picture on logarithmic axes."""
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
    low, high = wilson(sum(hits), len(hits), limits["error"])
    if low > limits["most"]:
        return "agrees"
    if high < limits["hardly"]:
        return "differs"
    return "luck" if hits and limits["hardly"] <= sum(hits) / len(hits) <= limits["most"] else "undecided"


def _always(hits: Sequence[bool]) -> Verdict:
    return "agrees" if hits and all(hits) else "differs"


def _by_value(found: Evidence, limits: Mapping[str, float]) -> Verdict:
    middle = spread(found.values, limits["error"])
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


def brief(rule: Rule, found: Evidence) -> str:
    """What was found, in a table's cell."""
    hits = found.mended or found.hits
    if rule == "value":
        return spread(found.values).short
    if rule == "every":
        text = f"{sum(found.hits)} of {len(found.hits)}"
        return f"{text}; corrected, {sum(found.mended)}" if found.mended and not all(found.hits) else text
    read = [share(reading) for reading in found.readings]
    corrected = f"; corrected, {share(hits)}" if found.mended else ""
    return "; on logarithmic axes, ".join([share(found.hits), *read]) + corrected


def contradictory(verdicts: Collection[Verdict]) -> bool:
    """Whether one threshold says that a claim holds and another that it does not."""
    return "differs" in verdicts and ("agrees" in verdicts or "corrected" in verdicts)


def would_tell(
    rule: Rule, found: Evidence, limits: Mapping[str, float], tried: Collection[Verdict] = ()
) -> float:
    """How many seeds an undecided claim would take if its share or median stays as it is.

    Infinite where the reading decides, or a threshold: `tried` are the verdicts at other ones. Many seeds
    would move the claim itself to the side of its share, where one of these may contradict it.
    """
    if rule == "value":
        return _values_to_tell(found, limits)
    if rule == "eye" and contradictory({decide(rule, found, {**limits, "error": 1.0}), *tried}):
        return inf
    readings = [found.mended or found.hits, *found.readings]
    if not readings[0] or len({_by_share(reading, limits) for reading in readings}) > 1:
        return inf
    part = sum(readings[0]) / len(readings[0])
    if limits["hardly"] <= part <= limits["most"]:
        return inf
    count = seeds_to_tell(part, limits["most" if part > limits["most"] else "hardly"], limits["error"])
    return float(count) if count > len(readings[0]) else inf


def _values_to_tell(found: Evidence, limits: Mapping[str, float]) -> float:
    """The interval of a median shrinks with the root of the number of seeds."""
    now = spread(found.values, limits["error"])
    ends = (found.paper / limits["similar"], found.paper * limits["similar"])
    held = [end for end in ends if now.sure_low < end < now.sure_high]
    reached = {end: now.sure_high if end > now.median else now.sure_low for end in held}
    parts = [
        float(portable.log(far / now.median) / portable.log(end / now.median)) for end, far in reached.items()
    ]
    return max((now.count * part * part for part in parts), default=inf)
