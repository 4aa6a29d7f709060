"""The Study page in Dash's page registry. What does not change is plain HTML around what Dash draws."""

from urllib.parse import urlencode

import dash
from dash import html
from flask import request

from components.pages.study.layout import introduction, study_layout
from components.pages.study.ready import ready_studies
from components.pages.study.view import read_view


def others() -> html.Details:
    """The ready studies, folded away where the link names one."""
    return ready_studies(unfolded=not read_view(request.query_string.decode())[0])


dash.register_page(
    __name__,
    path="/study",
    name="Study",
    title="Study · Plateau Lab",
    order=1,
    main="study",
    above=introduction,
    below=others,
    assets=(
        *("vendor/plotly-slim.min.js", "vendor/ag-grid.min.css"),
        *("study.css", "study.js"),
    ),
    without=("dash_table/",),
)


def layout(**texts: str) -> html.Div:
    """What changes; Dash gives the texts of the link."""
    return study_layout(read_view(urlencode(texts))[1])
