"""The loss along one bias: why a neuron is pinned, or which way it creeps.

With everything else as it is, the loss as a function of one bias b_j is a piece of a parabola
between two data points, and its slope jumps where b_j passes one: by -2 c_j r_k / m at x_k, r_k
being the residual there. Where the jump turns a fall from the left into a rise to the right,
the data point is a minimum with a kink, and the neuron is held on it. The picture is made in
Python, as an example of a panel that needs nothing from the browser's half.
"""

from itertools import pairwise
from typing import Any

import numpy as np

from components.common.theme import LABEL_FONT_SIZE, NEURON_COLOURS, THEMES, neuron_groups
from components.panels.base import Figure, PanelRequest, ServedPanel, Trace, layout
from core.model import evaluate
from core.narrative import date_text
from core.problem import Scale, TrainingData
from core.types import FloatArray

BETWEEN = 24
"""Places between two neighbouring data points; a thousand of those need fewer."""
MOST = 4000
TINY = 1e-33
BLOCK = 1 << 20
"""Places times data points at once: what they take in memory is bounded."""
FEW = 40
"""More data points than so many are drawn small."""
FALL_OFF = 0.5
"""How far beyond the data the picture goes, in mean distances of data points."""


def loss_along(data: TrainingData, b: FloatArray, c: FloatArray, j: int, places: FloatArray) -> FloatArray:
    """The mean squared loss with bias j at each of the places, all else unchanged."""
    others = np.delete(np.arange(b.size), j)
    rest = evaluate(b[others], c[others], data.x) - data.y
    found = []
    for some in np.array_split(places, 1 + places.size * data.m // BLOCK):
        bent = c[j] * np.maximum(data.x[None, :] - some[:, None], 0.0)
        found.append((rest[None, :] + bent) ** 2 @ data.w / data.weight)
    return np.concatenate(found)


def places_for(data: TrainingData) -> FloatArray:
    """Where to look: every data point, evenly between them, and a little beyond."""
    between = max(2, min(BETWEEN, MOST // max(1, data.m - 1)))
    step = (data.x[-1] - data.x[0]) / max(1, data.m - 1) or 1.0
    knots = np.concatenate([[data.x[0] - FALL_OFF * step], data.x, [data.x[-1] + FALL_OFF * step]])
    inner = [np.linspace(low, high, between, endpoint=False) for low, high in pairwise(knots)]
    return np.concatenate([*inner, knots[-1:]])


def _chosen(request: PanelRequest) -> int:
    """The chosen neuron; or else a pinned one; or the first."""
    if request.neuron is not None and request.neuron < request.frame.b.size:
        return request.neuron
    pinned = np.flatnonzero(request.frame.pin >= 0)
    return int(pinned[0]) if pinned.size else 0


def _figure(request: PanelRequest) -> Figure:
    inks = THEMES[request.theme]
    data, frame = request.config.training_data(), request.frame
    j = _chosen(request)
    places = places_for(data)
    scale = data.scale
    along, here, on_data = (
        scale.loss(loss_along(data, frame.b, frame.c, j, at)) for at in (places, frame.b[[j]], data.x)
    )
    colours = NEURON_COLOURS[request.theme]
    groups = neuron_groups(request.config.initial()[0])
    colour = colours[groups[j] if j < len(groups) else -1]
    plain = {"type": "scatter", "hoverinfo": "skip"}
    traces: list[Trace] = [
        {
            **plain,
            "name": f"bias of neuron {j + 1} moved",
            "x": _told(scale, places),
            "y": along.tolist(),
            "mode": "lines",
            "line": {"width": 2, "color": colour},
        },
        {
            **plain,
            "name": "at the data points",
            "x": _told(scale, data.x),
            "y": on_data.tolist(),
            "mode": "markers",
            "marker": {"symbol": "square-open", "size": 6 if data.m <= FEW else 2.5, "color": inks.faint},
        },
        {
            **plain,
            "x": _told(scale, frame.b[[j]]),
            "y": here.tolist(),
            "mode": "markers+text",
            "marker": {
                "symbol": "diamond" if frame.pin[j] >= 0 else "circle",
                "size": 11,
                "color": colour,
                "line": {"width": 1.5, "color": inks.panel},
            },
            "text": [f"neuron {j + 1}, {'pinned' if frame.pin[j] >= 0 else 'here'}"],
            "textposition": "top center",
            "textfont": {"size": LABEL_FONT_SIZE, "color": inks.ink},
            "cliponaxis": False,
        },
    ]
    decades = float(np.log10(along.max() / max(along.min(), TINY)))
    ticks = {"dtick": 1} if decades > 2 else {}
    axes = layout(
        request.theme,
        x={
            "title": {"text": f"bias b<sub>{j + 1}</sub>"},
            "showgrid": False,
            **({"type": "date"} if scale.dates else {}),
        },
        y={"type": "log", "title": {"text": "loss, all else unchanged"}, "automargin": True, **ticks},
        meta={},
    )
    axes["margin"] = {**axes["margin"], "t": 18}
    return {"data": traces, "layout": axes}


def _told(scale: Scale, x: FloatArray) -> list[Any]:
    """Places in the data's own units, dates as dates."""
    places = scale.x(x).tolist()
    return [date_text(place) for place in places] if scale.dates else places


PANEL = ServedPanel(
    name="landscape",
    title="Landscape",
    lead="the loss if one neuron moves",
    help=(
        "The loss as one bias b_j moves along x while everything else stays as it is. The slope jumps "
        "at every data point (squares): where it turns from falling to rising there, the neuron is "
        "pinned (◆). Click a curve in Biases or a cross in Fit to choose the neuron."
    ),
    summary=(
        "The loss of {title} at epoch {epoch} as one bias moves along x and everything else stays as it is. "
        "Where the bias is, the loss is {loss}."
    ),
    build=_figure,
)
