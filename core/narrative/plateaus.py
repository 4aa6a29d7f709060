"""The plateaus of a run, each with why the loss stands still: what happens, what ends it, and the numbers.

`plateaus_of` finds them (core.analysis.plateaus) and judges each at every frame: a plateau may hold many
stages, with floors and reasons of their own. Frames in a row of which the same is true are a phase. A rule
(core.narrative.rules) has two sentences and a reason; the first of STANDSTILL_RULES that holds gives the
sentence:

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
from dataclasses import dataclass, fields
from itertools import groupby
from typing import Literal

from ..analysis.plateaus import FlatStretch, flat_stretches
from ..analysis.standstill import stages_below_floor
from ..config.run_config import RunConfig
from ..frames.frame import Frame
from .numbers import fill
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
        "The loss is still creeping down, at best to its floor, {floor}.",
        lambda s: s.is_slow,
        "More time can end it, or a crossing that opens a faster way.",
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
        "This plateau holds {crossings}: in all, the loss {loss_change}.",
        lambda s: s.stage_changes > 0,
    ),
    SentenceRule(
        "rises",
        "The loss rises between {risen} recorded moments.",
        lambda s: not s.is_dead and not s.is_fitted and s.overshoots,
    ),
    SentenceRule(
        "too curved",
        "At {epoch}, the sharpness {sharp} is above 2/η = {stable}.",
        lambda s: not s.is_dead and not s.is_fitted and s.is_too_curved,
    ),
    SentenceRule(
        "without the pins",
        "At {epoch}, the floor without the pins is {loosened}.",
        lambda s: s.is_calm and s.is_pinned,
    ),
    SentenceRule(
        "pace",
        "At the pace of {epoch}, 63 % of the way to the floor takes about {wait}.",
        lambda s: s.creeps,
    ),
    SentenceRule(
        "slowest direction",
        "In the slowest direction, {slow_neuron}, that is {longest}.",
        lambda s: s.creeps and s.has_slowest,
    ),
)


@dataclass(frozen=True)
class Verdict:
    """Why the loss stands still."""

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


@dataclass(frozen=True)
class Phase(Verdict):
    """Frames in a row of a plateau of which the same is true; `{floor}` in the sentence is the moment's.

    Examples
    --------
    >>> from core import fit
    >>> (plateau,) = fit("f1", method="gd", epochs=1000).plateaus()
    >>> [(phase.why, phase.sentence) for phase in plateau.phases]
    [('slow', 'The loss is still creeping down, at best to its floor, {floor}.')]
    """

    first: int
    """index of its first frame"""
    last: int
    """index of its last frame"""


@dataclass(frozen=True)
class Plateau(Verdict, FlatStretch):
    """One plateau, with why it stands still at the frame judged, and in each of its phases.

    Examples
    --------
    >>> from core import fit
    >>> (plateau,) = fit("f1", method="gd", epochs=1000).plateaus()
    >>> plateau
    <Plateau 1: epochs 54 to 650, loss 0.2432 to 0.1829, slow>
    >>> plateau.ends
    'More time can end it, or a crossing that opens a faster way.'
    """

    phases: tuple[Phase, ...]
    """what is true when; they cover the plateau"""

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
    below = stages_below_floor(config.training_data(), frames)
    return tuple(
        _judged(config, frames[place[stretch.first] : place[stretch.last] + 1], stretch, below)
        for stretch in flat_stretches(config, frames)
    )


def _judged(
    config: RunConfig, frames: Sequence[Frame], stretch: FlatStretch, below: frozenset[int]
) -> Plateau:
    phases = phases_of(config, frames, stretch.judged, below)
    (judged,) = (phase for phase in phases if phase.first <= stretch.judged <= phase.last)
    (frame,) = (frame for frame in frames if frame.index == stretch.judged)
    in_own_units = config.scale.loss
    sentence = fill(judged.sentence, in_own_units(frame.loss), in_own_units(frame.floor))
    verdict = {part.name: getattr(judged, part.name) for part in fields(Verdict)} | {"sentence": sentence}
    return Plateau(**vars(stretch), **verdict, phases=phases)


def phases_of(
    config: RunConfig, frames: Sequence[Frame], judged: int, below: frozenset[int] = frozenset()
) -> tuple[Phase, ...]:
    """The phases of the frames of a plateau; no floor bounds the loss in the stages `below`.

    The numbers behind a phase are those of its middle, or of the frame with the index `judged`.
    """
    whole = StandstillWords(config, frames, frames[0], below)
    found = []
    for (rule, sentence, ends), group in groupby(map(whole.at, frames), _rule_and_sentences):
        facts = list(group)
        middle = next((one for one in facts if one.frame.index == judged), facts[len(facts) // 2])
        neuron, datum = middle.about(rule.name)
        detail = " ".join(more.sentence(middle) for more in DETAILS if more.holds(middle))
        first, last = facts[0].frame.index, facts[-1].frame.index
        found.append(Phase(rule.reason, sentence, ends, detail, neuron, datum, first, last))
    return tuple(found)


def _rule_and_sentences(facts: StandstillWords) -> tuple[StandstillRule, str, str]:
    """The first rule that holds, and its sentences."""
    rule = next(rule for rule in STANDSTILL_RULES if rule.holds(facts))
    return rule, rule.sentence(facts), filled_in(rule.ends, facts)
