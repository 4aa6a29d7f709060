"""A list on the Lab that chooses the run whose pictures are shown."""

from typing import Any

from dash import Input, Output, callback, dcc

from components.common import ids


@callback(Output("extra-fit", "children"), Input(ids.BOOTED, "data"))
def place(_: Any) -> dcc.Dropdown:
    """It stands beside the title of the Fit panel."""
    return dcc.Dropdown(id="run-choice", placeholder="run", clearable=False, style={"width": "9em"})


@callback(Output("run-choice", "options"), Input(ids.PLAYER, "status"))
def offer(status: list[dict[str, Any]] | None) -> list[dict[str, str]]:
    """The runs on screen."""
    return [{"label": run["method"], "value": run["method"]} for run in status or ()]


@callback(Output(ids.PLAYER, "selected"), Input("run-choice", "value"), prevent_initial_call=True)
def choose(name: str) -> str:
    """As if the tabs had: the link says so too."""
    return name
