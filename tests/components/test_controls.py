"""The settings form: a control for every field, from the declaration of the field alone."""

import dataclasses
from itertools import pairwise

import pytest

from components import player
from components.common import ids
from components.common.native import Input
from components.common.settings import target_defaults, usual_epochs
from components.common.view import split_query
from components.pages.lab import first_visit
from components.pages.lab.controls import field_control, settings_form
from components.pages.lab.first_visit import FIRST_VISIT
from components.pages.lab.presets import PRESETS, Preset
from components.pages.lab.specification import slider_range
from core.config.fields import FIELDS, FieldSpec
from core.config.run_config import race_from_query, race_to_query
from core.limits import LIMITS
from core.methods import METHODS
from core.narrative.plateaus import plateaus_of
from core.problem.gallery import TARGETS
from core.run.train import train
from tests.components.tree import attribute, components, text_of

FORM = list(components(settings_form(PRESETS)))
IDS = [str(attribute(part, "id")) for part in FORM if attribute(part, "id")]
ELEMENTS = [attribute(part, "element") for part in FORM if attribute(part, "element")]


@pytest.mark.parametrize("spec", FIELDS, ids=lambda spec: spec.name)
def test_every_field_has_a_control_and_a_place_for_its_error(spec: FieldSpec) -> None:
    assert ids.error_id(spec.name) in IDS
    if spec.name in ("target", "data", "method", "epochs"):
        return
    box = field_control(spec)
    parts = list(components(box))
    labels = [part for part in parts if attribute(part, "htmlFor") == ids.field_id(spec.name)]
    inputs = [part for part in parts if attribute(part, "element") == ids.field_id(spec.name)]
    assert len(labels) == len(inputs) == 1
    assert text_of(labels[0]).startswith(spec.label)
    assert spec.symbol in text_of(labels[0])
    assert spec.help in text_of(box)
    assert str(attribute(inputs[0], "id")["name"]).startswith(spec.name)
    described = attribute(inputs[0], "describedBy").split()
    assert set(described) <= {str(attribute(part, "id")) for part in parts}
    assert ids.field_id(spec.name) in ELEMENTS


def test_ids_are_unique() -> None:
    assert len(IDS) == len(set(IDS)) and len(ELEMENTS) == len(set(ELEMENTS))


def test_every_visible_input_has_a_label() -> None:
    labelled = {attribute(part, "htmlFor") for part in FORM}
    wrapped = {
        id(inner)
        for part in FORM
        if part._type == "Label"
        for inner in components(part)
        if isinstance(inner, Input | player.Tick)
    }
    for part in FORM:
        if part._type not in ("Input", "Entry", "Tick"):
            continue
        named = attribute(part, "element") in labelled or id(part) in wrapped or attribute(part, "label")
        assert named, f"{part._type} {attribute(part, 'id')} has no label"


def test_every_method_and_target_is_offered() -> None:
    ticks = [part.id for part in FORM if isinstance(part, player.Tick) and part.id["type"] == "method"]
    assert {tick["name"] for tick in ticks} == set(METHODS)
    listed = [option for part in FORM for option in attribute(part, "options") or ()]
    grouped = [option for _, texts in listed if isinstance(texts, list) for option in texts]
    assert set(TARGETS) <= {value for value, _ in (*listed, *grouped)}
    assert {f"field-epochs-{name}" for name in METHODS} <= set(ELEMENTS)


def test_a_new_choice_appears_by_itself() -> None:
    init = next(spec for spec in FIELDS if spec.name == "init")
    more = dataclasses.replace(init, choices=(*init.choices, "brand_new"))
    assert "brand new" in text_of(field_control(more))


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_presets_are_canonical_links_within_the_limits(preset: Preset) -> None:
    race = race_from_query(preset.query)
    assert race_to_query(race) == preset.query
    assert all(config.estimated_seconds() <= LIMITS.cpu_seconds for config in race)


def test_preset_names_are_unique() -> None:
    assert len({preset.name for preset in PRESETS}) == len(PRESETS)


@pytest.mark.parametrize("spec", FIELDS, ids=lambda spec: spec.name)
def test_sliders_stay_within_what_is_allowed(spec: FieldSpec) -> None:
    found = slider_range(spec, LIMITS)
    if found is None:
        return
    low, high, log = found
    assert spec.low <= low < high <= spec.highest(LIMITS)
    assert not log or low > 0


def test_defaults_are_spelled_as_links_do() -> None:
    for name in METHODS:
        query = race_to_query(race_from_query(f"method={name}&epochs={usual_epochs(name)}"))
        assert query in ("", f"method={name}")
    for name in TARGETS:
        defaults = [f"{key}={text}" for key, text in target_defaults(name).items()]
        canonical = race_to_query(race_from_query("&".join(["seed=1", f"target={name}", *defaults])))
        assert canonical == ("seed=1" if name == "f1" else f"seed=1&target={name}")


def test_the_first_visit_is_a_canonical_link_and_a_preset() -> None:
    query, view = split_query(FIRST_VISIT)
    assert race_to_query(race_from_query(query)) == query
    assert view.at is not None
    assert query in {preset.query for preset in PRESETS}


@pytest.mark.parametrize("name", [name for name, target in TARGETS.items() if target.fixed])
def test_a_target_of_fixed_points_says_how_many_they_are(name: str) -> None:
    race = race_from_query(f"target={name}")
    data = race[0].training_data()
    defaults = target_defaults(name)
    assert int(defaults["points"]) == data.m
    assert [float(end) for end in defaults["domain"].split(",")] == pytest.approx(
        data.scale.x(data.x[[0, -1]]).tolist()
    )


def test_the_first_visit_is_a_staircase_seen_from_its_second_plateau() -> None:
    """Three plateaus of half a decade and more, falls of three and more between, ANLS far below them."""
    descent, anls = race_from_query(first_visit.RACE)
    stairs = plateaus_of(descent, list(train(dataclasses.replace(descent, epochs=4e6))))
    assert len(stairs) == 3
    assert stairs[1].begin < first_visit.MOMENT < stairs[1].end
    assert all(one.end >= 10**0.5 * one.begin for one in stairs)
    assert all(one.loss_end >= 3.0 * after.loss_begin for one, after in pairwise(stairs))
    *_, last = train(anls)
    assert last.loss <= stairs[-1].loss_end / 30.0
