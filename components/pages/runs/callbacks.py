"""The Runs page's callbacks: thin, what they do is in own_runs.py and listing.py."""

from typing import Any

from dash import ALL, ClientsideFunction, Input, Output, State, callback, clientside_callback, ctx, no_update
from dash.exceptions import PreventUpdate
from flask import current_app

from components.common.callback_guard import mapping, text
from components.common.run_styles import plain_title
from components.pages.runs.entry import SEARCH_LENGTH
from components.pages.runs.listing import A_PAGE, no_runs, run_list
from components.pages.runs.own_runs import OwnRuns, beside

_FEWEST = 2
"""So many runs can be compared."""
_BUTTONS = {"type": "runs-do", "do": ALL, "run": ALL}
_FIELDS = {"type": "runs-field", "field": ALL, "run": ALL}

_BOXES = {"type": "runs-select", "run": ALL}
# What is selected, here and on other pages of the list, and how the boxes in sight look.
clientside_callback(
    ClientsideFunction(namespace="reading", function_name="select"),
    Output("runs-selected", "data"),
    Output(_BOXES, "aria-checked"),
    Input(_BOXES, "n_clicks"),
    State(_BOXES, "id"),
    State("runs-selected", "data"),
    prevent_initial_call=True,
)
clientside_callback(
    ClientsideFunction(namespace="reading", function_name="focus"),
    Output("runs-focused", "data"),
    Input("runs-list", "children"),
    State("runs-focus", "data"),
    prevent_initial_call=True,
)


def _own() -> OwnRuns:
    return OwnRuns(current_app.extensions["runs"])


def _ids(told: object) -> list[str]:
    return [text(one) for one in told] if isinstance(told, list) else []


@callback(
    Output("runs-list", "children"),
    Output("runs-newer", "hidden"),
    Output("runs-older", "hidden"),
    Output("runs-head", "hidden"),
    Input("runs-search", "value"),
    Input("runs-first", "data"),
    Input("runs-edited", "data"),
    Input("runs-changed", "data"),
    State("runs-selected", "data"),
)
def show(search: str | None, first: int | None, edited: str | None, _: int, selected: Any) -> Any:
    """A page of the entries that match the search."""
    own, words = _own(), text(search)[:SEARCH_LENGTH]
    found = own.entries(words)
    begin = first if isinstance(first, int) and first > 0 else 0
    page = found[begin : begin + A_PAGE]
    body = (
        run_list(page, own.service.info, _ids(selected), text(edited), own.handle)
        if page
        else no_runs(words, is_past_the_end=bool(found))
    )
    is_empty = not words and not found
    return body, not begin, len(found) <= begin + A_PAGE, is_empty


@callback(
    Output("runs-first", "data"),
    Input("runs-newer", "n_clicks"),
    Input("runs-older", "n_clicks"),
    Input("runs-search", "value"),
    State("runs-first", "data"),
    prevent_initial_call=True,
)
def turn(newer: int | None, older: int | None, search: str | None, first: int | None) -> int:  # noqa: ARG001
    """The page before or after; a new search begins at the first."""
    step = {"runs-newer": -A_PAGE, "runs-older": A_PAGE}.get(text(ctx.triggered_id), 0)
    begin = first if isinstance(first, int) else 0
    return max(0, begin + step) if step else 0


@callback(
    Output("runs-compare", "children"),
    Output("runs-elsewhere", "children"),
    Output("runs-compare", "disabled"),
    Input("runs-selected", "data"),
    Input("runs-list", "children"),
    State(_BOXES, "id"),
)
def count(selected: Any, _: Any, places: list[Any]) -> tuple[str, str, bool]:
    """How many would be compared, how many of them are out of sight, and whether they are too few."""
    chosen = _ids(selected)
    here = {text(mapping(place).get("run")) for place in places}
    hidden = sum(one not in here for one in chosen)
    words = f"Compare {len(chosen)} run{'' if len(chosen) == 1 else 's'}" if chosen else "Compare"
    return words, f"{hidden} more selected on other pages" if hidden else "", len(chosen) < _FEWEST


@callback(
    Output("runs-url", "href"),
    Output("runs-error", "children"),
    Input("runs-compare", "n_clicks"),
    Input("runs-selected", "data"),
    prevent_initial_call=True,
)
def compare(_: int | None, selected: Any) -> tuple[Any, Any]:
    """Open the selected runs in the Lab, or say why not; a sentence goes once the selection changes."""
    if ctx.triggered_id != "runs-compare":
        return no_update, ""
    try:
        return _own().comparison(_ids(selected)), ""
    except ValueError as error:
        return no_update, str(error)


@callback(
    Output("runs-changed", "data"),
    Output("runs-edited", "data"),
    Output("runs-gone", "data"),
    Output("runs-focus", "data"),
    Input(_BUTTONS, "n_clicks"),
    Input(_FIELDS, "n_submit"),
    Input("runs-undo", "n_clicks"),
    State(_FIELDS, "value"),
    State(_FIELDS, "id"),
    State("runs-changed", "data"),
    State("runs-gone", "data"),
    State("runs-search", "value"),
    prevent_initial_call=True,
)
def change(*told: Any) -> tuple[Any, ...]:
    """Do what a button says; where the focus goes is the entry, or the one that stands in its place."""
    values, places, changed, gone, search = told[3:]
    place, own = ctx.triggered_id, _own()
    # A list that is drawn anew has buttons that nobody has pressed.
    if not ctx.triggered or not ctx.triggered[0]["value"]:
        raise PreventUpdate
    number = (changed if isinstance(changed, int) else 0) + 1
    if place == "runs-undo":
        return number, "", None, own.restore(gone)
    entry = mapping(place)
    run, wanted = text(entry.get("run")), text(entry.get("do")) or "save"
    if wanted in ("rename", "cancel"):
        return no_update, run if wanted == "rename" else "", no_update, run
    if wanted == "delete":
        focus = beside(run, [each.id for each in own.entries(text(search)[:SEARCH_LENGTH])])
        return number, "", own.delete(run), focus
    if wanted == "stop":
        own.stop(run)
    elif wanted == "save":
        fields = {
            text(mapping(where).get("field")): text(value)
            for where, value in zip(places, values, strict=True)
        }
        own.rename(run, *(fields.get(name, "") for name in ("name", "tags", "note")))
    else:
        own.pin(run, pinned=wanted == "pin")
    return number, "", no_update, run


@callback(
    Output("runs-undo-bar", "hidden"),
    Output("runs-gone-title", "children"),
    Input("runs-gone", "data"),
)
def tell(gone: Any) -> tuple[bool, str]:
    """What was deleted last, and a way back."""
    told = mapping(gone)
    if not told:
        return True, ""
    return False, f"Deleted from this list: {text(told.get('name')) or plain_title(text(told.get('query')))}."
