"""Why the loss stands still on a plateau: sentences of the form "because …; it will end when …".

Each is a template with its condition (core.narrative.rules), read in the order of STANDSTILL_RULES:

    dead     every neuron is dead, so that nothing can move
    floor    less than a tenth of the loss lies above Q_0, or the data are fitted to rounding
    step     the steps overshoot: the loss goes up and down
    pinned   the loss is at the floor, which would be less than half without the pins
    slow     well above the floor, in directions that take long; for a method that solves for the
             coefficients, or does not follow the gradient: what it does gains little

The floor bounds the loss of every network with the pattern whose pinned biases stand on their
data, whatever the method. Where a bias that counts as pinned stands elsewhere the loss may lie
below, and no floor is spoken of.
"""

from collections.abc import Sequence
from typing import Literal

from ..config.run_config import RunConfig
from ..frames.frame import Frame
from .rules import SentenceRule, always, first_true
from .standstill import StandstillWords

Reason = Literal["floor", "slow", "pinned", "dead", "step"]

_STILL = "The loss stands still because "
_SLOW = "the way down to the floor {floor} is slow: at {epoch} it takes about {wait} to come 63 % closer"
_PATIENCE = "; it will end when enough have passed, or when a change of the pattern opens a faster way."

STANDSTILL_RULES: dict[SentenceRule[StandstillWords], Reason] = {
    SentenceRule(
        "all dead",
        _STILL + "every neuron is dead and sees no data point; it will not end, for nothing can change.",
        lambda s: s.is_dead and s.method.decays,
    ): "dead",
    SentenceRule(
        "all dead, other steps",
        _STILL + "every neuron is dead and sees no data point; {ends}.",
        lambda s: s.is_dead,
    ): "dead",
    SentenceRule(
        "fitted",
        _STILL + "nothing is left to learn; it will end only by steps that make it worse.",
        lambda s: s.is_fitted,
    ): "floor",
    SentenceRule(
        "hopping",
        _STILL + "{hoppers}; it will end with a smaller learning rate.",
        lambda s: s.hops,
    ): "step",
    SentenceRule(
        "too curved",
        _STILL + "the steps overshoot: it rose between {risen} recorded moments, and at {epoch} the "
        "sharpness {sharp} is above 2/η = {stable}; it will end when the sharpness is below that again.",
        lambda s: s.is_too_curved,
    ): "step",
    SentenceRule(
        "up and down",
        _STILL + "the steps overshoot: it rose between {risen} recorded moments; it will end when the "
        "steps become shorter or lead elsewhere.",
        lambda s: s.overshoots,
    ): "step",
    SentenceRule(
        "pinned",
        _STILL + "{held} pinned: at {epoch} {left} of it is above the floor {floor}, which would be "
        "{loosened} without the pins; it will end {certainly} one is let go, or a bias crosses a data point.",
        lambda s: s.is_pinned,
    ): "pinned",
    SentenceRule(
        "at the floor",
        _STILL + "at {epoch} {left} of it is above the floor {floor} of its pattern; it will end {certainly} "
        "a bias crosses a data point, or a pinned one is let go, and the floor falls.",
        lambda s: s.is_at_floor,
    ): "floor",
    SentenceRule(
        "slow direction",
        _STILL + _SLOW + ", in the slowest direction ({slow_neuron}) {longest}" + _PATIENCE,
        lambda s: s.has_slowest,
    ): "slow",
    SentenceRule("slow", _STILL + _SLOW + _PATIENCE, lambda s: s.is_slow): "slow",
    SentenceRule(
        "best coefficients",
        _STILL + "the coefficients are the best ones for these biases, and moving the biases gained "
        "{gain} in {span}; {ends}.",
        lambda s: s.method.solves_least_squares,
    ): "slow",
    SentenceRule("small gains", _STILL + "{title} gained {gain} in {span}; {ends}.", always): "slow",
}


def judge_standstill(
    config: RunConfig, frames: Sequence[Frame], frame: Frame
) -> tuple[Reason, str, int | None]:
    """Why the loss stands still over these frames, as it is at one of them; a sentence; the neuron in it."""
    facts = StandstillWords(config, frames, frame)
    rule = first_true(tuple(STANDSTILL_RULES), facts)
    return STANDSTILL_RULES[rule], rule.told(facts), facts.neuron_in(rule.template)
