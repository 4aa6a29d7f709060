"""The Study page as a tree of Dash components."""

from collections.abc import Sequence
from typing import Any

from dash import dcc, html

from components import player
from components.common.run_styles import plain_title
from components.common.theme_styles import swatch
from components.pages.study.captions import PICTURES, caption
from components.pages.study.content import progress
from components.pages.study.form import study_form
from components.pages.study.grid import NUMBERS, run_grid
from components.pages.study.groups import Group
from components.pages.study.view import StudyView
from components.pages.study.words import groups_title
from core.service import StudyInfo

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
_STORES = tuple(
    f"study-{name}"
    for name in (
        "id",
        "seen",
        "theme",
        "gone",
        "picked",
        "begun",
        "columns",
        "only",
        "group",
        "folded",
        "asked",
    )
)
NOTHING = "nothing"
"""The class of what is out of sight until there is a study; laid out all the same, since a plot or a grid
that stands in no place draws itself at a wrong size."""
_MOST_OWN = 10


def introduction() -> list[Any]:
    """What stands above all that changes, before Dash has begun."""
    return [
        html.H1("Compare many runs"),
        html.P("Choose what varies, press Run, and see how often each choice succeeds.", className="lead"),
    ]


def study_layout(view: StudyView) -> html.Div:
    """Everything that changes, as a link looks at it."""
    return html.Div(
        [
            dcc.Location(id="study-url", refresh=False),
            dcc.Interval(id="study-tick", interval=1_000),
            *(dcc.Store(id=name) for name in _STORES),
            study_form(),
            *_question(),
            *_progress(),
            # Nothing of it before there is a study: no axes and no table of nothing.
            html.Div(
                [html.P(id="study-headline", role="status"), *_groups(view), _pictures(view), *_table()],
                id="study-results",
                className=NOTHING,
            ),
            html.Div(id="study-own"),
        ],
        id="study-page",
    )


def _question() -> list[Any]:
    return [
        html.Details(
            [
                html.Summary("As a link"),
                html.Label("Every setting of a link may hold a list.", htmlFor="study-query"),
                dcc.Input(id="study-query", type="text", spellCheck="false", autoComplete="off"),
            ],
            id="study-spelled",
            className="study-ask",
        ),
        html.P(id="study-note", className="run-note", role="status"),
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
                html.Span(id="study-progress", role="status"),
            ],
            className="study-progress",
        )
    ]


def own_studies(infos: Sequence[StudyInfo], *, unfolded: bool) -> list[html.Details]:
    """The studies that a browser has begun, to find them again."""
    if not infos:
        return []
    entries = [
        html.Li([html.A(plain_title(info.query), href=f"/study?{info.query}"), f" {progress(info)}"])
        for info in infos[:_MOST_OWN]
    ]
    return [html.Details([html.Summary("Your studies"), html.Ul(entries)], open=unfolded)]


def _groups(view: StudyView) -> list[Any]:
    return [
        html.Div([_choice("Groups", "group", view, ["method"])], className="study-choices"),
        html.Ul(id="study-legend"),
    ]


def _own_choices(name: str, view: StudyView) -> list[html.Div]:
    """What is chosen for one picture alone, in its card."""
    if name == "reached":
        choices = [_choice("Loss to reach", "level", view, [])]
    elif name == "scatter":
        choices = [_choice("Across", "across", view, NUMBERS), _choice("Up", "up", view, NUMBERS)]
    else:
        return []
    return [html.Div(choices, className="study-choices")]


def _choice(text: str, name: str, view: StudyView, values: Sequence[str]) -> html.Div:
    """What is picked stands in the link (`remember` in assets/study.js)."""
    picked = player.Select(id=f"pick-{name}", options=choices(values), value=getattr(view, name))
    return html.Div([html.Label(text, htmlFor=f"pick-{name}"), picked], className="study-choice")


def choices(values: Sequence[str]) -> list[tuple[str, str]]:
    """The options of a list: each value and what it is called."""
    return [(value, groups_title(value)) for value in values]


def legend(groups: Sequence[Group], rest: str, only: str) -> list[html.Li]:
    """The lines of the groups, for all pictures; each can be shown alone. Last a remark, if there is one."""
    entries = [
        html.Li(
            html.Button(
                [html.I(style={"background": swatch(group.dash, group.colour)}), group.title],
                id={"type": "study-only", "group": group.title},
                type="button",
                title="Show it alone, the others faint",
                **{"aria-pressed": "true" if group.title == only else "false"},
            )
        )
        for group in groups
    ]
    return [*entries, *([html.Li(rest)] if rest else [])]


def _pictures(view: StudyView) -> html.Div:
    return html.Div(
        [
            html.Section(
                [
                    html.H2(title, id=f"study-title-{name}"),
                    *_own_choices(name, view),
                    dcc.Graph(
                        id=f"study-{name}",
                        figure=BLANK,
                        style={"height": "300px"},
                        config={"displaylogo": False, "displayModeBar": False, "responsive": True},
                    ),
                    html.P(caption(name, 1, 1), id=f"study-about-{name}", className="study-remark"),
                ],
                className="study-picture",
                **{"aria-labelledby": f"study-title-{name}"},
            )
            for name, title in PICTURES
        ],
        id="study-pictures",
        tabIndex=-1,
    )


def _table() -> list[Any]:
    return [
        html.H2("All runs"),
        html.P(
            [
                "Select a heading to sort, its menu to filter. Select a row to open it in the Lab. ",
                html.Span(id="study-chosen", role="status"),
            ],
            className="study-remark",
        ),
        run_grid(),
    ]
