"""The activation pattern: how many data points lie between neighbouring biases, over training."""

from components.common.theme import LABEL_FONT_SIZE, THEMES
from components.panels.base import Figure, Panel, history_layout


def _figure(theme: str) -> Figure:
    inks = THEMES[theme]
    scale = {
        "light": ((0, "#fffdf9"), (0.001, "#e3eef0"), (0.25, "#9cc7cf"), (0.6, "#3f8796"), (1, "#0e3c4a")),
        "dark": ((0, "#1c1f26"), (0.001, "#22343b"), (0.25, "#2f6472"), (0.6, "#58a9b5"), (1, "#d6f3f2")),
    }[theme]
    heatmap = {
        "type": "heatmap",
        "hoverinfo": "skip",
        "colorscale": [list(stop) for stop in scale],
        "zmin": 0,
        "showscale": True,
        "colorbar": {
            "thickness": 8,
            "len": 0.96,
            "x": 1.01,
            "xpad": 2,
            "outlinewidth": 0,
            "nticks": 4,
            "tickfont": {"size": LABEL_FONT_SIZE, "color": inks.muted},
            "title": {"text": "u<sub>l</sub>", "font": {"size": LABEL_FONT_SIZE, "color": inks.muted}},
        },
        "meta": {"table": "pattern", "bind": {"x": "x", "y": "y", "z": "z", "zmax": "top"}},
    }
    meta = {
        "y": "levels",
        "hover": {"kind": "levels"},
        "rows": {
            "table": "segments",
            "columns": [["level", "l"], ["count", "points u_l"], ["from", "from x"], ["to", "to x"]],
        },
    }
    axes = history_layout(theme, y={"title": {"text": "active neurons l"}}, meta=meta, grid=False)
    return {"data": [heatmap], "layout": {**axes, "margin": {**axes["margin"], "r": 44}}}


PANEL = Panel(
    name="pattern",
    title="Pattern",
    lead="how many data lie between neurons",
    help=(
        "The activation pattern: u_l is the number of data points between the l-th and the next bias. "
        "They activate exactly l neurons. The colour shows u_l; while nothing changes "
        "here, the run stays in one stage. An empty row is a wasted neuron."
    ),
    summary=(
        "Activation pattern of {title} at epoch {epoch}: {empty} of {levels} sets Uₗ hold no data point."
    ),
    kind="history",
    build=_figure,
)
