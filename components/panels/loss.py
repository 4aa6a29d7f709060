"""The staircase: loss over log epochs, with each stage's floor under it."""

from components.common.theme import LABEL_FONT_SIZE, THEMES
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
        bound(
            "best",
            {"x": "x", "y": "y"},
            ranged=True,
            mode="lines",
            line={"width": 1, "dash": "1px,3px", "color": inks.muted},
        ),
        bound(
            "floors",
            {"x": "x", "y": "y", "line.color": "colour"},
            mode="lines",
            line={"width": 1.25, "dash": "5px,3px"},
            opacity=0.7,
        ),
        bound(
            "plateaus",
            {"x": "x", "y": "y", "line.color": "colour"},
            mode="lines",
            line={"width": 9},
            opacity=0.22,
        ),
        bound(
            "curve",
            {"x": "x", "y": "loss", "line.color": "colour", "line.dash": "dash", "line.width": "width"},
            each="run",
            ranged=True,
            dot="loss",
            mode="lines",
        ),
        bound(
            "end",
            {"x": "x", "y": "loss", "text": "label", "textfont.color": "colour"},
            each="run",
            apart="beside",
            mode="text",
            textfont={"size": LABEL_FONT_SIZE},
            cliponaxis=False,
        ),
        bound(
            "best",
            {"x": "x", "y": "y", "text": "text"},
            apart="above",
            mode="text",
            textfont={"size": LABEL_FONT_SIZE, "color": inks.muted},
        ),
        bound(
            "plateaus",
            {"x": "at", "y": "height", "text": "text"},
            mode="text",
            textposition="top center",
            textfont={"size": LABEL_FONT_SIZE, "color": inks.ink},
        ),
        future_line(theme, "future_loss", "loss", ranged=True),
        future_marks("future_events", "loss"),
    ]
    meta = {
        "y": "clipped",
        "loss": True,
        "hover": {"kind": "curves", "column": "loss"},
        "rows": {
            "table": "curve",
            "each": "run",
            "columns": [
                ["epoch", "epoch k"],
                ["loss", "mean squared loss"],
                ["floor", "floor Q₀ of the stage"],
                ["stage", "stage"],
                ["seconds", "seconds"],
                ["solves", "least-squares solves"],
            ],
        },
    }
    axes = history_layout(theme, y={"type": "log", "title": {"text": "loss"}}, meta=meta)
    return {"data": traces, "layout": axes}


PANEL = Panel(
    name="loss",
    title="Loss",
    lead="how wrong the network is",
    help=(
        "The mean squared loss of every method over training, both axes logarithmic. It falls like a "
        "staircase. Within a stage no neuron crosses a data point, and the loss can only sink to the floor "
        "Q₀ of that stage (dashed). The shading changes where the activation pattern does. The broad line "
        "marks the plateaus, by number. An arrow beside a name: the curve goes on below the picture, to "
        "rounding errors. Dots are the forecast: where gradient flow goes from the chosen "
        "moment, with a ring where it changes the pattern."
    ),
    summary=(
        "Mean squared loss over training on logarithmic axes, for {methods}. At epoch {epoch}, {title} "
        "has loss {loss}, in stage {stage} of {stages}, whose floor is {floor}."
    ),
    kind="history",
    build=_figure,
)
