"""How far the network is from a stationary point (Lemma critical)."""

from components.common.theme import LABEL_FONT_SIZE, THEMES
from components.panels.base import Figure, Panel, bound, history_layout, stage_traces


def _figure(theme: str) -> Figure:
    inks = THEMES[theme]
    curve = {
        "x": "x",
        "y": "stationarity",
        "line.color": "colour",
        "line.dash": "dash",
        "line.width": "width",
    }
    traces = [
        *stage_traces(theme),
        bound("curve", curve, each="run", ranged=True, dot="stationarity", mode="lines"),
        bound(
            "trained",
            {"x": "x", "y": "y", "text": "text", "marker.color": "colour"},
            each="run",
            mode="markers+text",
            marker={"symbol": "star", "size": 11},
            textposition="top left",
            textfont={"size": LABEL_FONT_SIZE, "color": inks.ink},
            cliponaxis=False,
        ),
    ]
    meta = {
        "y": "decades",
        "hover": {"kind": "curves", "column": "stationarity"},
        "rows": {
            "table": "curve",
            "each": "run",
            "columns": [["epoch", "epoch k"], ["stationarity", "mean squared residual"], ["stage", "stage"]],
        },
    }
    axes = history_layout(
        theme, y={"type": "log", "title": {"text": "MSE of the stationarity system"}}, meta=meta
    )
    return {"data": traces, "layout": axes}


PANEL = Panel(
    name="stationarity",
    title="Stationarity",
    lead="how far from rest",
    help=(
        "How far the network is from rest. At rest it passes, on each Uₗ, through the mean of the data, with "
        "the slope of their regression line. Plotted is the mean squared residual of these equations. At "
        "rounding level the network is fully trained (★): gradient descent stays there for ever."
    ),
    summary=(
        "Stationarity residual of {methods}. For {title} at epoch {epoch} it is {stationarity}. {trained}"
    ),
    kind="history",
    build=_figure,
)
