"""Error off the training points: discrete L2 error on 10,000 equidistant points."""

from components.panels.base import Figure, Panel, bound, history_layout, stage_traces


def _figure(theme: str) -> Figure:
    curve = {
        "x": "x",
        "y": "prediction_error",
        "line.color": "colour",
        "line.dash": "dash",
        "line.width": "width",
    }
    traces = [
        *stage_traces(theme),
        bound("curve", curve, each="run", ranged=True, dot="prediction_error", mode="lines"),
    ]
    meta = {
        "y": "decades",
        "hover": {"kind": "curves", "column": "prediction_error"},
        "rows": {
            "table": "curve",
            "each": "run",
            "columns": [["epoch", "epoch k"], ["prediction_error", "prediction error"], ["loss", "loss"]],
        },
        "empty": "There is no known target behind these data, so no prediction error can be computed.",
    }
    axes = history_layout(
        theme, y={"type": "log", "title": {"text": "discrete L<sup>2</sup> error"}}, meta=meta
    )
    return {"data": traces, "layout": axes}


PANEL = Panel(
    name="prediction",
    title="Prediction error",
    lead="how wrong it is between the data",
    help=(
        "How far the network is from the target where there are no data: the discrete L² error on 10,000 "
        "equidistant points of the domain. It may rise while the loss falls."
    ),
    summary="Prediction error of {methods}. For {title} at epoch {epoch} it is {prediction_error}.",
    kind="history",
    build=_figure,
)
