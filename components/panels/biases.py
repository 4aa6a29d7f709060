"""Bias trajectories: neurons creep towards data points, stick there, and break through."""

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
    marks = {"x": "x", "y": "b", "marker.color": "colour"}
    traces = [
        *stage_traces(theme),
        bound(
            "data_lines",
            {"x": "x", "y": "y", "opacity": "opacity"},
            mode="lines",
            line={"width": 0.75, "dash": "3px,3px", "color": inks.faint},
        ),
        bound("dead", {"x": "x", "y": "b"}, mode="lines", line={"width": 1, "color": inks.faint}),
        bound(
            "neurons",
            {"x": "x", "y": "b", "line.color": "colour", "line.width": "width"},
            each="group",
            mode="lines",
        ),
        bound(
            "pinned",
            {"x": "x", "y": "b", "line.color": "colour", "line.width": "pinned_width"},
            each="group",
            mode="lines",
        ),
        bound(
            "numbers",
            {"x": "x", "y": "b", "text": "text", "textfont.color": "colour"},
            roomy=True,
            mode="text",
            textposition="top right",
            textfont={"size": LABEL_FONT_SIZE},
        ),
        bound(
            "crossings",
            {"x": "x", "y": "b", "marker.line.color": "colour", "marker.size": "size"},
            mode="markers",
            marker={"symbol": "circle", "color": inks.panel, "line": {"width": 1.5}},
        ),
        bound(
            "pins",
            {**marks, "marker.size": "size"},
            mode="markers",
            marker={"symbol": "diamond", "line": {"width": 0.75, "color": inks.panel}},
        ),
        bound(
            "hops",
            {**marks, "marker.size": "size"},
            mode="markers",
            marker={"symbol": "bowtie", "line": {"width": 0.75, "color": inks.panel}},
        ),
        future_line(theme, "future_neurons", "b", bind={"line.color": "colour"}, each="group"),
        future_marks("future_crossings", "b"),
        future_marks("future_pins", "b", "diamond"),
    ]
    meta = {
        "y": "positions",
        "hover": {"kind": "neurons", "column": "b"},
        "rows": {
            "table": "state",
            "columns": [
                ["neuron", "neuron j"],
                ["b", "bias b_j"],
                ["status", "status"],
                ["gap", "data left of it"],
                ["datum", "pinned at x"],
            ],
        },
    }
    axes = history_layout(
        theme, y={"title": {"text": "bias b<sub>j</sub>"}, "zeroline": False}, meta=meta, grid=False
    )
    return {"data": traces, "layout": axes}


PANEL = Panel(
    name="biases",
    title="Biases",
    lead="where each neuron bends",
    help=(
        "Where each neuron switches on, b_j, over training. Dashed lines are the data points. A bias that "
        "meets a data point often cannot pass: the pull changes sign there, and the neuron is pinned (◆, "
        "thick line). A circle ○ marks a bias that crossed a data point, ⋈ one that begins to hop over data "
        "because the step is too large. Grey neurons are dead: they lie right of all data and feel no "
        "gradient. Of more than 80 neurons only some are drawn: those that something happens to, and a few "
        "others. Dots are the forecast, with a wide ring or diamond around the crossings and pins that it "
        "foresees."
    ),
    summary=(
        "Bias trajectories of {title}. At epoch {epoch}: {live} live neurons, {pinned} of them pinned to "
        "a data point, {dead} dead."
    ),
    kind="history",
    build=_figure,
)
