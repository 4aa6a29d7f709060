"""What the controls show: everything after a change, and while somebody types only what is judged."""

from collections.abc import Iterator
from typing import Any

import pytest
from dash import no_update

from components.common import ids
from components.common.help import POINTS_EXAMPLE
from components.pages.lab.callbacks.form import names_of, placed, shown
from components.pages.lab.edits import ACTS
from components.pages.lab.form_answer import answer_to
from components.pages.lab.layout import page_layout
from components.pages.lab.specification import specification
from core.config.fields import FIELDS
from core.service.accounts import Client
from core.service.service import RunService
from core.service.settings import Settings
from tests.components.tree import attribute, components

PAGE = page_layout(specification())
IDS = [attribute(part, "id") for part in components(PAGE)]
NAMES = names_of(PAGE)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunService]:
    """A service that computes nothing: it is never started."""
    home = tmp_path_factory.mktemp("home")
    service = RunService(Settings(home=home, library=home / "library"))
    yield service
    service.close()


def show(service: RunService, config: str, *edits: Any, cause: str = "change") -> dict[str, Any]:
    question = {"version": 1, "cause": cause, "config": config, "edits": list(edits)}
    return shown(answer_to(question, service, Client("me", "me")), NAMES)


def texts(values: dict[str, Any]) -> dict[str, Any]:
    return dict(zip(NAMES["value"], values["value"], strict=True))


def test_there_is_a_control_for_every_field_and_kind() -> None:
    named = {name.partition(":")[0] for name in NAMES["value"]}
    assert named == {spec.name for spec in FIELDS} - {"data", "method", "epochs"}
    kinds = {name["type"] for name in IDS if isinstance(name, dict)}
    assert kinds - {"points", "slider"} <= set(ACTS), "what is entered there is understood"


def test_everything_that_is_said_has_a_place_on_the_page(service: RunService) -> None:
    said = placed(show(service, "target=five&width=7"), NAMES)
    assert [place for place, _ in said if place not in IDS] == []
    assert (ids.control("field", "width"), {"value": "7", "disabled": False}) in said
    box = {"hidden": False, "data-invalid": None, "title": None}
    assert ("box-learning_rate", box) in said and ("budget-row-anls", {"hidden": True}) in said
    typed = placed(show(service, "", ["field", "width", "0"], cause="draft"), NAMES)
    assert ("box-width", {"data-invalid": "true"}) in typed, "what is not said is not there"


def test_an_opened_link_fills_every_control(service: RunService) -> None:
    values = show(service, "target=five&width=7&method=gd,anls&epochs=100,20&domain=-1,1")
    known = texts(values)
    assert known["width"] == "7" and known["points"] == "5" and known["seed"] == "0"
    assert dict(zip(NAMES["disabled"], values["disabled"], strict=True))["points"] is True
    assert dict(zip(NAMES["methods"], values["methods"], strict=True)) == {
        "first": ["gd", "anls"],
        "more": [],
    }
    budgets = dict(zip(NAMES["budget"], values["budget"], strict=True))
    assert (budgets["gd"], budgets["anls"]) == ("100", "20")
    assert values["gallery"] == "five" and values["watch"]
    assert values["source"] == "gallery"
    assert dict(zip(NAMES["part"], values["part"], strict=True))["gallery"] is False


def test_parameters_of_methods_that_do_not_run_are_hidden(service: RunService) -> None:
    hidden = dict(zip(NAMES["box"], show(service, "method=anls")["box"], strict=True))
    assert hidden["learning_rate"] is True and hidden["width"] is False


def test_while_somebody_types_nothing_but_the_judgement_changes(service: RunService) -> None:
    values = show(service, "", ["field", "width", "0"], cause="draft")
    assert set(values["value"]) == {no_update} and values["preset"] is no_update
    assert "whole numbers" in values["error width"]
    assert [name for name, bad in zip(NAMES["invalid"], values["invalid"], strict=True) if bad] == ["width"]
    assert show(service, "", ["field", "width", "5"], cause="draft")["error width"] == ""


def test_what_belongs_to_no_control_is_said_at_the_end(service: RunService) -> None:
    assert "wdith (did you mean width?)" in show(service, "wdith=10", cause="open")["ignored"]
    assert "weights" not in NAMES["value"]
    assert show(service, "weights=1,many", cause="open")["error query"]


def test_a_preset_is_recognised_and_explained(service: RunService) -> None:
    values = show(service, "", ["preset", "name", "sin5"])
    assert values["preset"] == "sin5" and values["preset_note"] and values["watch_hidden"] is True
    assert show(service, "seed=99")["preset"] == ""


def test_own_points_are_shown_as_rows_unless_they_are_too_many_or_dated(service: RunService) -> None:
    few = show(service, "data=0:1;0.123456789:2:3")
    assert few["points"] == "0, 1\n0.123456789, 2, 3"
    assert few["sketch"]["rows"] == [["0", "1"], ["0.123456789", "2", "3"]] and few["sketch"]["editable"]
    many = "\n".join(f"{k / 100},{k % 7 / 3}" for k in range(900))
    pasted = show(service, "", ["points", "text", many])
    assert pasted["points"].startswith("0, 0\n0.01, 0.333") and not pasted["sketch"]["editable"]
    assert pasted["points_hint"] == POINTS_EXAMPLE
    more = "\n".join(f"{k / 100},{k % 7}" for k in range(2_001))
    assert show(service, "", ["points", "text", more])["points"] == ""
    assert "2,001 points" in show(service, "", ["points", "text", more])["points_hint"]
    dated = show(service, "calendar=yes&data=0:1;365:2;730:0&labels=file.csv|date|y")
    assert dated["points"] == "" and "3 points with dates" in dated["points_hint"]
    assert show(service, "", ["points", "file", many])["points"] == many
    begun = show(service, "", ["points", "sketch", "0.5, 1"])
    assert begun["sketch"] is no_update and begun["points"] == "0.5, 1" and begun["error data"]
    blank = show(service, "", ["source", "data", ""])
    assert (
        blank["sketch"]["rows"] == []
        and dict(zip(NAMES["part"], blank["part"], strict=True))["data"] is False
    )


def test_cautions_and_better_units_stand_beside_run(service: RunService) -> None:
    assert show(service, "learning_rate=0.5")["caution"] is False
    assert show(service, "")["caution"] is True
    years = ";".join(f"{1950 + i}:{4000 + 30 * i}" for i in range(60))
    values = show(service, f"data={years}")
    assert values["better"] is False and values["better_link"].startswith("/?data=")


def test_a_formula_that_was_understood_in_another_way_is_read_back(service: RunService) -> None:
    for cause in ("draft", "change"):
        assert show(service, "", ["field", "target", "2x"], cause=cause)["read"] == "Read as 2*x"
    assert show(service, "", ["field", "target", " sin( x ) "])["read"] == ""
    assert show(service, "target=five")["read"] == ""
