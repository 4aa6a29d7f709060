"""The edge of stability: the largest curvature of the loss along a run, beside the largest that a step bears.

Gradient descent with step η follows a direction of curvature λ only while λ < 2/η. Where the largest
eigenvalue of the Hessian is above that line, steps along it grow instead of shrink; on wide
networks it is known to climb to the line and stay there. The picture is made in Python from the run's frames.
"""

from components.common.theme import LABEL_FONT_SIZE, THEMES, method_colour
from components.panels.base import Figure, PanelRequest, ServedPanel, Trace, layout
from core.config import RunConfig
from core.frames import Frame
from core.model import Pattern, sharpness

EARLIEST = 1.0
"""A logarithmic axis has no epoch 0; what is before this is drawn here."""


MAX_KNOWN = 8192
_known: dict[tuple[str, int, float], float] = {}


def sharpness_at(config: RunConfig, frame: Frame) -> float:
    """The largest eigenvalue of the Hessian at a frame; kept, since frames are asked for again."""
    key = (config.run_id, frame.index, frame.epoch)
    found = _known.get(key)
    if found is None:
        if len(_known) >= MAX_KNOWN:
            _known.clear()
        pattern = Pattern(frame.gap, frame.pin)
        found = _known[key] = sharpness(config.training_data(), pattern, frame.b, frame.c)
    return found


def _figure(request: PanelRequest) -> Figure:
    inks, config, method = THEMES[request.theme], request.config, request.config.method
    frames = request.history() or (request.frame,)
    colour = method_colour(request.theme, method.name)
    epochs = [max(frame.epoch, EARLIEST) for frame in frames]
    plain = {"type": "scatter", "hoverinfo": "skip", "mode": "lines"}
    curve = [sharpness_at(config, frame) for frame in frames]
    drawn = {"x": epochs, "y": curve, "line": {"width": 2, "color": colour}}
    traces: list[Trace] = [{**plain, "name": "largest curvature", **drawn}]
    steps = [method.step(frame.epoch) for frame in frames]
    edge = [2.0 / step for step in steps if step]
    if len(edge) == len(frames):
        traces.append(
            {
                **plain,
                "name": "edge of stability 2/η",
                "x": epochs,
                "y": edge,
                "line": {"width": 1.5, "dash": "dash", "color": inks.ink},
            }
        )
        traces.append(
            {
                **plain,
                "x": epochs[:1],
                "y": edge[:1],
                "mode": "markers+text",
                "marker": {"size": 8, "opacity": 0},
                "text": ["2/η"],
                "textposition": "top right",
                "textfont": {"size": LABEL_FONT_SIZE, "color": inks.ink},
                "cliponaxis": False,
            }
        )
    here = max(request.frame.epoch, EARLIEST)
    marker = {"size": 9, "color": colour, "line": {"width": 1.5, "color": inks.panel}}
    value = sharpness_at(config, request.frame)
    traces.append({**plain, "x": [here], "y": [value], "mode": "markers", "marker": marker})
    axes = layout(
        request.theme,
        x={"type": "log", "title": {"text": "epoch k"}, "showgrid": False, "dtick": 1},
        y={"type": "log", "title": {"text": "largest curvature λ"}, "automargin": True},
        meta={},
    )
    axes["margin"] = {**axes["margin"], "t": 18}
    return {"data": traces, "layout": axes}


PANEL = ServedPanel(
    name="sharpness",
    title="Sharpness",
    lead="how curved the loss is",
    help=(
        "The largest eigenvalue λ of the Hessian of the loss over the run. Gradient descent is "
        "stable in a direction of curvature λ only while λ is below 2/η (dashed), the edge of stability. "
        "Above it steps grow instead of shrink. Other methods have no such line."
    ),
    summary=(
        "The largest curvature of the loss of {title} up to epoch {epoch}, and the largest at which "
        "its steps are stable, if any."
    ),
    build=_figure,
)
