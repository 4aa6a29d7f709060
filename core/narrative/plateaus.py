"""The plateaus of a run, each with why the loss stands still: what happens, what ends it, and the numbers.

`plateaus_of` finds them (core.analysis.plateaus) and judges each. A rule (core.narrative.rules) has two
sentences and a reason; the first of STANDSTILL_RULES that holds gives the sentence:

    dead     every neuron is dead, so that nothing can move
    floor    the data are fitted to rounding
    step     neurons hop, or the steps overshoot: the loss goes up and down
    pinned   the loss is at the floor, which would be less than half without the pins
    floor    less than a tenth of the loss lies above Q_0
    slow     well above the floor, in directions that take long; for a method that solves for the
             coefficients, or does not follow the gradient: what it does gains little

All of DETAILS that hold stand behind "Why?". The floor bounds the loss of every network with the pattern
whose pinned biases stand on their data, whatever the method. Where a bias that counts as pinned stands
elsewhere the loss may lie below, and no sentence names a floor.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ..analysis.plateaus import FlatStretch, flat_stretches
from ..config.run_config import RunConfig
from ..frames.frame import Frame
from .rules import SentenceRule, always, filled_in
from .standstill_words import StandstillWords

Reason = Literal["floor", "slow", "pinned", "dead", "step"]


@dataclass(frozen=True)
class StandstillRule(SentenceRule[StandstillWords]):
    """What happens (`template`), what ends it, and the kind of standstill."""

    ends: str
    reason: Reason


STANDSTILL_RULES: tuple[StandstillRule, ...] = (
    StandstillRule(
        "all dead",
        "The loss stands still: every neuron is dead and sees no data point.",
        lambda s: s.is_dead and s.method.decays,
        "It never ends: nothing can change.",
        "dead",
    ),
    StandstillRule(
        "all dead, other steps",
        "The loss stands still: every neuron is dead and sees no data point.",
        lambda s: s.is_dead,
        "{ends}",
        "dead",
    ),
    StandstillRule(
        "fitted",
        "The loss stands still: the network fits the data, and nothing is left to learn.",
        lambda s: s.is_fitted,
        "Only a step that makes it worse ends it.",
        "floor",
    ),
    StandstillRule(
        "hopping",
        "The loss stands still while {hoppers}.",
        lambda s: s.hops,
        "A smaller learning rate ends it.",
        "step",
    ),
    StandstillRule(
        "too curved",
        "The loss goes up and down: the steps overshoot, and the sharpness {sharp} is above 2/η = {stable}.",
        lambda s: s.is_too_curved,
        "It ends when the sharpness is below that again.",
        "step",
    ),
    StandstillRule(
        "up and down",
        "The loss goes up and down: the steps overshoot.",
        lambda s: s.overshoots,
        "It ends when the steps become shorter or lead elsewhere.",
        "step",
    ),
    StandstillRule(
        "pinned",
        "The loss has reached its floor, {floor}, because {pins}.",
        lambda s: s.is_pinned,
        "Only a crossing, or a pinned neuron that comes free, can lower it.",
        "pinned",
    ),
    StandstillRule(
        "at the floor, with pins",
        "The loss has reached its floor, {floor}.",
        lambda s: s.is_at_floor and bool(s.pinned),
        "Only a crossing, or a pinned neuron that comes free, can lower it.",
        "floor",
    ),
    StandstillRule(
        "at the floor",
        "The loss has reached its floor, {floor}.",
        lambda s: s.is_at_floor,
        "Only a crossing can lower it.",
        "floor",
    ),
    StandstillRule(
        "slow",
        "The loss is still creeping towards its floor, {floor}: most of the way takes about {wait}.",
        lambda s: s.is_slow,
        "Time ends it, or a crossing that opens a faster way.",
        "slow",
    ),
    StandstillRule(
        "best coefficients",
        "The loss {stands}: the coefficients are the best ones, and moving biases gains {gain} in {span}.",
        lambda s: s.method.solves_least_squares,
        "{ends}",
        "slow",
    ),
    StandstillRule(
        "small gains", "The loss {stands}: {title} gains {gain} in {span}.", always, "{ends}", "slow"
    ),
)

DETAILS: tuple[SentenceRule[StandstillWords], ...] = (
    SentenceRule(
        "crossings",
        "{crossings} inside this plateau: the loss {loss_change}.",
        lambda s: s.stage_changes > 0,
    ),
    SentenceRule(
        "rises",
        "The loss rises between {risen} recorded moments.",
        lambda s: not s.is_dead and not s.is_fitted and s.overshoots,
    ),
    SentenceRule(
        "above the floor",
        "At {epoch}, {left} of the loss lies above the floor.",
        lambda s: s.stands_on_floor,
    ),
    SentenceRule(
        "without the pins",
        "Without the pins the floor is {loosened}.",
        lambda s: s.stands_on_floor and s.is_pinned,
    ),
    SentenceRule("pace", "At {epoch}, it takes about {wait} to come 63 % closer.", lambda s: s.creeps),
    SentenceRule(
        "slowest direction",
        "In the slowest direction, {slow_neuron}, that is {longest}.",
        lambda s: s.creeps and s.has_slowest,
    ),
)


@dataclass(frozen=True)
class Verdict:
    """Why the loss stands still over some frames, as it is at one of them."""

    why: Reason
    """floor, pinned, slow, step or dead"""
    sentence: str
    """what happens"""
    ends: str
    """what ends it"""
    detail: str
    """the numbers behind, for "Why?"; may be empty"""
    neuron: int | None
    """the one that the sentence is about, counted from 0"""
    datum: int | None
    """the data point that it is about, counted from 0"""


def judge_standstill(config: RunConfig, frames: Sequence[Frame], frame: Frame) -> Verdict:
    """Why the loss stands still over these frames, as it is at one of them."""
    facts = StandstillWords(config, frames, frame)
    rule = next(rule for rule in STANDSTILL_RULES if rule.holds(facts))
    detail = " ".join(rule.sentence(facts) for rule in DETAILS if rule.holds(facts))
    neuron, datum = facts.about(rule.name)
    return Verdict(rule.reason, rule.sentence(facts), filled_in(rule.ends, facts), detail, neuron, datum)


@dataclass(frozen=True)
class Plateau(Verdict, FlatStretch):
    """One plateau, with why it stands still: true at the frame judged.

    Examples
    --------
    >>> from core import fit
    >>> (plateau,) = fit("f1", method="gd", epochs=1000).plateaus()
    >>> plateau
    <Plateau 1: epochs 54 to 650, loss 0.2432 to 0.1829, slow>
    >>> plateau.ends
    'Time ends it, or a crossing that opens a faster way.'
    """

    def __repr__(self) -> str:
        epochs = f"epochs {self.begin:g} to {self.end:g}{' so far' * self.open}"
        loss = f"loss {self.loss_begin:.4g} to {self.loss_end:.4g}"
        return f"<Plateau {self.number}: {epochs}, {loss}, {self.why}>"


def plateaus_of(config: RunConfig, frames: Sequence[Frame]) -> tuple[Plateau, ...]:
    """The plateaus of the frames of a run, from its first frame on.

    Parameters
    ----------
    config
        The run.
    frames
        Its frames, the first one included.

    Examples
    --------
    >>> from core import train
    >>> config = RunConfig.from_query("target=f1&method=gd&epochs=1e3")
    >>> [plateau.why for plateau in plateaus_of(config, list(train(config)))]
    ['slow']
    """
    place = {frame.index: i for i, frame in enumerate(frames)}
    return tuple(_judged(config, frames, place, stretch) for stretch in flat_stretches(config, frames))


def _judged(
    config: RunConfig, frames: Sequence[Frame], place: dict[int, int], stretch: FlatStretch
) -> Plateau:
    within = frames[place[stretch.first] : place[stretch.last] + 1]
    verdict = judge_standstill(config, within, frames[place[stretch.judged]])
    return Plateau(**vars(stretch), **vars(verdict))
