"""Panels whose figures Python makes: one callback each, on the moment that the panel itself tells.

A panel tells its moment when it is on screen and the moment has come to rest, so that nothing is
computed for pictures that nobody sees or that would be out of date before they are drawn. What a busy server
has no time for it tells once more.
"""

from collections.abc import Mapping
from typing import Any

from dash import Dash, Input, Output, no_update

from components.common import ids
from components.common.callback_guard import mapping
from components.panels import SERVED
from components.panels.base import ServedPanel
from components.panels.moments import panel_question
from core.service import PAGE_SECONDS, NotYetError, QueueFullError, RunService, StoreError
from core.service.visitors import Visitors

GONE = "There is no such moment on the server any more. Press Run to compute it again."


def register_served(app: Dash, service: RunService) -> None:
    """A callback for every panel of the registry that Python draws."""
    visitors = Visitors(service)
    for panel in SERVED.values():
        _register(app, service, visitors, panel)


def _register(app: Dash, service: RunService, visitors: Visitors, panel: ServedPanel) -> None:
    @app.callback(
        Output(ids.graph_id(panel.name), "figure"),
        Output(ids.plot_id(panel.name), "answer"),
        Input(ids.plot_id(panel.name), "moment"),
        prevent_initial_call=True,
    )
    def draw(moment: object) -> tuple[Any, Any]:
        return drawn(service, visitors.current().quota, panel, mapping(moment))


def drawn(service: RunService, client: str, panel: ServedPanel, moment: Mapping[str, Any]) -> tuple[Any, Any]:
    """The figure, and what became of the request: there was no time, so that another try may have more
    luck; or why there is none."""
    answer = {"asked": moment.get("asked")}
    query = panel_question(service, panel, moment)
    if query is None:
        return no_update, answer | {"error": GONE}
    try:
        figure = service.queries.table(query, client, PAGE_SECONDS)
    except (NotYetError, QueueFullError):
        return no_update, answer | {"late": True}
    except StoreError as error:
        return no_update, answer | {"error": f"{panel.title} could not be drawn. {error}"}
    return (figure, answer) if figure else (no_update, answer | {"error": GONE})
