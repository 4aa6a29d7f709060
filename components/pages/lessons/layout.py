"""The Lessons page: cards that lead into the Lab, with the progress of this browser."""

import dash
from dash import html
from flask import current_app, request

from components.pages.lessons.content import lesson_index
from components.pages.lessons.progress import COOKIE, progress

dash.register_page(
    __name__,
    path="/lessons",
    name="Lessons",
    title="Lessons · Plateau Lab",
    order=2,
    without=("lab.min.js", "dash_table/", "dash_ag_grid/"),
)


def layout(**_: str) -> html.Div:
    """The page, for the browser that asks."""
    reached = progress(request.cookies.get(COOKIE, ""))
    return html.Div(lesson_index(current_app.extensions["lessons"], reached), className="wide")
