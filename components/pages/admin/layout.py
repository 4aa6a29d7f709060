"""The Admin page, for whoever looks after the server: what goes on, and a button beside each to end it."""

from typing import Any

import dash
from dash import dcc, html
from flask import current_app

from components.pages.admin import callbacks
from components.pages.admin.content import admin_page
from core.service import RunService, overview
from core.service.web import is_admin

dash.register_page(
    __name__,
    path="/admin",
    name="Admin",
    title="The server · Plateau Lab",
    order=9,
    listed=False,
    without=("lab.min.js", "dash_table/", "dash_ag_grid/"),
)
__all__ = ["callbacks", "layout"]
_SECONDS = 5


def layout(**_: str) -> html.Div:
    """What goes on, for who brings the token; Dash's router asks for it by an address of its own."""
    service: RunService = current_app.extensions["runs"]
    if not is_admin(service.settings.admin_token.get_secret_value()):
        return html.Div([html.P("Open this page with the admin token.")])
    content: list[Any] = admin_page(overview(service))
    tick = dcc.Interval(id="admin-tick", interval=1_000 * _SECONDS)
    return html.Div([tick, html.Div(content, id="admin")], className="wide")
