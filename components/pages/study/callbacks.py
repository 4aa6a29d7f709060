"""The Study page's callbacks: thin, what they say is in components.pages.study.content."""

from typing import Any

from dash import ALL, ClientsideFunction, Dash, Input, Output, State, ctx, html, no_update

from components.common.callback_guard import text
from components.pages.study import content
from components.pages.study.captions import PICTURES
from components.pages.study.form import VARIED
from components.pages.study.grid import NUMBERS, answer_rows, columns
from components.pages.study.layout import NOTHING, choices, legend, own_studies
from components.pages.study.table import StudyTables
from components.pages.study.view import StudyView, read_view
from core.service import RunService, Studies, StudyInfo
from core.service.visitors import Visitors

CHOICES = StudyView._fields
_CONCERNS = {"reached": ("level",), "scatter": ("across", "up")}
"""The choices that one picture alone shows."""
_PARTS = (
    ("study-bar", "value"), ("study-bar", "hidden"), ("study-progress", "children"), ("study-stop", "hidden"),
    ("study-resume", "hidden"), ("study-csv", "hidden"), ("study-csv", "href"), ("study-tick", "disabled"),
    ("study-tick", "interval"), ("study-results", "className"), ("study-seen", "data"),
)  # fmt: skip


def register_study(app: Dash, service: RunService, visitors: Visitors) -> None:
    """Give the page all of them."""
    _browser(app)
    _asking(app, service.studies, visitors)
    _looking(app, service.studies, visitors)
    _drawing(app, service.studies)


def _browser(app: Dash) -> None:
    """What happens in the browser alone: theme, the grid's columns once it stands, and opening a run."""
    app.clientside_callback(
        ClientsideFunction(namespace="study", function_name="theme"),
        Output("study-theme", "data"),
        Output("study-grid", "className"),
        Input("study-theme", "data"),
    )
    form = [("study-query", "value"), *((f"vary-{name}", "value") for name in ("target", "method", "rival"))]
    form += [(f"vary-{name}", "value") for name in VARIED]
    app.clientside_callback(
        ClientsideFunction(namespace="study", function_name="form"),
        Output("vary-target", "options"),
        *(Output(*each) for each in form),
        *(Input(*each) for each in form),
        Input("study-url", "search"),
        State("study-known", "data"),
    )
    app.clientside_callback(
        ClientsideFunction(namespace="study", function_name="ask"),
        Output("study-asked", "data"),
        Input("study-query", "value"),
        Input("study-query", "n_submit"),
        State("study-known", "data"),
    )
    app.clientside_callback(
        ClientsideFunction(namespace="study", function_name="remember"),
        Output("study-picked", "data"),
        *(Input(f"pick-{name}", "value") for name in CHOICES),
        State("study-group", "data"),
        State("study-known", "data"),
        prevent_initial_call=True,
    )
    app.clientside_callback(
        ClientsideFunction(namespace="study", function_name="fold"),
        Output("study-folded", "data"),
        Input("study-run", "n_clicks"),
        prevent_initial_call=True,
    )
    app.clientside_callback(
        ClientsideFunction(namespace="study", function_name="alone"),
        Output("study-only", "data"),
        Input({"type": "study-only", "group": ALL}, "n_clicks"),
        State("study-only", "data"),
        prevent_initial_call=True,
    )
    app.clientside_callback(
        ClientsideFunction(namespace="study", function_name="columns"),
        Output("study-grid", "columnDefs"),
        Input("study-columns", "data"),
        Input("study-grid", "getRowsRequest"),
    )
    app.clientside_callback(
        ClientsideFunction(namespace="study", function_name="open"),
        Output("study-gone", "data"),
        Input("study-scatter", "clickData"),
        Input("study-reached", "clickData"),
        Input("study-grid", "cellDoubleClicked"),
        State("study-grid", "selectedRows"),
        prevent_initial_call=True,
    )


def _asking(app: Dash, studies: Studies, visitors: Visitors) -> None:
    @app.callback(
        Output("study-note", "children"),
        Output("study-run", "disabled"),
        Output("study-id", "data"),
        Output("pick-group", "options"),
        Output("pick-group", "value"),
        Output("study-group", "data"),
        Input("study-asked", "data"),
        Input("study-begun", "data"),
        State("pick-group", "value"),
        State("study-group", "data"),
    )
    def plan(query: str | None, _: str | None, picked: str | None, before: str | None) -> tuple[Any, ...]:
        """What a query would be; what nobody picked is grouped as is usual for it."""
        found = content.planned(studies, text(query))
        info = studies.info(found["id"]) if found["id"] else None
        groups = content.group_options(info) if info else ["method"]
        usual = content.usual_group(studies, info) if info else "method"
        # Before a study is there nothing is known of its groups: what a link picks waits for it.
        kept = picked in groups if info else bool(picked)
        group = picked if kept and picked != before else usual
        return found["note"], not found["may_run"], found["id"], choices(groups), group, usual

    @app.callback(
        Output("study-url", "search"),
        Output("study-begun", "data"),
        Output("study-note", "children", allow_duplicate=True),
        Input("study-run", "n_clicks"),
        State("study-query", "value"),
        *(State(f"pick-{name}", "value") for name in CHOICES if name != "group"),
        prevent_initial_call=True,
    )
    def run(_: int, query: str | None, *chosen: str) -> tuple[Any, ...]:
        client = visitors.current()
        try:
            info, _new = studies.submit(text(query), client.handle, client.quota)
        except Exception as error:
            return no_update, no_update, str(error)
        return f"?{StudyView('', *map(text, chosen)).query(info.query)}", info.id, no_update

    @app.callback(
        Output("study-progress", "children", allow_duplicate=True),
        Input("study-stop", "n_clicks"),
        Input("study-resume", "n_clicks"),
        State("study-id", "data"),
        prevent_initial_call=True,
    )
    def steer(stop: int | None, resume: int | None, study: str | None) -> Any:  # noqa: ARG001
        act = studies.stop if ctx.triggered_id == "study-stop" else studies.resume
        try:
            act(text(study), visitors.current().handle)
        except PermissionError as error:
            return str(error)
        return no_update


