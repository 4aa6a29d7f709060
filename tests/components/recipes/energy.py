"""A panel from columns that the browser has: gradients taken, one curve a method."""

from components.panels.base import Figure, Panel, bound, history_layout, stage_traces


def _figure(theme: str) -> Figure:
    columns = {"x": "x", "y": "gradients", "line.color": "colour", "line.dash": "dash", "line.width": "width"}
    curve = bound("curve", columns, each="run", ranged=True, dot="gradients", mode="lines")
    meta = {
        "y": "decades",
        "hover": {"kind": "curves", "column": "gradients"},
        "rows": {
            "table": "curve",
            "each": "run",
            "columns": [["epoch", "epoch k"], ["gradients", "gradients"]],
        },
        "empty": "These methods take no gradients.",
    }
    axes = history_layout(theme, y={"type": "log", "title": {"text": "gradients"}}, meta=meta)
    return {"data": [*stage_traces(theme), curve], "layout": axes}


PANEL = Panel(
    name="energy",
    title="Gradients",
    help="How many gradients each method has evaluated so far, which is what its epochs have cost.",
    summary="Gradient evaluations of {methods} up to epoch {epoch}.",
    kind="history",
    build=_figure,
)
