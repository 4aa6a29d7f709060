"""A panel from columns that the browser has: how many neurons are dead, one curve per run."""

from components.panels.base import Figure, Panel, bound, history_layout, stage_traces


def _figure(theme: str) -> Figure:
    columns = {"x": "x", "y": "dead", "line.color": "colour", "line.dash": "dash", "line.width": "width"}
    curve = bound("curve", columns, each="run", ranged=True, dot="dead", mode="lines")
    meta = {
        "y": "all",
        "hover": {"kind": "curves", "column": "dead"},
        "rows": {
            "table": "curve",
            "each": "run",
            "columns": [["epoch", "epoch k"], ["dead", "dead neurons"]],
        },
    }
    axes = history_layout(theme, y={"title": {"text": "dead neurons"}}, meta=meta)
    return {"data": [*stage_traces(theme), curve], "layout": axes}


PANEL = Panel(
    name="dead",
    title="Dead neurons",
    help="How many neurons no data point activates: their gradient is zero, and they never come back.",
    summary="Dead neurons of {methods} up to epoch {epoch}.",
    kind="history",
    build=_figure,
)
