"""One iteration of ANLS: every place a neuron could move to, and the loss it would give."""

from components.common.theme import LABEL_FONT_SIZE, THEMES
from components.panels.base import Figure, Panel, bound, layout


def _figure(theme: str) -> Figure:
    inks = THEMES[theme]
    traces = [
        bound(
            "candidate_level",
            {"x": "x", "y": "y"},
            mode="lines",
            line={"width": 1.25, "dash": "5px,3px", "color": inks.muted},
        ),
        bound(
            "candidate_stems",
            {"x": "x", "y": "y"},
            mode="lines",
            line={"width": 1, "color": inks.faint},
        ),
        bound(
            "candidates",
            {"x": "x", "y": "loss", "marker.line.color": "colour", "customdata": "neuron"},
            mode="markers",
            marker={"symbol": "circle", "size": 8, "color": inks.panel, "line": {"width": 1.75}},
        ),
        bound(
            "candidate_chosen",
            {"x": "x", "y": "loss", "marker.color": "colour", "text": "text", "textposition": "position"},
            mode="markers+text",
            marker={"symbol": "circle", "size": 12, "line": {"width": 1.5, "color": inks.ink}},
            textfont={"size": LABEL_FONT_SIZE, "color": inks.ink},
            cliponaxis=False,
        ),
        bound(
            "crosses_free",
            {"x": "x", "y": "y", "marker.color": "colour", "customdata": "neuron"},
            yaxis="y2",
            mode="markers",
            marker={"symbol": "x-thin-open", "size": 9, "line": {"width": 2}},
        ),
    ]
    axes = layout(
        theme,
        x={"title": {"text": "candidate position of the bias"}, "showgrid": False},
        y={"type": "log", "title": {"text": "loss after the move"}, "automargin": True},
        meta={
            "x": "position",
            "y": "decades",
            "loss": True,
            "hover": {"kind": "place"},
            "empty": "No neuron has a data point that it could cross: there is no candidate here.",
            "rows": {
                "table": "candidates",
                "columns": [["neuron", "neuron"], ["side", "side"], ["x", "new bias"], ["loss", "loss"]],
            },
        },
    )
    axes["yaxis2"] = {"range": [0, 1], "fixedrange": True, "visible": False, "overlaying": "y"}
    return {"data": traces, "layout": axes}


PANEL = Panel(
    name="candidates",
    title="Candidates",
    lead="the moves that ANLS compares",
    help=(
        "Active neuron least squares (ANLS) moves one neuron across one data point at a time. Each circle "
        "is a candidate position; its height is the loss after solving for all coefficients. The best one "
        "below the dashed line (the loss with the biases as they are) is taken: the filled circle. When "
        "none lies below, ANLS stops. For the other methods it shows the move of ANLS from here."
    ),
    summary="{candidates} candidate moves of {title} at iteration {epoch}. {chosen}",
    kind="moment",
    build=_figure,
)
