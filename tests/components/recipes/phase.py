"""A panel all in Python: the biases of two neurons against each other along the run."""

from components.common.theme import THEMES
from components.panels.base import Figure, PanelRequest, ServedPanel, layout


def _figure(request: PanelRequest) -> Figure:
    inks = THEMES[request.theme]
    one = min(request.neuron or 0, request.frame.b.size - 1)
    two = (one + 1) % request.frame.b.size
    ways = [frame.b[[one, two]].tolist() for frame in (*request.history(), request.frame)]
    here = request.frame.b[[one, two]].tolist()
    plain = {"type": "scatter", "hoverinfo": "skip"}
    x, y = zip(*ways, strict=True)
    traces = [
        {
            **plain,
            "name": "so far",
            "x": list(x),
            "y": list(y),
            "mode": "lines",
            "line": {"color": inks.muted},
        },
        {**plain, "x": here[:1], "y": here[1:], "mode": "markers", "marker": {"size": 10, "color": inks.ink}},
    ]
    titles = ({"title": {"text": f"bias b<sub>{j + 1}</sub>"}} for j in (one, two))
    return {"data": traces, "layout": layout(request.theme, x=next(titles), y=next(titles), meta={})}


PANEL = ServedPanel(
    name="phase",
    title="Phase portrait",
    help="The biases of two neurons against each other, along the whole run and where they are now.",
    build=_figure,
)
