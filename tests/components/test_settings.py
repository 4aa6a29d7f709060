"""The settings as texts: what controls show is what the codec means, and a change writes what it reads."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.common.settings import (
    budgets_of,
    default_of,
    digests,
    is_given,
    methods_of,
    patched,
    query_of,
    raced,
    read_control,
    spelled,
    texts_of,
    usual_epochs,
    value_of,
)
from components.pages.lab.presets import PRESETS
from core.config.fields import FIELDS, PROBLEM_FIELDS
from core.config.run_config import race_from_query, race_to_query
from core.methods import METHODS
from core.problem.gallery import TARGETS
from core.spelling import format_number


@pytest.mark.parametrize(
    ("typed", "whole", "means"),
    [
        ("10^8", False, "1e8"),
        ("1 000 000", False, "1e6"),
        ("10000", True, "10000"),
        ("1e4", True, "10000"),
        ("10000", False, "1e4"),
        ("−0,5", False, "−0,5"),
        (" −0.50 ", False, "-0.5"),
        ("2.50", True, "2.5"),
        ("nan", False, "nan"),
        ("many", True, "many"),
        ("", False, ""),
    ],
)
def test_numbers_are_typed_as_people_write_them(typed: str, whole: bool, means: str) -> None:
    assert spelled(typed, whole=whole) == means


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_in_canonical_spelling_stays(value: float) -> None:
    text = format_number(value + 0.0)
    assert spelled(text) == text


@pytest.mark.parametrize("target", TARGETS)
def test_what_a_control_shows_is_what_the_link_means(target: str) -> None:
    texts = {"target": target}
    config = race_from_query(query_of(texts))[0]
    for spec in PROBLEM_FIELDS:
        if spec.name in ("target", "data", "biases", "width", "init"):
            continue
        assert value_of(spec.name, texts) == spec.write(getattr(config, spec.name)), spec.name


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_a_link_survives_its_texts(preset: object) -> None:
    query = preset.query  # type: ignore[attr-defined]
    assert query_of(texts_of(query)) == query
    race = race_from_query(query)
    budgets = budgets_of(texts_of(query))
    assert [float(budgets[config.method.name]) for config in race] == [config.epochs for config in race]
    assert query_of(raced(texts_of(query), methods_of(texts_of(query)), budgets)) == query


def test_a_repeated_key_and_odd_percent_signs_can_be_shown() -> None:
    assert texts_of("width=3&width=4&&=5&target=%zz&target") == {"width": "3", "target": "%zz"}


def test_what_is_usual_goes_from_the_link_and_what_is_not_stays() -> None:
    assert patched({"width": "20"}, {"width": default_of("width", {})}) == {}
    assert patched({}, {"width": "0"}) == {"width": "0"}
    assert patched({"target": "five", "points": "7"}, {"target": "f1"}) == {"points": "7"}
    assert patched({"seed": "3"}, {"seed": ""}) == {}


def test_a_parameter_leaves_with_its_last_method() -> None:
    race = {"method": "gd,anls", "learning_rate": "0.01"}
    assert patched(race, {"method": "anls"}) == {"method": "anls"}
    assert patched(race, {"method": "gd"}) == {"learning_rate": "0.01"}


def test_one_budget_for_all_or_one_for_each() -> None:
    usual = {name: usual_epochs(name) for name in METHODS}
    assert raced({}, ["gd", "anls"], usual) == {"method": "gd,anls"}
    assert raced({}, ["gd", "anls"], {**usual, "gd": "300", "anls": "300"})["epochs"] == "300"
    assert raced({}, ["gd", "anls"], {**usual, "gd": "2000", "anls": "30"})["epochs"] == "2000,30"
    assert raced({"epochs": "9"}, ["gd"], {**usual, "gd": ""}) == {}
    assert budgets_of({"method": "gd,anls", "epochs": "7"})["anls"] == "7"
    assert budgets_of({"method": "gd,anls", "epochs": "7"})["adam"] == usual["adam"]


def test_the_points_of_fixed_targets_and_own_data_are_given() -> None:
    fixed = [name for name in TARGETS if is_given({"target": name})]
    assert fixed == [name for name, target in TARGETS.items() if target.fixed]
    assert is_given({"data": "0:1;1:2"}) and not is_given({}) and not is_given({"target": "sin(x)"})


def test_lists_are_typed_with_any_separator() -> None:
    (biases,) = (spec for spec in FIELDS if spec.name == "biases")
    assert read_control(biases, "0.5; 1,  10^2\n-3") == "0.5,1,100,-3"


def test_a_closed_fold_says_what_is_in_it() -> None:
    assert digests({})["Target"] == TARGETS["f1"].title and digests({})["Data"] == "100 points, seed 0"
    assert digests({"target": "five"})["Data"].startswith("5 points")
    assert digests({"target": "cos(x)"})["Target"] == "cos(x)"
    own = digests({"data": "0:1;1:2", "method": "gd,anls"})
    assert own["Target"] == "own data" and own["Data"] == "seed 0"
    assert own["Method"] == f"{METHODS['gd'].title}, {METHODS['anls'].title}"


def test_unknown_methods_are_left_to_the_codec() -> None:
    assert methods_of({"method": "gd,rmsprop"}) == ["gd"]
    with pytest.raises(ValueError, match="rmsprop"):
        race_to_query(race_from_query("method=gd,rmsprop"))
