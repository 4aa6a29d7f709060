"""Outer coefficients over training: those of pinned neurons keep moving."""

from components.common.theme import THEMES
from components.panels.base import (
    Figure,
    Panel,
    bound,
    future_line,
    future_marks,
    history_layout,
    stage_traces,
)


def _figure(theme: str) -> Figure:
    inks = THEMES[theme]
    traces = [
        *stage_traces(theme),
        bound("dead", {"x": "x", "y": "c"}, mode="lines", line={"width": 1, "color": inks.faint}),
        bound(
            "neurons",
            {"x": "x", "y": "c", "line.color": "colour", "line.width": "width"},
            each="group",
            mode="lines",
        ),
        bound(
            "pinned",
            {"x": "x", "y": "c", "line.color": "colour", "line.width": "pinned_width"},
            each="group",
            mode="lines",
        ),
        future_line(theme, "future_neurons", "c", bind={"line.color": "colour"}, each="group"),
        future_marks("future_events", "c"),
    ]
    meta = {
        "y": "values",
        "slope": True,
        "hover": {"kind": "neurons", "column": "c"},
        "rows": {
            "table": "state",
            "columns": [["neuron", "neuron j"], ["c", "coefficient c_j"], ["status", "status"]],
        },
    }
    axes = history_layout(
        theme, y={"title": {"text": "coefficient c<sub>j</sub>"}, "automargin": True}, meta=meta
    )
    return {"data": traces, "layout": axes}


PANEL = Panel(
    name="coefficients",
    title="Coefficients",
    lead="how much each neuron bends",
    help=(
        "How strongly each neuron bends the network, c_j, over training. A pinned neuron (thick) cannot "
        "move its bias, but its coefficient still changes. A dead neuron's never does. Dots are the forecast."
    ),
    summary="Coefficients of {title} over training. At epoch {epoch} they range from {c_min} to {c_max}.",
    kind="history",
    build=_figure,
)
