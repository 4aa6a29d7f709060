"""The Runs page: what this browser has run, to find again, to name, to compare."""

import dash
from dash import dcc, html
from flask import current_app

from components.pages.runs import callbacks
from components.pages.runs.entry import SEARCH_LENGTH
from components.pages.runs.own_runs import OwnRuns
from components.pages.runs.tokens import token_section
from core.service import MAX_ENTRIES

dash.register_page(
    __name__,
    path="/runs",
    name="Runs",
    title="Runs · Plateau Lab",
    order=4,
    assets=("runs.css", "reading.js"),
    without=("lab.min.js", "dash_table/", "dash_ag_grid/"),
)
__all__ = ["callbacks", "layout"]
_STORES = ("selected", "first", "edited", "changed", "gone", "focus", "focused")


def layout(q: str = "", **_: str) -> html.Div:
    """The search, the buttons, and the place of the list."""
    return html.Div(
        [
            *(dcc.Store(id=f"runs-{name}") for name in _STORES),
            dcc.Location(id="runs-url", refresh=True),
            html.H1("Your runs"),
            html.P(
                f"Your last {MAX_ENTRIES} runs, pinned first. Select two or more to compare them. "
                "Links stay valid: the server computes again what it no longer has.",
                className="lead",
            ),
            html.Div(
                [
                    html.Div(
                        [
                            html.Label("Search", htmlFor="runs-search", className="visually-hidden"),
                            dcc.Input(
                                id="runs-search",
                                type="search",
                                value=q[:SEARCH_LENGTH],
                                maxLength=SEARCH_LENGTH,
                                debounce=0.4,
                                placeholder="Search: anls width 10",
                            ),
                            html.Button(
                                "Compare", id="runs-compare", className="button primary", type="button"
                            ),
                            html.Span(id="runs-elsewhere", className="note", role="status"),
                        ],
                        className="runs-tools",
                    ),
                    html.P(id="runs-error", className="runs-error", role="alert"),
                    html.Div(
                        [
                            html.Span(id="runs-gone-title", role="status"),
                            html.Button("Undo", id="runs-undo", className="button", type="button"),
                        ],
                        id="runs-undo-bar",
                        className="runs-undo",
                        hidden=True,
                    ),
                ],
                id="runs-head",
            ),
            html.Div(id="runs-list"),
            html.P(
                [
                    html.Button("Newer runs", id="runs-newer", className="button", type="button"),
                    html.Button("Older runs", id="runs-older", className="button", type="button"),
                ],
                className="runs-tools",
            ),
            token_section(OwnRuns(current_app.extensions["runs"]).tokens()),
        ],
        className="wide",
    )