def _looking(app: Dash, studies: Studies, visitors: Visitors) -> None:
    @app.callback(Output("study-own", "children"), Input("study-url", "search"), Input("study-begun", "data"))
    def list_own(search: str | None, _: str | None) -> Any:
        infos = studies.listing(visitors.current().handle)
        return own_studies(infos, unfolded=not read_view(text(search))[0])

    @app.callback(
        [Output(name, part) for name, part in _PARTS],
        Input("study-id", "data"),
        Input("study-tick", "n_intervals"),
        Input("study-stop", "n_clicks"),
        Input("study-resume", "n_clicks"),
        State("study-seen", "data"),
    )
    def look(study: str | None, *rest: Any) -> list[Any]:
        info = studies.info(text(study))
        if info is None:
            return ["0", True, "", True, True, True, "#", True, 1_000, NOTHING, None]
        mine = info.starter == visitors.current().handle
        seen = [info.id, info.done, info.status]
        return [
            str(info.done / info.runs),
            info.status == "finished",
            content.progress(info),
            not (mine and info.status == "running"),
            not (mine and info.status == "stopped"),
            not info.done,
            f"/api/studies/{info.id}/export.csv",
            info.status != "running" and ctx.triggered_id not in ("study-stop", "study-resume"),
            content.pause(info),
            "",
            no_update if seen == rest[-1] else seen,
        ]


def _seen(studies: Studies, seen: object) -> StudyInfo | None:
    """The study that the page shows."""
    return studies.info(text(seen[0])) if isinstance(seen, list) and seen else None


def _picture(app: Dash, studies: Studies, tables: StudyTables, name: str) -> None:
    """An answer a picture: the browser draws them one by one, and only those that a choice concerns."""

    @app.callback(
        Output(f"study-{name}", "figure"),
        Output(f"study-about-{name}", "children"),
        Input("study-seen", "data"),
        Input("study-theme", "data"),
        Input("pick-group", "value"),
        Input("study-only", "data"),
        *(Input(f"pick-{choice}", "value") for choice in _CONCERNS.get(name, ())),
    )
    def draw(seen: list[Any] | None, theme: str | None, group: str, only: str | None, *chosen: str) -> Any:
        info, columns = _seen(studies, seen), [text(each) for each in chosen]
        if info is None or not info.done or (name == "scatter" and not {*columns} <= {*NUMBERS}):
            return no_update, no_update
        shade = text(theme) or "light"
        return content.drawn(tables, info, name, text(group), columns, shade, text(only))


def _drawing(app: Dash, studies: Studies) -> None:
    tables = StudyTables(studies)

    for name, _ in PICTURES:
        _picture(app, studies, tables, name)

    @app.callback(
        Output("study-legend", "children"),
        Input("study-seen", "data"),
        Input("study-theme", "data"),
        Input("pick-group", "value"),
        Input("study-only", "data"),
    )
    def name_groups(seen: list[Any] | None, theme: str | None, group: str, only: str | None) -> Any:
        info = _seen(studies, seen)
        rows = tables.table(info) if info and info.done else None
        return legend(*content.legend(rows, text(group), text(theme) or "light"), text(only)) if rows else []

    @app.callback(
        Output("study-headline", "children"),
        Input("study-seen", "data"),
        Input("pick-group", "value"),
        Input("pick-level", "value"),
    )
    def sum_up(seen: list[Any] | None, group: str, level: str | None) -> str:
        info = _seen(studies, seen)
        return content.headline(tables.table(info), text(group), text(level)) if info and info.done else ""

    @app.callback(Output("pick-level", "options"), Input("study-seen", "data"))
    def name_levels(seen: list[Any] | None) -> Any:
        info = _seen(studies, seen)
        return content.level_entries(tables.table(info)) if info and info.done else no_update

    @app.callback(Output("study-columns", "data"), Input("study-id", "data"))
    def name_columns(study: str | None) -> list[dict[str, Any]]:
        info = studies.info(text(study))
        return columns(info.differing if info else ())

    @app.callback(
        Output("study-grid", "getRowsResponse"),
        Input("study-grid", "getRowsRequest"),
        Input("study-seen", "data"),
    )
    def rows(request: dict[str, Any] | None, seen: list[Any] | None) -> Any:
        if not isinstance(request, dict):
            return no_update
        info = _seen(studies, seen)
        return answer_rows(tables.table(info).rows if info else [], request)

    @app.callback(Output("study-chosen", "children"), Input("study-grid", "selectedRows"))
    def choose(selected: list[dict[str, Any]] | None) -> Any:
        row = selected[0] if isinstance(selected, list) and selected else None
        if not isinstance(row, dict) or not {"method", "seed", "width", "lab"} <= row.keys():
            return ""
        name, link = content.chosen_run(row)
        return [f"Chosen: {name}. ", html.A("Open it in the Lab", href=link)]
