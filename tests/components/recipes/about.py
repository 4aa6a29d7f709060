"""A page of its own: the losses of some runs as a histogram, and how many bins it has."""

import dash
from dash import Input, Output, callback, dcc, html
from plotly.graph_objects import Figure, Histogram

dash.register_page(__name__, name="About", title="About · Plateau Lab")

LOSSES = (0.31, 0.29, 0.3, 0.12, 0.11, 0.04, 0.05, 0.05, 0.06, 0.3)


def layout(**_: str) -> html.Div:
    """What the page shows."""
    return html.Div(
        [
            html.H1("Where runs end"),
            dcc.Slider(2, 10, 1, value=5, id="about-bins"),
            html.P(id="about-said"),
            dcc.Graph(id="about-losses"),
        ]
    )


@callback(
    Output("about-losses", "figure"),
    Output("about-said", "children"),
    Input("about-bins", "value"),
)
def draw(bins: int) -> tuple[Figure, str]:
    """The histogram with so many bins."""
    return Figure(Histogram(x=LOSSES, nbinsx=bins)), f"{len(LOSSES)} runs in at most {bins} bins"
