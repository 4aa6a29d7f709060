"""What a panel is, and the language in which its figure asks for data.

A panel's figure is made here in Python: layout, traces, styling. The numbers come
later, in the browser, where the frames are. So a trace says in its `meta` which
columns it wants, and one script copies them in, knowing no panel by name:

    table   one of `components.panels.tables.TABLES`, computed in the browser from the frames
    bind    attribute of the trace -> column of it, such as {"x": "x", "marker.color": "colour"}
    each    "run": one copy of the trace for every run;
            "group": one for every colour group of neurons of the selected method;
            absent: once, for the selected method
    ranged  the panel's y range is taken from the traces that say so (from all, if none does)
    dot     column whose value at the chosen moment gets a dot on the curve
    roomy   its texts are left out where the plot is low
    apart   a label "beside" or "above" its point, which is moved where it would stand on another
    direct  drawn on a canvas over the plot instead of by Plotly, which is too slow for what moves with
            the cursor; lines, text and the markers circle, square, diamond and x-thin are known there

and the layout says in its `meta` what the axes mean:

    x, y    one of `components.panels.tables.AXES`
    cursor  whether the chosen moment is drawn as a line over the plot
    hover   what is under the pointer: {"kind": "curves"|"neurons"|"place"|"levels", "column": …}
    loss    whether y is a loss, which has the square of the data's unit
    drag    whether biases can be taken by the hand along the bottom of the plot
    empty   what the panel says when it has nothing to show
    rows    the table behind the panel: {"table": …, "columns": [[column, heading], …], "each": …}

A quantity that no table has can still be shown without touching the browser's half: a `ServedPanel`
makes the whole figure in Python, each time the moment has come to rest on it, from that moment's frame or
from the history of the run. It is drawn by another process, so that it may take a second. A `CallbackPanel`
holds any Dash component, which an ordinary callback fills.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from dash import dcc
from dash.development.base_component import Component

from components.common.theme import THEMES, stronger_inks, template
from core.config import RunConfig
from core.frames import Frame

Figure = dict[str, Any]
Trace = dict[str, Any]
Each = Literal["run", "group"]


@dataclass(frozen=True)
class Panel:
    """One picture of a run: a history over all epochs, or the network at the chosen moment."""

    name: str
    title: str
    help: str
    """Plain words for what it shows, with the paper's symbol."""
    summary: str
    """A sentence for people who do not see the picture; the browser fills the braces."""
    kind: Literal["history", "moment"]
    build: Callable[[str], Figure]
    lead: str = ""
    """A few words beside the title: what a newcomer sees there."""

    def figure(self, theme: str) -> Figure:
        """The figure without its numbers, as a plain dictionary."""
        return self.build(theme)


@dataclass(frozen=True)
class PanelRequest:
    """What a served panel is asked to draw: a run at a frame, a neuron if one is chosen, in a theme."""

    config: RunConfig
    frame: Frame
    neuron: int | None
    """Counted from 0."""
    theme: str
    history: Callable[[], tuple[Frame, ...]] = tuple
    """The run's frames up to now, a few hundred of them with the first and the last; fetched when asked."""


@dataclass(frozen=True)
class ServedPanel:
    """A picture made in Python for the moment on screen: for what is rare, slow, or quickest written so."""

    name: str
    title: str
    help: str
    build: Callable[[PanelRequest], Figure]
    summary: str = ""
    """As a Panel's; without one the help is read."""
    lead: str = ""


@dataclass(frozen=True)
class CallbackPanel:
    """A picture that an ordinary Dash callback makes, on the moment that the panel tells."""

    name: str
    title: str
    help: str
    content: Component
    """What the callback fills, mostly a `dcc.Graph`."""
    summary: str = ""
    """As a served panel's."""
    lead: str = ""

    @property
    def graph(self) -> dcc.Graph | None:
        """The graph in it, which has numbers for a table and a picture to be saved."""
        parts = (self.content, *(self.content[part] for part in self.content))
        return next((part for part in parts if isinstance(part, dcc.Graph)), None)


AnyPanel = Panel | ServedPanel | CallbackPanel


