"""What is happening in a stage, in sentences, each with the condition under which it is true.

A stage has one story for all of its frames, and the numbers of a moment are filled in (by
`fill`, and in the browser by the same rule): the floor belongs to the stage, the loss to the
moment. Neurons and stages are counted from 1 for people.

The floor Q_0 bounds the loss of every network with the pattern. It comes from a tangent space, so
that it need not be reached, least of all where it is 0, and no sentence says that it can be. It
falls only with another pattern: when a bias crosses a datum, or a pinned one comes free.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ..config.run_config import RunConfig
from ..frames.frame import Frame
from ..frames.stages import Stage
from .numbers import fill
from .rules import SentenceRule, always, first_true
from .stage_facts import StageWords

HEADLINES: tuple[SentenceRule[StageWords], ...] = (
    SentenceRule("began", "Stage {number}, from {when}: {beginning}.", always),
)
CHANGES: tuple[SentenceRule[StageWords], ...] = (
    SentenceRule("first", "", lambda s: s.before is None),
    SentenceRule("solved", "The loss {loss_change}.", lambda s: s.solves),
    SentenceRule("floor", "The floor {floor_change}.", lambda s: s.compares_floors),
    SentenceRule("no floor", "", always),
)
MOMENTS: tuple[SentenceRule[StageWords], ...] = (
    SentenceRule("fitted", "The loss is {loss}: 0 but for rounding.", lambda s: s.is_fitted),
    SentenceRule("solved", "The loss is {loss}, the least for these biases.", lambda s: s.solves),
    SentenceRule("hopping", "The loss is {loss}; no floor holds while a neuron hops.", lambda s: s.hops),
    SentenceRule(
        "above the floor",
        "The loss is {loss}, {excess} above the floor {floor}.",
        lambda s: s.has_floor,
    ),
    SentenceRule(
        "floor 0",
        "The loss is {loss}; the floor of this stage is 0, a bound that need not be reached.",
        lambda s: s.floor_value == 0,
    ),
    SentenceRule(
        "below the floor",
        "The loss is {loss}. A bias that counts as pinned hops over its data point, so no floor holds.",
        always,
    ),
)
WHYS: tuple[SentenceRule[StageWords], ...] = (
    SentenceRule(
        "fitted",
        "Nothing is left to learn. Only a step that makes it worse ends this.",
        lambda s: s.is_fitted,
    ),
    SentenceRule(
        "moving",
        "During this stage the loss goes from {begun} to {reached}.",
        lambda s: s.is_moving,
    ),
    SentenceRule(
        "hopping",
        "The steps are too large here: {hoppers}. A smaller learning rate ends it.",
        lambda s: s.hops,
    ),
    SentenceRule(
        "solved",
        "The coefficients are the best ones for these biases: only a bias that moves lowers the loss.",
        lambda s: s.solves,
    ),
    SentenceRule(
        "well above the floor",
        "The floor, {floor}, is well below the loss: it does not hold the loss back.",
        lambda s: (s.has_floor or s.floor_value == 0) and s.is_well_above_floor,
    ),
    SentenceRule(
        "at the floor",
        "No network with this activation pattern has a loss below {floor}. "
        "Only {way} can lower this bound{certainly}.",
        lambda s: s.has_floor,
    ),
    SentenceRule("no floor", "The steps of {title} decide how the loss goes on.", always),
)


@dataclass(frozen=True)
class Story:
    """One stage: what began it, who can move, how the loss stands, and what holds it back."""

    headline: str
    change: str
    """What the beginning does to the floor, or to the loss; may be empty."""
    state: str
    moment: str
    """A template with {loss} and {excess}."""
    why: str
    """What holds the loss back in this stage, and what ends that; on a plateau its own sentences say so."""
    text: str
    """Headline, change and moment at the last frame, for readers who fill nothing in."""


def explain(config: RunConfig, stage: Stage, frames: Sequence[Frame], before: Frame | None) -> Story:
    """The story of a stage that has these frames, after the frame `before`."""
    facts = StageWords(config, stage, frames, before)
    rules = (HEADLINES, CHANGES, MOMENTS, WHYS)
    headline, change, moment, why = (first_true(each, facts).sentence(facts) for each in rules)
    in_own_units = facts.data.scale.loss
    last = fill(moment, in_own_units(facts.last.loss), in_own_units(facts.floor_value))
    text = " ".join(filter(None, (headline, change, last)))
    return Story(headline, change, facts.neurons, moment, why, text)
