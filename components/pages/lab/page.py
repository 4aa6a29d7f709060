"""The Lab in Dash's page registry."""

from typing import Any

import dash
from dash.development.base_component import Component
from flask import current_app

dash.register_page(
    __name__,
    path="/",
    name="Lab",
    title="Plateau Lab",
    order=0,
    assets=("vendor/plotly-slim.min.js",),
    # Dash's polyfill is an eighth of the loading time, and who needs it cannot run the rest anyway; the one
    # part that Dash's components do need, the regenerator's runtime, is in the bundle.
    without=("polyfill@", "dash_ag_grid/", "dash_table/"),
)


def layout(**_: Any) -> Component:
    """The page; the settings of its link come with the first answer."""
    lab: Component = current_app.extensions["lab_layout"]
    return lab
