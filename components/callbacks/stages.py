"""The stage table, made when the player says that it is open and that the stages on it are old."""

from collections.abc import Mapping
from typing import Any

from dash import Dash, Input, Output, html, no_update

from components import ids
from components.gate import mapping
from components.routes import RUN_ID
from components.stage_table import stage_table
from core.service import Question, RunService


def register_stages(app: Dash, service: RunService) -> None:
    """Draw the table anew for another run, and when a running one has come to its next stage."""

    @app.callback(Output(ids.STAGE_TABLE, "children"), Input(ids.PLAYER, "stages"), prevent_initial_call=True)
    def show(told: object) -> Any:
        table = table_of(service, mapping(told))
        return no_update if table is None else table


def table_of(service: RunService, told: Mapping[str, Any]) -> html.Table | None:
    """The table of the run that the player names; None for a run that is not here (any more)."""
    run = told.get("run")
    if not isinstance(run, str) or not RUN_ID.fullmatch(run):
        return None
    config, status = service.config(run), service.status(run)
    if config is None or status is None:
        return None
    known = service.desk.table(Question("stages", run, head=service.count(run), status=status), run)
    return None if known is None else stage_table(config, known["stages"], run)
