"""The Admin page's callback: what goes on, again every few seconds."""

from typing import Any

from dash import Input, Output, callback
from dash.exceptions import PreventUpdate
from flask import current_app

from components.pages.admin.content import admin_page
from core.service import RunService, overview
from core.service.web import is_admin


@callback(Output("admin", "children"), Input("admin-tick", "n_intervals"), prevent_initial_call=True)
def look(_: int) -> list[Any]:
    """The page as it is now; nothing for who does not bring the token."""
    service: RunService = current_app.extensions["runs"]
    if not is_admin(service.settings.admin_token.get_secret_value()):
        raise PreventUpdate
    return admin_page(overview(service))
