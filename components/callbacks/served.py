"""Panels whose figures Python makes: one callback each, on the moment that the panel itself tells.

A panel tells its moment when it is on screen and the moment has come to rest, so that nothing is
computed for pictures that nobody sees or that would be out of date before they are drawn.
"""

from typing import Any

from dash import Dash, Input, Output, no_update

from components import ids
from components.gate import mapping
from components.occasions import panel_question
from components.panels import SERVED
from components.panels.base import ServedPanel
from core.service import RunService
from core.service.visitors import Visitors


def register_served(app: Dash, service: RunService) -> None:
    """A callback for every panel of the registry that Python draws."""
    visitors = Visitors(service)
    for panel in SERVED.values():
        _register(app, service, visitors, panel)


def _register(app: Dash, service: RunService, visitors: Visitors, panel: ServedPanel) -> None:
    @app.callback(
        Output(ids.graph_id(panel.name), "figure"),
        Input(ids.plot_id(panel.name), "moment"),
        prevent_initial_call=True,
    )
    def draw(moment: object) -> Any:
        question = panel_question(service, panel, mapping(moment))
        if question is None:
            return no_update
        return service.desk.table_in_time(question, visitors.current().quota) or no_update