def bound(
    table: str,
    bind: dict[str, str],
    *,
    each: Each | None = None,
    dot: str | None = None,
    ranged: bool = False,
    direct: bool = False,
    roomy: bool = False,
    apart: Literal["beside", "above"] | None = None,
    **style: Any,
) -> Trace:
    """A trace whose numbers come from `table`."""
    meta: dict[str, Any] = {"table": table, "bind": bind}
    if ranged:
        meta["ranged"] = True
    if roomy:
        meta["roomy"] = True
    if direct:
        meta["direct"] = True
    if apart is not None:
        meta["apart"] = apart
    if each is not None:
        meta["each"] = each
    if dot is not None:
        meta["dot"] = dot
    return {"type": "scatter", "hoverinfo": "skip", "meta": meta, **style}


def layout(theme: str, *, x: dict[str, Any], y: dict[str, Any], meta: dict[str, Any], **more: Any) -> Figure:
    """The theme's layout with this panel's two axes and their meaning."""
    base = template(theme)
    base["xaxis"] = _merged(base["xaxis"], x)
    base["yaxis"] = _merged(base["yaxis"], y)
    return {**base, "meta": meta, **more}


def history_layout(
    theme: str, *, y: dict[str, Any], meta: dict[str, Any], grid: bool = True, **more: Any
) -> Figure:
    """A history: log time along x, and a hidden axis from 0 to 1 under the plot for the stages.

    The visible y axis overlays the hidden one, so that the shading lies below the curves.
    """
    figure = layout(
        theme,
        x={"type": "log", "title": {"text": "epoch k"}, "showgrid": False},
        # An overlaying axis would take its ticks from the hidden one below.
        y={"overlaying": "y2", "tickmode": "auto", "nticks": 7, "showgrid": grid, **y},
        meta={"x": "time", "cursor": True, **meta},
        **more,
    )
    figure["yaxis2"] = {"range": [0, 1], "fixedrange": True, "visible": False}
    return figure


def stage_traces(theme: str) -> list[Trace]:
    """Every second stage tinted, and a tick on the axis at each change of stage."""
    inks = THEMES[theme]
    return [
        bound(
            "stages",
            {"x": "x", "y": "y"},
            yaxis="y2",
            mode="lines",
            line={"width": 0},
            fill="toself",
            fillcolor=inks.tint,
        ),
        bound(
            "ticks",
            {"x": "x", "y": "y"},
            yaxis="y2",
            mode="lines",
            line={"width": 1, "color": inks.faint},
            opacity=0.75,
        ),
    ]


def future_line(theme: str, table: str, column: str, **more: Any) -> Trace:
    """A curve of the forecast: round dots over the picture, in ink or in the colour that `more` binds."""
    bind = {"x": "x", "y": column, **more.pop("bind", {})}
    line = {"width": 3.25, "dash": "0.01px,6px", "cap": "round", "color": THEMES[theme].ink}
    return bound(table, bind, direct=True, mode="lines", line=line, **more)


def future_marks(table: str, column: str, symbol: str = "circle") -> Trace:
    """Where the forecast says that something happens: a ring wide enough to hold the real mark."""
    bind = {"x": "x", "y": column, "marker.color": "colour"}
    marker = {"symbol": f"{symbol}-open", "size": 14, "line": {"width": 1.75}}
    return bound(table, bind, direct=True, mode="markers", marker=marker)


_SIZES = frozenset({"size", "width", "standoff", "ticklen", "thickness", "l", "r", "t", "b", "gridwidth"})
"""Keys of a figure that are lengths on the screen."""


def enlarged(figure: Any, scale: float) -> Any:
    """The same figure with type, lines, signs and margins `scale` times as large, for a projector."""
    if isinstance(figure, dict):
        return {
            key: value * scale
            if key in _SIZES and isinstance(value, int | float)
            else value
            if key == "meta"
            else enlarged(value, scale)
            for key, value in figure.items()
        }
    return [enlarged(part, scale) for part in figure] if isinstance(figure, list) else figure


def recoloured(figure: Any, inks: dict[str, str]) -> Any:
    """The same figure with some colours in the place of others."""
    if isinstance(figure, dict):
        return {key: recoloured(value, inks) for key, value in figure.items()}
    if isinstance(figure, list):
        return [recoloured(part, inks) for part in figure]
    return inks.get(figure, figure) if isinstance(figure, str) else figure


PRESENTED = 1.5
"""How much larger everything is drawn in present mode."""


def presented(figure: Figure, theme: str, scale: float = PRESENTED) -> Figure:
    """A figure for the last row of a lecture hall."""
    larger: Figure = recoloured(enlarged(figure, scale), stronger_inks(theme))
    return larger


def _merged(base: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in more.items():
        old = merged.get(key)
        merged[key] = _merged(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return merged
