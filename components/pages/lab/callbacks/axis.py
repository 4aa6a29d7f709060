"""The time axis: the choice in the head of the Loss panel, and what the player counts, kept equal."""

from dash import ClientsideFunction, Dash, Input, Output

from components.common import ids

_CHOICE = ids.control("axis", "time")


def register_axis(app: Dash) -> None:
    """A choice goes to the player; what the player counts, by a link too, is shown."""
    app.clientside_callback(
        ClientsideFunction(namespace="shell", function_name="axis"),
        Output(ids.PLAYER, "xaxis"),
        Output(_CHOICE, "value"),
        Input(_CHOICE, "value"),
        Input(ids.PLAYER, "xaxis"),
        prevent_initial_call=True,
    )
