"""Every sentence that a rule can make is short and in the present tense, whatever numbers stand in it."""

import re
import sys
from collections.abc import Iterator
from string import Formatter
from types import SimpleNamespace
from typing import Any, get_args

import numpy as np
import pytest

from core.analysis.forecast.result import ForecastReason
from core.config.run_config import RunConfig
from core.methods import METHODS
from core.model.pattern.changes import RELOCATION_REASONS, Change, ChangeKind
from core.narrative.cautions import caution
from core.narrative.endings import ENDINGS, sentence_of
from core.narrative.forecast import CERTAIN, SENTENCES
from core.narrative.methods import words_of
from core.narrative.plateaus import DETAILS, STANDSTILL_RULES
from core.narrative.stage_facts import PINS_NAMED, StageWords
from core.narrative.story import CHANGES, HEADLINES, MOMENTS, WHYS

MOST_WORDS = 25
NOT_PRESENT = re.compile(r"\b(was|were|will|would|had|did|fell|rose|crossed|exploded|became)\b")
PLACE = "date = 1958-03-29 12:30:00"
HOPPERS = f"neuron 300 hops over {PLACE}, as do 299 more"
LONGEST = {
    "stands": "stands still",
    "beginning": "",  # tested by itself
    "begun": "1.23·10⁻⁴",
    "certainly": "; this stage is certain to end",
    "crossings": "12,345 stage changes",
    "ends": "",  # sentences of their own
    "epoch": "iteration 12,345",
    "excess": "less than 0.001 %",
    "floor": "1.23·10⁻⁴",
    "floor_change": "falls from 1.234·10⁻⁴ to 1.233·10⁻⁴",
    "gain": "less than 0.001 %",
    "hoppers": HOPPERS,
    "longest": "1.2·10¹² epochs",
    "loosened": "1.23·10⁻⁴",
    "loss": "1.23·10⁻⁴",
    "loss_change": "falls from 1.234·10⁻⁴ to 1.233·10⁻⁴",
    "number": "12,345",
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
    for rules in (HEADLINES, CHANGES, MOMENTS, WHYS, STANDSTILL_RULES, DETAILS):
        for rule in rules:
            yield rule.name, rule.template
    for rule in STANDSTILL_RULES:
        yield f"{rule.name} ends", rule.ends
    for name, method in METHODS.items():
        for kind, text in words_of(method())._asdict().items():
            yield f"{name} {kind}", text
    yield "certain", CERTAIN


def check(name: str, text: str) -> None:
    """Every sentence of a text is short and in the present tense."""
    assert text.endswith(".")
    for sentence in sentences_of(text):
        assert len(sentence.split()) <= MOST_WORDS, f"{name}: {sentence}"
        assert not NOT_PRESENT.search(sentence), f"{name}: {sentence}"


@pytest.mark.parametrize(("name", "template"), list(templates()))
def test_no_sentence_of_a_rule_is_long(name: str, template: str) -> None:
    asked = {part for _, part, _, _ in Formatter().parse(template) if part}
    assert asked <= LONGEST.keys(), f"say in LONGEST how long {asked - LONGEST.keys()} can be"
    for sentence in sentences_of(template.format(**LONGEST)):
        assert len(sentence.split()) <= MOST_WORDS, f"{name}: {sentence}"
    assert not NOT_PRESENT.search(template), f"{name}: {template}"


@pytest.fixture
def far_places(monkeypatch: pytest.MonkeyPatch) -> None:
    """Data whose places have long names."""
    for module in (sys.modules["core.narrative.forecast"], sys.modules["core.narrative.stage_facts"]):
        monkeypatch.setattr(module, "position", lambda data, k: PLACE)  # noqa: ARG005
        monkeypatch.setattr(module, "place_of_bias", lambda data, b: PLACE.split(" = ")[1])  # noqa: ARG005
        monkeypatch.setattr(module, "hoppers", lambda data, pin: HOPPERS)  # noqa: ARG005


KINDS = [
    *((kind, datum) for kind in get_args(ChangeKind) for datum in (0, 99)),
    *(("relocated", -1 - i) for i in range(len(RELOCATION_REASONS))),
    ("moved", -1),
]
CONFIG = RunConfig.from_query("target=f1&width=300")
M = CONFIG.training_data().m


@pytest.mark.usefixtures("far_places")
@pytest.mark.parametrize(("kind", "datum"), KINDS)
@pytest.mark.parametrize("gap", [0, 50, M])
def test_no_headline_is_long(kind: ChangeKind, datum: int, gap: int) -> None:
    changes = [Change(1.0, 299, kind, datum)] * 300
    frame: Any = SimpleNamespace(gap=np.full(300, gap), pin=np.full(300, -1), b=np.full(300, 0.5))
    stage: Any = SimpleNamespace(number=12_344, start=123_456.0, changes=changes)
    facts = StageWords(CONFIG, stage, [frame], None)
    for rule in HEADLINES:
        check(f"{rule.name}, {kind}", rule.template.format(**LONGEST | {"beginning": facts.beginning}))


@pytest.mark.usefixtures("far_places")
def test_no_state_of_the_neurons_is_long() -> None:
    gap = np.repeat([0, 50, M], 100)
    frame: Any = SimpleNamespace(gap=gap, pin=np.where(gap == 50, 50, -1), b=np.zeros(300))
    text = StageWords(CONFIG, SimpleNamespace(changes=[]), [frame], None).neurons  # type: ignore[arg-type]
    assert text.count(PLACE) == PINS_NAMED
    check("state", text)


@pytest.mark.usefixtures("far_places")
@pytest.mark.parametrize("reason", get_args(ForecastReason))
@pytest.mark.parametrize(("kind", "datum"), [*KINDS, ("crossed", M - 1)])
def test_no_forecast_is_long(reason: str, kind: ChangeKind, datum: int) -> None:
    epoch, biases = 999_999_999_999.0, np.zeros((1, 300))
    found: Any = SimpleNamespace(
        events=[Change(epoch, 299, kind, datum)],
        outlook=SimpleNamespace(best_loss=1.234e-5, better=123, candidates=456),
        future=SimpleNamespace(b=biases, epoch=np.array([epoch])),
        ended=(SimpleNamespace(kind="trained", reason="all_dead"), {}),
        numbers={"stable": 1.234e-5, "step": 1.234e-5, "steps": 123.0},
        reached=epoch,
    )
    frame: Any = SimpleNamespace(gap=np.zeros(300), pin=np.full(300, -1), b=biases[0])
    check(reason, SENTENCES[reason](CONFIG, frame, found))


@pytest.mark.parametrize("reason", [*ENDINGS, "budget"])
@pytest.mark.parametrize("method", METHODS)
def test_no_end_of_a_run_is_long(method: str, reason: str) -> None:
    known = {field.name for field in METHODS[method].parameters()}
    rate = "&learning_rate=1" if "learning_rate" in known else ""
    config = RunConfig.from_query(f"target=f1&width=30&method={method}{rate}&epochs=1e8")
    if text := caution(config):
        check("caution", text)
    b, c = config.initial()
    m = config.training_data().m
    state: dict[str, Any] = {
        "b": b, "c": 1e3 * c, "gap": np.full(30, m), "epoch": 123_456.0, "losses": np.geomspace(9.0, 1e-5, 31)
    }  # fmt: skip
    end: Any = SimpleNamespace(kind="budget" if reason == "budget" else "trained", reason=reason)
    check(f"{method}, {reason}", sentence_of(config, end, state))
