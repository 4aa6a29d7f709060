"""The tables of plateaus, forecasts and stages, made when the player says that they are open and old."""

from collections.abc import Mapping
from typing import Any

from dash import Dash, Input, Output, html, no_update

from components.common import ids
from components.common.callback_guard import mapping
from components.common.ids import RUN_ID
from components.pages.lab.run_tables import plateau_table, record_fold
from components.pages.lab.stage_table import stage_table
from components.panels.shown import head_of
from core.config import RunConfig
from core.service import BackgroundQuery, RunService


def register_tables(app: Dash, service: RunService) -> None:
    """Draw them anew for another run, and when a running one has come to its next stage; the record of its
    forecasts, which takes longer to make, by itself."""

    @app.callback(
        Output(ids.STAGE_TABLE, "children"),
        Output(ids.PLATEAU_TABLE, "children"),
        Input(ids.PLAYER, "stages"),
        prevent_initial_call=True,
    )
    def show(told: object) -> Any:
        return tables_of(service, mapping(told)) or (no_update, no_update)

    @app.callback(
        Output(ids.FORECAST_TABLE, "children"),
        Output(ids.FORECAST_TABLE, "hidden"),
        Input(ids.PLAYER, "record"),
        prevent_initial_call=True,
    )
    def show_record(told: object) -> Any:
        shown = mapping(told)
        if shown.get("forecasting") is not True:
            return no_update, True
        return record_of(service, shown) or no_update, False


def _known(service: RunService, told: Mapping[str, Any]) -> tuple[str, RunConfig, str, int] | None:
    """The run that the player names, and how many of its frames it shows; None for one that is not here (any
    more)."""
    run = told.get("run")
    if not isinstance(run, str) or not RUN_ID.fullmatch(run):
        return None
    config, status = service.config(run), service.status(run)
    return None if config is None or status is None else (run, config, status, head_of(service, told))


def tables_of(service: RunService, told: Mapping[str, Any]) -> tuple[html.Table, html.Table] | None:
    """Stages and plateaus."""
    known = _known(service, told)
    if known is None:
        return None
    run, config, status, head = known
    answer: Any = service.queries.table_in_time(BackgroundQuery("stages", run, head=head, status=status), run)
    if answer is None:
        return None
    return stage_table(config, answer["stages"], run), plateau_table(answer["plateaus"], run)


def record_of(service: RunService, told: Mapping[str, Any]) -> html.Details | None:
    """How the forecasts fared."""
    known = _known(service, told)
    if known is None:
        return None
    run, config, _, head = known
    record = service.queries.table_in_time(BackgroundQuery("forecasts", run, head=head), run)
    if record is None:
        return None
    return record_fold(record["rows"], record["left"], config.training_data(), run)
