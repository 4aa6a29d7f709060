"""Measured decay towards the floor against the envelopes of Theorem conti-loss-n."""

from components.common.theme import LABEL_FONT_SIZE, THEMES
from components.panels.base import Figure, Panel, bound, layout


def _figure(theme: str) -> Figure:
    inks = THEMES[theme]
    exact = {"width": 1.25, "color": inks.ink, "dash": "5px,3px"}
    closed = {"width": 1, "color": inks.faint, "dash": "1px,2.5px"}
    traces = [
        bound("rates", {"x": "x", "y": "bound_upper"}, mode="lines", line=closed),
        bound("rates", {"x": "x", "y": "bound_lower"}, mode="lines", line=closed),
        bound("rates", {"x": "x", "y": "upper"}, ranged=True, mode="lines", line=exact),
        bound(
            "rates", {"x": "x", "y": "lower"}, mode="lines", line=exact, fill="tonexty", fillcolor=inks.tint
        ),
        bound(
            "rates",
            {"x": "x", "y": "excess", "line.color": "colour", "marker.color": "colour"},
            ranged=True,
            mode="lines+markers",
            line={"width": 2},
            marker={"size": 4},
        ),
        bound(
            "rate_labels",
            {"x": "x", "y": "y", "text": "text", "textposition": "position"},
            mode="text",
            textfont={"size": LABEL_FONT_SIZE, "color": inks.muted},
            cliponaxis=False,
        ),
    ]
    axes = layout(
        theme,
        x={
            "title": {"text": "epochs into the stage"},
            "showgrid": False,
            "rangemode": "tozero",
            "nticks": 5,
            "tickformat": ",d",
        },
        y={"type": "log", "title": {"text": "L − Q<sub>0</sub>"}, "automargin": True},
        meta={
            "x": "plain",
            "y": "decades",
            "loss": True,
            "empty": "The theorem speaks of gradient flow: choose GD or the flow, and a longer stage.",
            "rows": {
                "table": "rates",
                "columns": [
                    ["x", "epochs into the stage"],
                    ["excess", "L − Q₀"],
                    ["lower", "lower envelope"],
                    ["upper", "upper envelope"],
                    ["bound_lower", "lower, closed form"],
                    ["bound_upper", "upper, closed form"],
                ],
            },
        },
    )
    return {"data": traces, "layout": axes}


PANEL = Panel(
    name="rates",
    title="Rates",
    lead="how fast the loss nears its floor",
    help=(
        "Within one stage the loss sinks towards its floor between two exponentials. The dashed envelopes "
        "use the exact rates r_max and r_min (the extreme singular values of M(t), squared), the dotted "
        "ones the closed-form bounds. The coloured curve is the run itself: it stays between them."
    ),
    summary=(
        "Decay of the loss of {title} towards the floor {floor} of stage {stage}, between its two envelopes."
    ),
    kind="moment",
    build=_figure,
)
