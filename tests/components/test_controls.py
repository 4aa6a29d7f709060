"""The settings form: a control for every field, from the declaration of the field alone."""

import dataclasses
from typing import Any

import pytest
from dash import dcc

from components import player
from components.common import ids
from components.common.settings import target_defaults, usual_epochs
from components.common.view import split_query
from components.pages.lab import first_visit
from components.pages.lab.controls import field_control, settings_form
from components.pages.lab.first_visit import FIRST_VISIT
from components.pages.lab.presets import PRESETS, Preset
from components.pages.lab.writing import slider_range, slider_scales
from core.config.field_spec import FieldSpec
from core.config.fields import FIELDS
from core.config.run_config import race_from_query, race_to_query
from core.limits import LIMITS
from core.methods import METHODS
from core.narrative.forecast import forecast
from core.narrative.plateaus import plateaus_of
from core.problem.gallery import TARGETS
from core.run.train import train
from tests.components.tree import attribute, components, kind, text_of

FORM = list(components(settings_form(PRESETS)))
IDS = [str(attribute(part, "id")) for part in FORM if attribute(part, "id")]
WRITABLE = (dcc.Input, dcc.Textarea, player.Select)
"""What needs a label of its own; the options of Choices have theirs."""


def spelled(part: Any) -> str:
    """The id of a control's element."""
    name = attribute(part, "id")
    return ids.element_id(name["type"], name["name"])


@pytest.mark.parametrize("spec", FIELDS, ids=lambda spec: spec.name)
def test_every_field_has_a_control_and_a_place_for_its_error(spec: FieldSpec) -> None:
    assert ids.error_id(spec.name) in IDS
    if spec.name in ("target", "data", "method", "epochs"):
        return
    box = field_control(spec)
    parts = list(components(box))
    (label,) = (part for part in parts if attribute(part, "id") == f"label-{spec.name}")
    (control,) = (part for part in parts if isinstance(part, WRITABLE) and spelled(part) == label.htmlFor)
    assert control.id["type"] == "field" and control.id["name"].partition(":")[0] == spec.name
    assert "value" in control.available_properties
    assert text_of(label).startswith(spec.label) and spec.symbol in text_of(label)
    assert spec.help in text_of(box)
    described = f"{getattr(box, 'aria-describedby')} {getattr(box, 'aria-labelledby')}"
    assert set(described.split()) <= {str(attribute(part, "id")) for part in parts}


def test_ids_are_unique() -> None:
    assert len(IDS) == len(set(IDS))


def test_every_visible_input_has_a_label() -> None:
    labelled = {attribute(part, "htmlFor") for part in FORM}
    for part in FORM:
        if isinstance(part, WRITABLE):
            assert spelled(part) in labelled, f"{kind(part)} {part.id} has no label"


def test_every_method_and_target_is_offered() -> None:
    chips = [part for part in FORM if isinstance(part, player.Choices) and part.id["type"] == "methods"]
    assert {option["value"] for part in chips for option in part.options} == set(METHODS)
    listed = [option for part in FORM if isinstance(part, player.Select) for option in part.options]
    grouped = [option for _, texts in listed if isinstance(texts, list) for option in texts]
    assert set(TARGETS) <= {value for value, _ in (*listed, *grouped)}
    assert {str(ids.control("budget", name)) for name in METHODS} <= set(IDS)


def test_the_browser_knows_the_scale_of_every_slider() -> None:
    sliders = [part.id["name"] for part in FORM if isinstance(part, dcc.Input) and part.type == "range"]
    assert sorted(sliders) == sorted(slider_scales())


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


def test_the_first_visit_shows_a_loss_at_its_floor_until_a_crossing_lets_it_drop() -> None:
    """The paper's story: one plateau, at its floor; a crossing ends it; ANLS needs some dozens of moves."""
    descent, anls = race_from_query(first_visit.RACE)
    frames = list(train(descent))
    (plateau,) = plateaus_of(descent, frames)
    assert plateau.why == "floor" and plateau.begin < first_visit.MOMENT < plateau.end
    assert plateau.ends == "Only a crossing can lower it."
    now = max((one for one in frames if one.epoch <= first_visit.MOMENT), key=lambda one: one.epoch)
    coming = forecast(descent, now)
    assert (coming.kind, coming.neuron) == ("crossed", 2) and coming.epoch is not None
    assert first_visit.MOMENT < coming.epoch < plateau.end
    assert frames[-1].loss < plateau.loss_end / 10.0
    *_, last = train(anls)
    assert last.epoch < 100 and last.loss < frames[-1].loss / 3.0
