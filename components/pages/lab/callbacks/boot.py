"""What the browser does at once: the start, once the layout stands, and the controls that ask no server."""

from dash import ClientsideFunction, Dash, Input, Output

from components.common import ids


def register_boot(app: Dash) -> None:
    """Hand the specification over once; go where the link is set to; neurons, and single keys."""
    app.clientside_callback(
        ClientsideFunction(namespace="shell", function_name="boot"),
        Output(ids.BOOTED, "data"),
        Input(ids.SPECIFICATION, "data"),
    )
    for name, inputs in {
        "linked": [Input(ids.LINK, "data")],
        "chooseNeuron": [Input("neuron-choice", "value")],
        "moveNeuron": [Input("hands-bias", "n_blur"), Input("hands-bias", "n_submit")],
        "switchLetters": [Input("letters", "value")],
    }.items():
        app.clientside_callback(
            ClientsideFunction(namespace="shell", function_name=name), *inputs, prevent_initial_call=True
        )
