"""Every sentence that a rule can make is short and in the present tense, whatever numbers stand in it."""

import re
from collections.abc import Iterator
from string import Formatter

import pytest

from core.methods import METHODS
from core.narrative.forecast import CERTAIN
from core.narrative.methods import words_of
from core.narrative.plateaus import DETAILS, STANDSTILL_RULES
from core.narrative.stage_facts import SLOW_ENDS
from core.narrative.story import HEADLINES, MOMENTS, WHYS

MOST_WORDS = 25
NOT_PRESENT = re.compile(r"\b(was|were|will|would|had|did|fell|rose|crossed|exploded|threw|became)\b")
PLACE = "date = 1958-03-29"
LONGEST = {
    "stands": "stands still",
    "beginning": f"neuron 300, of little use, is taken to {PLACE}, and 299 more change place",
    "begun": "1.23·10⁻⁴",
    "certainly": "; this stage is certain to end",
    "crossings": "12,345 stage changes change little",
    "ends": "",  # sentences of their own
    "epoch": "iteration 12,345",
    "excess": "less than 0.001 %",
    "floor": "1.23·10⁻⁴",
    "floor_change": "falls from 1.234·10⁻⁴ to 1.233·10⁻⁴",
    "gain": "less than 0.001 %",
    "hoppers": f"neuron 300 hops over {PLACE}, as do 299 more",
    "left": "less than 0.001 %",
    "longest": "1.2·10¹² epochs",
    "loosened": "1.23·10⁻⁴",
    "loss": "1.23·10⁻⁴",
    "loss_change": "falls from 1.234·10⁻⁴ to 1.233·10⁻⁴",
    "number": "12,345",
    "patience": "",
    "pins": f"neuron 300 is pinned at {PLACE}",
    "reached": "1.23·10⁻⁴",
    "risen": "123 of 456",
    "sharp": "1.23·10⁻⁴",
    "slow_neuron": "neuron 300 more than others",
    "span": "iterations 12,345 to 123,456",
    "stable": "1.23·10⁻⁴",
    "title": "LS/Adam",
    "wait": "1.2·10¹² epochs",
    "way": "a crossing, or a pinned neuron that comes free,",
    "when": "iteration 123,456",
}
"""The longest text that each name of a template can stand for; a name that is missing here fails."""


def sentences_of(text: str) -> list[str]:
    """The sentences of a text."""
    return [part for part in re.split(r"(?<=[.!?]) +(?=[A-Z{])", text) if part]


def templates() -> Iterator[tuple[str, str]]:
    """Every template of every rule, and every fixed sentence, with a name."""
    for rules in (HEADLINES, MOMENTS, WHYS, STANDSTILL_RULES, DETAILS):
        for rule in rules:
            yield rule.name, rule.template
    for rule in STANDSTILL_RULES:
        yield f"{rule.name} ends", rule.ends
    for name, method in METHODS.items():
        for kind, text in words_of(method())._asdict().items():
            yield f"{name} {kind}", text
    yield "certain", CERTAIN
    yield "slow", SLOW_ENDS


@pytest.mark.parametrize(("name", "template"), list(templates()))
def test_no_sentence_of_a_rule_is_long(name: str, template: str) -> None:
    asked = {part for _, part, _, _ in Formatter().parse(template) if part}
    assert asked <= LONGEST.keys(), f"say in LONGEST how long {asked - LONGEST.keys()} can be"
    for sentence in sentences_of(template.format(**LONGEST)):
        assert len(sentence.split()) <= MOST_WORDS, f"{name}: {sentence}"
    assert not NOT_PRESENT.search(template), f"{name}: {template}"
