"""The first callback, in the browser: once the layout stands, the specification is handed over.

What must not wait for the server starts there: the keys, the arrangement of the panels, present
mode and following a presenter.
"""

from dash import ClientsideFunction, Dash, Input, Output

from components.common import ids


def register_boot(app: Dash) -> None:
    """Hand the specification over once."""
    app.clientside_callback(
        ClientsideFunction(namespace="shell", function_name="boot"),
        Output(ids.BOOTED, "data"),
        Input(ids.SPECIFICATION, "data"),
    )
