"""The Study page in Dash's page registry."""

from typing import Any

import dash
from dash import html

from components.pages.study.layout import study_layout

dash.register_page(
    __name__,
    path="/study",
    name="Study",
    title="Study · Plateau Lab",
    order=1,
    wide=True,
    assets=("vendor/plotly-slim.min.js", "vendor/ag-grid.min.css", "study.css", "study.js"),
    without=("lab.min.js", "dash_table/"),
)


def layout(**query: Any) -> html.Div:
    """The page; lists of other studies are folded away where the link names one."""
    return study_layout(unfolded=not query)
