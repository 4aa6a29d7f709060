"""The Lab page as a tree of Dash components.

Everything a reader can see or press is laid out here once. The player, its panels and the
controls are Dash components of our own (components/player); what they do is in
components/pages/lab/callbacks, but for what must not wait for the server.

    header   who is running, how fast, who watches; share, present, theme
    controls the settings, in folds with their own scroll; Run always in sight
    panels   up to three tiles of their own, the rest behind tabs in the fourth
    timeline one moment for every panel, and the sentence about it
"""

from collections.abc import Callable, Mapping
from typing import Any

from dash import dcc, html
from dash.development.base_component import Component

from components import player
from components.common import ids
from components.common.buttons import icon_button
from components.common.navigation import page_links
from components.pages.lab.classroom import embed_link, follow_bar, presenter_corner
from components.pages.lab.controls import settings_form
from components.pages.lab.dialogs import page_dialogs
from components.pages.lab.lesson import lesson_side
from components.pages.lab.presets import PRESETS
from components.pages.lab.welcome import welcome
from components.pages.lab.writing import number
from components.panels import PANELS
from components.panels.legend import legend
from components.panels.section import graph, neuron_choice, panel_section
from core.limits import LIMITS, Limits

Children = list[Any]
STUDY = "/study?seeds=20"
_SEEDS = "The present settings for 20 seeds"
_EXTRAS: dict[str, Callable[[], Component | None]] = {"biases": neuron_choice}
"""What stands beside the title of a panel."""
_STORES = (ids.BOOTED, ids.LINK, ids.QUESTION, ids.ANSWER, ids.SHARING, ids.SHARED, ids.COPIED)


def page_layout(
    specification: Mapping[str, Any], limits: Limits = LIMITS, embedders: str = "'self'"
) -> html.Div:
    """The whole page; `specification` is what the scripts must know (see specification.py)."""
    return html.Div(
        [
            dcc.Store(id=ids.SPECIFICATION, data=dict(specification)),
            *(dcc.Store(id=name) for name in _STORES),
            html.A("Skip to the pictures", href=f"#{ids.PANELS}", className="skip"),
            _header(),
            html.Div(
                [
                    html.Div(id="banner", className="banner", role="status", hidden=True),
                    html.P(id="link-note", className="link-note", role="status"),
                    welcome(),
                    follow_bar(),
                ],
                className="notices",
            ),
            html.Main(
                [
                    *(_title(), embed_link(), lesson_side(), _controls(limits), _workspace(), _stages()),
                    html.Div(id="floating"),
                ],
                id="lab",
            ),
            html.Div(id="toast", className="toast", role="status", **{"aria-live": "polite"}),
            *page_dialogs(embedders),
        ],
        id=ids.PAGE,
    )


def _title() -> html.H1:
    """Read by screen readers in present mode and in an iframe, which have no header."""
    return html.H1("Plateau Lab", className="visually-hidden present-title")


def _header() -> html.Header:
    return html.Header(
        [
            icon_button("settings-button", "Settings", "sliders", text="Settings", class_name="phone-only"),
            html.H1(html.A("Plateau Lab", href="/", className="brand")),
            html.Nav(
                _page_links("bar"),
                className="pages",
                **{"aria-label": "Pages"},
            ),
            html.Details(
                [
                    html.Summary("Pages", className="button quiet"),
                    html.Nav(_page_links("menu"), **{"aria-label": "More pages"}),
                ],
                className="phone-only pages-menu",
            ),
            html.Div(
                [
                    html.Span(id="run-chip", className="run-chip"),
                    html.Span(className="dot", id="run-dot", **{"aria-hidden": "true"}),
                    html.Span("", id="run-status", className="run-status"),
                ],
                className="run-line",
                role="status",
            ),
            html.Button("Stop", id="stop-here", className="button phone-only", type="button", hidden=True),
            html.Nav(
                [
                    html.Span(id="watching", className="watching"),
                    icon_button("panels-button", "Choose and order the panels", "grid", text="Panels"),
                    icon_button("copy-link", "Copy link to this moment", "link", text="Copy link"),
                    icon_button("share-button", "QR code and text for pasting", "qr", text="QR"),
                    icon_button(
                        "present-button", "Present mode: large type, no controls", "present", text="Present"
                    ),
                    icon_button("theme-button", "Light or dark", "theme"),
                    icon_button("keys-button", "Help and keys", "help"),
                ],
                className="tools",
                **{"aria-label": "Page"},
            ),
        ],
        id="bar",
    )


def _page_links(place: str) -> Children:
    """All pages; to the Study page the browser takes the settings of its link along."""
    more: dict[str, dict[str, Any]] = {
        "/study": {
            "href": STUDY,
            "title": f"How often? {_SEEDS}",
            "data-study": STUDY,
            "id": ids.control("to-study", place),
        },
        "/runs": {"title": "What this browser has run"},
    }
    return page_links("/", more)


