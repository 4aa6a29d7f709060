"""Several runs in one picture: how they are told apart, and when there are too many."""

from itertools import combinations
from pathlib import Path

import pytest

from components.common.comparison import read_comparison
from components.common.run_styles import run_looks
from components.common.settings import read_control
from components.common.theme import METHOD_COLOURS, OVERLAY_COLOURS, THEMES, method_dash
from components.pages.lab.resolve import resolve
from core.config import FIELDS, runs_from_query
from core.service.service import RunService
from core.service.settings import Settings
from tests.components.colours import contrast, distances

BY_NAME = {spec.name: spec for spec in FIELDS}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> RunService:
    """A service that computes nothing: it is never started."""
    home: Path = tmp_path_factory.mktemp("home")
    return RunService(Settings(home=home, library=home / "library"))


def titles(query: str) -> list[str]:
    return [look["title"] for look in run_looks(runs_from_query(query).configs)]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("seed=0..2", ["seed 0", "seed 1", "seed 2"]),
        ("width=20,5&noise=0.1", ["width 5", "width 20"]),
        ("learning_rate=1e-3,0.01", ["η 0.001", "η 0.01"]),
        ("method=gd,anls&epochs=10", ["GD", "ANLS"]),
        ("method=gd,anls&learning_rate=0.01", ["GD", "ANLS"]),
        ("seed=1,2&method=gd,anls", ["seed 1, GD", "seed 1, ANLS", "seed 2, GD", "seed 2, ANLS"]),
        ("method=gd,anls&learning_rate=1e-3,0.01", ["η 0.001, GD", "η 0.01, GD", "ANLS"]),
        ("target=f1,sin(3*x)", ["f1", "sin(3*x)"]),
        ("seed=7", ["GD"]),
    ],
)
def test_a_legend_names_what_differs_and_nothing_else(query: str, expected: list[str]) -> None:
    assert titles(query) == expected


def test_runs_that_differ_in_many_settings_are_named_by_what_is_not_as_usual() -> None:
    link = "epochs=20&seed=61&also=width:20~seed:3!method:anls!target:five~seed:!data:0:1;1:2;2:0~seed:"
    looks = run_looks(read_comparison(link).configs)
    assert [look["title"] for look in looks] == [
        "f1, seed 61, GD",
        "f1, seed 3, width 20, GD",
        "f1, seed 61, ANLS",
        "five, GD",
        "data 0:1;1:2;2:0, GD",
    ]


def test_methods_keep_their_colours_where_methods_are_what_differs() -> None:
    race = run_looks(runs_from_query("method=gd,anls&seed=4").configs)
    assert [look["colours"]["light"] for look in race] == [METHOD_COLOURS["light"][m] for m in ("gd", "anls")]
    assert [look["name"] for look in race] == ["gd", "anls"]
    mixed = run_looks(runs_from_query("seed=1,2&method=gd,anls").configs)
    assert [look["colours"]["dark"] for look in mixed] == [OVERLAY_COLOURS["dark"][i] for i in (0, 0, 1, 1)]
    assert [look["dash"] for look in mixed] == [method_dash("gd"), method_dash("anls")] * 2
    assert len({look["name"] for look in mixed}) == 4


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_eight_colours_stay_apart_for_every_eye(theme: str) -> None:
    colours = OVERLAY_COLOURS[theme]
    assert len(set(colours)) == 8
    assert min(contrast(colour, THEMES[theme].panel) for colour in colours) > 2.8
    assert min(min(distances(*pair)) for pair in combinations(colours, 2)) > 11


def test_eight_runs_overlay_and_nine_are_a_study(service: RunService) -> None:
    eight = resolve("seed=0..7&epochs=100", service)
    assert not eight["errors"] and len(eight["runs"]) == 8 and eight["canonical"] == "epochs=100&seed=0..7"
    nine = resolve("seed=0..8&epochs=100&at=3", service)
    assert nine["errors"] == [
        {"field": "query", "error": "9 runs are asked for; the Lab shows up to 8 at a time"}
    ]
    assert nine["study"] == "/study?seed=0..8&epochs=100"
    assert resolve("seed=0..9999&width=5,10", service)["study"], "counted, not made"


@pytest.mark.parametrize(
    ("key", "typed", "expected"),
    [
        ("width", "5, 10,20", "5,10,20"),
        ("seed", "0..3", "0..3"),
        ("learning_rate", "10^-3, 0.01", "0.001,0.01"),
        ("biases", "0 1; 2 3", "0,1;2,3"),
        ("biases", "0.5; 1, 2", "0.5,1,2"),
        ("sampling", "equidistant,uniform", "equidistant,uniform"),
    ],
)
def test_a_control_takes_a_list(key: str, typed: str, expected: str) -> None:
    assert read_control(BY_NAME[key], typed) == expected
