"""The Paper page's callbacks: what a part of the page holds, asked for when somebody comes near it.

The parts need the whole reproduction, which takes half a second to import: it is loaded when it is first
asked for, or by a thread once the server serves.
"""

from importlib import import_module
from typing import Any

from dash import MATCH, ClientsideFunction, Input, Output, State, callback, clientside_callback

from components.common.callback_guard import mapping, text
from components.common.theme import THEME_NAMES
from components.pages.paper.parts import PART

_PLACE = {"type": PART, "name": MATCH}

clientside_callback(
    ClientsideFunction(namespace="reading", function_name="watch"),
    Output("paper-watched", "data"),
    Input("paper", "id"),
)

clientside_callback(
    ClientsideFunction(namespace="reading", function_name="copy"),
    Output("bibtex-status", "children"),
    Input("copy-bibtex", "n_clicks"),
    State("bibtex", "id"),
    prevent_initial_call=True,
)


@callback(
    Output(_PLACE, "children"),
    Input(_PLACE, "data-near"),
    State(_PLACE, "id"),
    prevent_initial_call=True,
)
def fill(theme: str | None, place: dict[str, str]) -> Any:
    """The content of a part in a theme."""
    shade = theme if theme in THEME_NAMES else "light"
    return import_module("components.pages.paper.content").part(text(mapping(place).get("name")), shade)
