"""The page's callbacks.

There is one, and it runs in the browser: when the layout stands, the scripts in
assets/ get the specification and take over. What changes afterwards (the form,
the address bar, thirty pictures a second) changes without a round trip; the
server is asked by plain JSON routes that thirty viewers can share.
"""

from dash import ClientsideFunction, Dash, Input, Output

from components import ids


def register_callbacks(app: Dash) -> None:
    """Hand the specification over to the scripts once."""
    app.clientside_callback(
        ClientsideFunction(namespace="shell", function_name="boot"),
        Output(ids.BOOTED, "data"),
        Input(ids.SPECIFICATION, "data"),
    )
