"""The Study page as a tree of Dash components."""

from collections.abc import Sequence
from typing import Any

from dash import dcc, html

from components.buttons import icon_button
from components.document import PAGES
from components.study.grid import NUMBERS, run_grid
from core.spelling import format_number
from core.study import LEVELS
from reproduction.ready_studies import READY

BLANK: dict[str, Any] = {
    "data": [],
    "layout": {
        "xaxis": {"visible": False},
        "yaxis": {"visible": False},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "annotations": [
            {"text": "Drawn as the runs come in", "showarrow": False, "font": {"color": "#7a7a74"}}
        ],
    },
}
"""Before there is anything to draw: no axes of nothing."""
PICTURES: tuple[tuple[str, str, str], ...] = (
    (
        "bands",
        "Loss over epochs",
        "Line: the median run of each group. Bands: half of the runs, and four fifths of them, as long as "
        "the groups are few. A run that has ended keeps its last loss.",
    ),
    (
        "seconds",
        "Loss over seconds",
        "The median run of each group against the time that it takes to compute, as it is estimated before "
        "a run: for all on the same machine, which is none in particular.",
    ),
    (
        "reached",
        "How many got there",
        "The share of runs whose loss has fallen to the chosen value by an epoch.",
    ),
    ("losses", "Where they end", "Final losses on a logarithmic axis: shares of the runs of each group."),
    (
        "plateaus",
        "Longest plateau",
        "How long each run stood still at a stretch, in decades of epochs as on the Lab's axis.",
    ),
    (
        "widths",
        "Loss against width",
        "Medians and quartiles of the final loss. Dashed: the slopes −2 and −4 on logarithmic axes.",
    ),
    ("scatter", "Any two columns", "One marker a run; click it to open the run in the Lab at that moment."),
)
"""Name, title and explanation of each picture."""

_STORES = tuple(f"study-{name}" for name in ("id", "seen", "theme", "gone", "picked", "begun", "columns"))


def study_layout() -> html.Div:
    """The whole page."""
    return html.Div(
        [
            dcc.Location(id="study-url", refresh=False),
            dcc.Interval(id="study-tick", interval=1_000),
            *(dcc.Store(id=name) for name in _STORES),
            html.A("Skip to the pictures", href="#study-pictures", className="skip"),
            _header(),
            html.Main(
                [*_question(), *_progress(), _choices(), html.Ul(id="study-legend"), _pictures(), *_table()],
                id="study",
            ),
        ],
        id="study-page",
    )


def _header() -> html.Header:
    links = [
        html.A(text, href=path, **({"aria-current": "page"} if path == "/study" else {}))
        for path, text in PAGES
    ]
    return html.Header(
        [
            html.A("Plateau Lab", href="/", className="brand"),
            html.Nav(links, className="pages", **{"aria-label": "Pages"}),
            icon_button("study-theme-button", "Light or dark", "theme"),
        ],
        id="bar",
    )


def _question() -> list[Any]:
    ready = [html.Li([html.A(title, href=f"/study?{query}"), f" {said}"]) for title, query, said in READY]
    return [
        html.H1("How often, not just once"),
        html.P(
            "A study runs every combination of a link whose keys hold lists, such as seed=0..19 or "
            "width=5,10,20 or method=gd,anls, and shows what the runs say together.",
            className="lead",
        ),
        html.Details([html.Summary("Ready studies"), html.Ul(ready)], open=True, id="study-ready"),
        html.Div(
            [
                html.Label("Runs, as in a link", htmlFor="study-query"),
                # What is typed is looked at after a pause: to lay out ten thousand runs takes seconds.
                dcc.Input(
                    id="study-query",
                    type="text",
                    debounce=0.7,
                    spellCheck=False,
                    autoComplete="off",
                    className="study-query",
                ),
                html.P(id="study-note", className="run-note", role="status"),
            ],
            className="study-ask",
        ),
    ]


def _progress() -> list[Any]:
    button = {"className": "button", "type": "button"}
    return [
        html.Div(
            [
                html.Button("Run", id="study-run", className="button primary", type="button"),
                html.Button("Stop", id="study-stop", hidden=True, **button),
                html.Button("Resume", id="study-resume", hidden=True, **button),
                html.A("Save as CSV", id="study-csv", className="button", href="#", hidden=True),
                html.Progress(id="study-bar", max="1", value="0", hidden=True, **{"aria-label": "Runs done"}),
                html.Span(id="study-said", role="status"),
            ],
            className="study-progress",
        )
    ]


def _choices() -> html.Div:
    levels = [format_number(level) for level in LEVELS]
    return html.Div(
        [
            _choice("Groups", "group", ["method"], "method"),
            _choice("Loss to reach", "level", levels, format_number(1e-3)),
            _choice("Across", "x", NUMBERS, "longest_plateau"),
            _choice("Up", "y", NUMBERS, "loss"),
        ],
        className="study-choices",
    )


def _choice(text: str, name: str, values: Sequence[str], chosen: str) -> html.Div:
    """The browser's own list; assets/study.js passes on what is picked, and shows what is chosen."""
    return html.Div(
        [
            html.Label(text, htmlFor=f"pick-{name}"),
            html.Select(options(values), id=f"pick-{name}", className="study-select"),
            dcc.Store(id=f"study-{name}", data=chosen),
        ],
        className="study-choice",
    )


def options(values: Sequence[str]) -> list[html.Option]:
    """The entries of a list."""
    return [html.Option(value.replace("_", " "), value=value) for value in values]


def legend(entries: Sequence[tuple[str, str]]) -> list[html.Li]:
    """The colours of the groups, for all pictures; an entry without one is a remark."""
    return [
        html.Li([html.I(style={"background": colour}), name] if colour else name) for name, colour in entries
    ]


def _pictures() -> html.Div:
    return html.Div(
        [
            html.Section(
                [
                    html.H2(title, id=f"study-title-{name}", title=said),
                    dcc.Graph(
                        id=f"study-{name}",
                        figure=BLANK,
                        style={"height": "300px"},
                        config={"displaylogo": False, "displayModeBar": False, "responsive": True},
                    ),
                    html.P(said, className="study-said"),
                ],
                className="study-picture",
                **{"aria-labelledby": f"study-title-{name}"},
            )
            for name, title, said in PICTURES
        ],
        id="study-pictures",
        tabIndex=-1,
    )


def _table() -> list[Any]:
    return [
        html.H2("All runs"),
        html.P(
            ["A click on a heading sorts, its menu filters. ", html.Span(id="study-chosen", role="status")],
            className="study-said",
        ),
        run_grid(),
    ]
