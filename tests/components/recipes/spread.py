"""A panel with an ordinary callback: where the biases are at the moment on screen, as a histogram."""

from typing import Any

from dash import Input, Output, callback, dcc
from dash.exceptions import PreventUpdate
from plotly.graph_objects import Figure, Histogram

from components.panels.base import CallbackPanel, layout
from components.panels.shown import shown, sized

PANEL = CallbackPanel(
    name="spread",
    title="Spread of the biases",
    help="How many biases lie where, at the moment on screen.",
    content=dcc.Graph(id="spread"),
)


@callback(Output("spread", "figure"), Input("plot-spread", "moment"), prevent_initial_call=True)
def draw(moment: dict[str, Any]) -> dict[str, Any]:
    """`moment` names run, frame, neuron and theme; `shown` fetches what they stand for."""
    request = shown(moment)
    if request is None:
        raise PreventUpdate
    axes = {"x": {"title": {"text": "bias"}}, "y": {"title": {"text": "neurons"}}}
    figure = Figure(Histogram(x=request.frame.b, nbinsx=20), layout(request.theme, **axes, meta={}))
    return sized(figure, moment)
