"""The page's skeleton: what the scripts look for is there, once, and named for people who do not see it."""

from pathlib import Path

import pytest
from dash import Dash, dcc, html
from dash.development.base_component import Component

from components import player
from components.common.theme_styles import theme_styles
from components.pages.lab.callbacks import register_callbacks
from components.pages.lab.callbacks.form import names_of
from components.pages.lab.layout import page_layout
from components.pages.lab.specification import specification
from components.pages.lessons.folder import LessonFolder
from components.panels import PANELS
from components.panels.base import CallbackPanel, ServedPanel
from components.panels.section import graph, panel_section
from core.service.service import RunService
from core.service.settings import Settings
from tests.components.tree import attribute, components, kind, text_of

PAGE = list(components(page_layout(specification())))
IDS = [str(attribute(part, "id")) for part in PAGE if attribute(part, "id")]


def test_ids_are_unique() -> None:
    assert len(IDS) == len(set(IDS))


@pytest.mark.parametrize("name", PANELS)
def test_every_panel_has_its_parts(name: str) -> None:
    for part in ("panel", "title", "plot", "summary", "table"):
        assert f"{part}-{name}" in IDS


@pytest.mark.parametrize(
    "name",
    [
        "player",
        "stage-table",
        "plateau-table",
        "forecast-table",
        "run",
        "stop",
        "continue",
        "hands-on",
        "hands-bias",
        "letters",
    ],
)
def test_what_the_scripts_fill_is_there(name: str) -> None:
    assert name in IDS


@pytest.mark.parametrize("name", ["floating", "panel-tabs", "run-note", "import-head", "import-notes"])
def test_what_the_scripts_fill_with_elements_of_their_own_is_empty(name: str) -> None:
    """React has nothing there; every other text of the page is a property that Dash knows."""
    (place,) = [part for part in PAGE if attribute(part, "id") == name]
    assert not getattr(place, "children", None)


def test_every_button_says_what_it_does() -> None:
    for part in PAGE:
        if kind(part) == "Button":
            assert text_of(part).strip() or getattr(part, "aria-label", ""), attribute(part, "id")
            assert attribute(part, "type") == "button" or attribute(part, "id") == "overlay-run"


def test_run_waits_until_the_link_is_read() -> None:
    run = next(part for part in PAGE if attribute(part, "id") == "run")
    assert attribute(run, "disabled") is True, "pressed before, it would start nothing"


def test_landmarks_and_dialogs_are_named() -> None:
    for part in PAGE:
        if kind(part) in ("Aside", "Nav", "Dialog", "Section"):
            assert getattr(part, "aria-label", "") or getattr(part, "aria-labelledby", "") in IDS


@pytest.mark.parametrize("name", PANELS)
def test_a_panel_is_drawn_by_the_player_or_is_a_graph_of_python(name: str) -> None:
    place = next(part for part in PAGE if attribute(part, "id") == f"plot-{name}")
    assert isinstance(place, player.Panel) and attribute(place, "name") == name
    graphs = [part for part in components(place) if kind(part) == "Graph"]
    assert isinstance(PANELS[name], CallbackPanel) or len(graphs) == isinstance(PANELS[name], ServedPanel)
    if isinstance(PANELS[name], ServedPanel):
        assert graphs[0].figure["data"] == [], "its figure comes with its numbers"
    assert {attribute(place, part) for part in ("labelledBy", "describedBy", "table")} <= set(IDS)


@pytest.mark.parametrize(
    "content", [dcc.Graph(id="own"), html.Div(dcc.Graph(id="own")), html.P("words", id="own")]
)
def test_only_a_panel_with_numbers_offers_a_table(content: Component) -> None:
    panel = CallbackPanel("own", "Own", "What it shows.", content)
    (button,) = [
        part
        for part in components(panel_section(panel, graph(panel)))
        if "panel-data" in str(attribute(part, "className"))
    ]
    assert button.hidden == isinstance(content, html.P)


def test_there_is_one_player_with_all_panels_in_it() -> None:
    (whole,) = [part for part in PAGE if isinstance(part, player.Player)]
    assert [part.name for part in components(whole) if isinstance(part, player.Panel)] == list(PANELS)


def test_the_page_is_valid_for_dash(tmp_path: Path) -> None:
    app = Dash("page", suppress_callback_exceptions=False)
    app.layout = page = page_layout(specification())
    settings = Settings(home=tmp_path)
    register_callbacks(app, RunService(settings), LessonFolder(settings.lessons), names_of(page))
    assert app.server.test_client().get("/").status_code == 200
    assert app.server.test_client().get("/_dash-layout").status_code == 200


def test_both_themes_are_written_into_the_head() -> None:
    styles = theme_styles()
    for theme in ("light", "dark"):
        assert f'data-theme="{theme}"]:root{{--paper:#' in styles
    assert styles.count("--method-gd:#") == 2