def _controls(limits: Limits) -> html.Aside:
    return html.Aside(
        [
            html.Div(
                [
                    html.H2("Settings"),
                    icon_button("settings-close", "Close the settings", "close"),
                ],
                className="drawer-head",
            ),
            html.P(
                [
                    html.Span(id="comparison-text"),
                    " ",
                    html.A("Show only the first", id="comparison-first", href="/"),
                ],
                id="comparison",
                className="note",
                hidden=True,
            ),
            settings_form(PRESETS, limits),
            html.Div(
                [
                    html.Div(
                        id="progress", className="progress", role="progressbar", **{"aria-label": "Progress"}
                    ),
                    html.P(id="run-note", className="run-note", role="status"),
                    html.Div(
                        [
                            html.P(id="caution-text"),
                            html.A("Rescale the data", id="better-units", href="/", hidden=True),
                        ],
                        id="caution",
                        className="caution",
                        role="status",
                        hidden=True,
                    ),
                    html.Div(
                        [
                            html.Button(
                                [
                                    html.Span("Run", id="run-text"),
                                    html.Span("", id="run-cost", className="run-cost"),
                                ],
                                id="run",
                                className="button primary",
                                type="button",
                                disabled=True,  # until the link is read: it would start nothing
                            ),
                            html.Button(
                                "Freeze charts", id="pause", className="button", type="button", hidden=True
                            ),
                            html.Button("Stop", id="stop", className="button", type="button", hidden=True),
                            html.Button(
                                "Continue ×10",
                                id="continue",
                                className="button",
                                type="button",
                                title="The same run with ten times the budget",
                                hidden=True,
                            ),
                            html.Button(
                                "Show all",
                                id="further",
                                className="button",
                                type="button",
                                title="The same link, with the budget that the run was given since",
                                hidden=True,
                            ),
                        ],
                        className="run-buttons",
                    ),
                ],
                id="run-bar",
            ),
        ],
        id=ids.CONTROLS,
        **{"aria-label": "Settings"},
    )


def _workspace() -> html.Div:
    """The player around its panels."""
    return html.Div(
        player.Player(
            html.Div(
                [
                    html.Div(id="panel-tabs", role="tablist", hidden=True, **{"aria-label": "More panels"}),
                    *(
                        panel_section(panel, graph(panel), extra=_EXTRAS.get(name, lambda: None)())
                        for name, panel in PANELS.items()
                    ),
                    html.Div(
                        [
                            html.P(id="overlay-text"),
                            html.Button("Run", id="overlay-run", className="button primary"),
                            html.A(
                                "Reset the invalid settings",
                                id="overlay-out",
                                className="button",
                                href="/",
                                hidden=True,
                            ),
                            html.A(
                                "Open them as a study",
                                id="overlay-study",
                                className="button",
                                href="/study",
                                hidden=True,
                            ),
                        ],
                        id="overlay",
                        hidden=True,
                    ),
                ],
                id=ids.PANELS,
                tabIndex=-1,
            ),
            id=ids.PLAYER,
            ids={"tabs": "method-tabs", "bar": "moment-bar", "timeline": "timeline", "story": "explanation"},
            tables=ids.RUN_TABLES,
            **player.player_parts(),
            above=_hands_on(),
            beside=_beside_the_sentence(),
            below=presenter_corner(),
        ),
        id="workspace",
    )


def _beside_the_sentence() -> html.Div:
    button = {"className": "button", "type": "button"}
    return html.Div(
        [
            legend(),
            html.Button(
                "Forecast",
                id="forecast-button",
                title="What the theory says comes next, dotted in the pictures",
                **{**button, "aria-pressed": "true"},
            ),
            html.Button(
                "Stages",
                id="stages-button",
                title="Plateaus, forecasts and stages as tables",
                **{**button, "aria-expanded": "false", "aria-controls": ids.STAGES},
            ),
        ],
        className="beside",
    )


def _hands_on() -> html.Div:
    """The chosen neuron in the hand: moved by number or by push, and a run started from there."""
    button = {"className": "button", "type": "button"}
    return html.Div(
        [
            html.Label("", htmlFor="hands-bias", id="hands-name"),
            number("hands-bias"),
            html.Button("Push left", id="hands-left", **button),
            html.Button("Push right", id="hands-right", **button),
            html.P(id="hands-note"),
            html.Button("Start a run from here", id="hands-start", className="button primary", type="button"),
            html.Button("Cancel", id="hands-drop", className="button quiet", type="button"),
        ],
        id="hands-on",
        hidden=True,
        role="group",
        **{"aria-label": "Start from an edited network"},
    )


def _stages() -> html.Aside:
    return html.Aside(
        [
            html.Div(
                [html.H2("Plateaus and stages"), icon_button("stages-close", "Close the stages", "close")],
                className="drawer-head",
            ),
            html.Div(
                [
                    html.P(
                        "Analysing the stages…",
                        id="stages-working",
                        className="note",
                        role="status",
                        **{"data-part": "working"},
                    ),
                    html.Div(id=ids.PLATEAU_TABLE),
                    html.Div(id=ids.FORECAST_TABLE, **{"data-part": "record"}),
                    html.Div(id=ids.STAGE_TABLE, **{"data-part": "stages"}),
                ],
                id=ids.RUN_TABLES,
                className="drawer-body",
            ),
        ],
        id=ids.STAGES,
        hidden=True,
        **{"aria-label": "Stages"},
    )
