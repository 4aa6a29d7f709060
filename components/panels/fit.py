"""The network against the data, with the signs of the paper's own figures.

Open squares are data, filled circles macroscopic data (μ_l, ȳ_l), short lines the
regression line of every U_l, and crosses on the baseline the biases. A fully
trained network passes through every circle along its line (Theorem LSQ-Stationary).
"""

from components.common.theme import LABEL_FONT_SIZE, THEMES
from components.panels.base import Figure, Panel, bound, layout


def _figure(theme: str) -> Figure:
    inks = THEMES[theme]
    crosses = {"x": "x", "y": "y", "marker.color": "colour", "customdata": "neuron"}
    traces = [
        bound(
            "data",
            {"x": "x", "y": "y", "marker.size": "size", "marker.opacity": "opacity"},
            mode="markers",
            marker={"symbol": "square-open", "color": inks.faint, "line": {"width": 1}},
        ),
        bound(
            "truth",
            {"x": "x", "y": "y"},
            mode="lines",
            line={"width": 1.25, "dash": "1px,2.5px", "color": inks.muted},
        ),
        bound(
            "lines",
            {"x": "x", "y": "y"},
            direct=True,
            mode="lines",
            line={"width": 1.5, "color": inks.ink},
            opacity=0.7,
        ),
        bound(
            "network",
            {"x": "x", "y": "y", "line.color": "colour", "line.width": "width", "line.dash": "dash"},
            direct=True,
            each="run",
            mode="lines",
        ),
        bound(
            "macroscopic",
            {"x": "x", "y": "y", "marker.size": "size"},
            direct=True,
            mode="markers",
            marker={"symbol": "circle", "color": inks.ink, "line": {"width": 1, "color": inks.panel}},
        ),
        bound(
            "crosses_dead",
            crosses,
            direct=True,
            yaxis="y2",
            mode="markers",
            marker={"symbol": "x-thin-open", "size": 8, "line": {"width": 1.25}},
        ),
        bound(
            "crosses_free",
            crosses,
            direct=True,
            yaxis="y2",
            mode="markers",
            marker={"symbol": "x-thin-open", "size": 10, "line": {"width": 2}},
        ),
        bound(
            "crosses_pinned",
            crosses,
            direct=True,
            yaxis="y2",
            mode="markers",
            marker={"symbol": "diamond", "size": 10, "line": {"width": 1, "color": inks.panel}},
        ),
        bound(
            "outside",
            {"x": "x", "y": "y", "text": "text", "textposition": "position"},
            direct=True,
            xaxis="x2",
            yaxis="y2",
            mode="text",
            textfont={"size": LABEL_FONT_SIZE, "color": inks.muted},
        ),
    ]
    axes = layout(
        theme,
        x={"title": {"text": "x"}, "showgrid": False},
        y={"title": {"text": "y, f(x)"}},
        meta={
            "x": "position",
            "y": "response",
            "hover": {"kind": "place"},
            "drag": True,
            "rows": {
                "table": "segments",
                "columns": [
                    ["level", "l"],
                    ["count", "points u_l"],
                    ["mean_x", "mean x, μ_l"],
                    ["mean_y", "mean y, ȳ_l"],
                    ["network", "network f(μ_l)"],
                    ["slope", "network slope S_l"],
                    ["regression", "regression slope"],
                ],
            },
        },
    )
    axes["yaxis2"] = {"range": [0, 1], "fixedrange": True, "visible": False, "overlaying": "y"}
    axes["xaxis2"] = {"range": [0, 1], "fixedrange": True, "visible": False, "overlaying": "x"}
    return {"data": traces, "layout": axes}


PANEL = Panel(
    name="fit",
    title="Fit",
    lead="the network beside its data",
    help=(
        "The network f(x) at the chosen moment, over the data (open squares) and the target (dotted). "
        "Filled circles are the macroscopic data: the mean of each set Uₗ of points that activate the "
        "same l neurons. The short lines are the regression lines of those sets: a fully trained network "
        "runs along all of them. Crosses mark the biases b_j, diamonds the pinned ones, grey crosses the "
        "dead. While paused, drag a cross to move a bias."
    ),
    summary=(
        "The network of {title} at epoch {epoch} over {points} data points: {live} live neurons, {pinned} "
        "of them pinned, {dead} dead. Mean squared loss {loss}."
    ),
    kind="moment",
    build=_figure,
)
