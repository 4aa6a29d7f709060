"""A list on the Lab that shows and chooses the run whose pictures are on screen."""

from typing import Any

from dash import Input, Output, callback, ctx, dcc, no_update

from components.common import ids


@callback(Output("extra-fit", "children"), Input(ids.BOOTED, "data"))
def place(_: Any) -> dcc.Dropdown:
    """It stands beside the title of the Fit panel."""
    return dcc.Dropdown(id="run-choice", placeholder="run", clearable=False, style={"width": "9em"})


@callback(
    Output("run-choice", "options"),
    Output("run-choice", "value"),
    Output(ids.PLAYER, "selected"),
    Input(ids.PLAYER, "status"),
    Input(ids.PLAYER, "selected"),
    Input("run-choice", "value"),
    prevent_initial_call=True,
)
def keep_equal(status: list[dict[str, Any]] | None, selected: str, chosen: str) -> tuple[Any, Any, Any]:
    """The list has the runs on screen. To choose one there is as if the tabs had: the link says so too."""
    names = [run["name"] for run in status or ()]
    if ctx.triggered_id == "run-choice":
        return names, no_update, chosen
    return names, selected, no_update
