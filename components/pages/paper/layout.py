"""The Paper page: every figure and claim of the paper, as this code finds them."""

from importlib import import_module

import dash
from dash import dcc, html

from components.pages.paper import callbacks

dash.register_page(
    __name__,
    path="/paper",
    name="Paper",
    title="The paper, reproduced · Plateau Lab",
    order=3,
    assets=("vendor/plotly-slim.min.js", "paper.css", "reading.js"),
    without=("lab.min.js", "dash_table/", "dash_ag_grid/"),
)
__all__ = ["callbacks", "layout"]


def layout(**_: str) -> html.Div:
    """What can be read; pictures, numbers and tables come when somebody comes near them."""
    content = import_module("components.pages.paper.content").paper_page()
    return html.Div([dcc.Store(id="paper-watched"), *content], id="paper", className="wide")
