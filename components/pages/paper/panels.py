"""The panels of the Paper page: those of the Lab standing still, and some that follow the paper's drawings.

A picture on the page has no cursor and no forecast, so everything is drawn by Plotly, in the order of
the traces: the network lies over the data, and a vector file holds all of it. Where several curves
share a picture, a legend above it names them.
"""

from collections.abc import Callable
from typing import Any

from components.common.theme import THEMES
from components.panels import BOUND, specification
from components.panels.base import Figure, Trace, bound, history_layout, layout

NAMED: dict[str, str] = {
    "data": "data",
    "truth": "target",
    "floors": "floor of each stage",
    "lines": "regression lines",
    "glue": "gluing lines",
    "macroscopic": "macroscopic data",
    "crosses_free": "biases",
}
"""What the legend calls the traces that are the same for every method."""


def _still(name: str, theme: str) -> Figure:
    """A panel of the Lab without what moves."""
    figure = BOUND[name].figure(theme)
    traces = [trace for trace in figure["data"] if not trace["meta"]["table"].startswith("future_")]
    kept = [_with_meta(trace, direct=None) for trace in traces]
    return {"data": kept, "layout": {**figure["layout"], "dragmode": False}}


def _with_meta(trace: Trace, **changes: Any) -> Trace:
    meta = {key: value for key, value in {**trace["meta"], **changes}.items() if value is not None}
    return {**trace, "meta": meta}


def _explained(figure: Figure, *signs: str) -> Figure:
    """The figure with a legend above it: every method that is drawn, and these signs."""
    traces = []
    for trace in figure["data"]:
        table, meta = trace["meta"]["table"], trace["meta"]
        if table in ("curve", "network"):
            trace = _with_meta(trace, bind={**meta["bind"], "name": "label"}) | {"showlegend": True}
        else:
            trace = {**trace, "name": NAMED.get(table, ""), "showlegend": table in signs}
        traces.append(trace)
    return {"data": traces, "layout": _with_legend(figure["layout"])}


def _with_legend(axes: Figure) -> Figure:
    legend = {
        "orientation": "h",
        "x": 0,
        "xanchor": "left",
        "y": 1.02,
        "yanchor": "bottom",
        "font": {"size": 12},
        "itemclick": False,
        "itemdoubleclick": False,
        "traceorder": "normal",
    }
    return {**axes, "showlegend": True, "legend": legend}


def _only(figure: Figure, *tables: str) -> Figure:
    return {**figure, "data": [trace for trace in figure["data"] if trace["meta"]["table"] in tables]}


def _meaning(figure: Figure, **axes: str) -> Figure:
    """The same figure with another meaning of its axes."""
    meta = {**figure["layout"]["meta"], **axes}
    return {**figure, "layout": {**figure["layout"], "meta": meta}}


def _race(theme: str) -> Figure:
    """Every method by name; the dot at a curve's end is all there is of one that is done at once."""
    figure = _only(_still("loss", theme), "curve")
    ends = bound(
        "end",
        {"x": "x", "y": "loss", "marker.color": "colour"},
        each="run",
        mode="markers",
        marker={"symbol": "circle", "size": 7},
        cliponaxis=False,
    )
    return _explained({**figure, "data": [*figure["data"], ends]})


def _staircase(theme: str) -> Figure:
    """One run and the floors of its stages, both named above the picture, where no curve is."""
    figure = _still("loss", theme)
    return _explained(_only(figure, "stages", "ticks", "floors", "curve"), "floors")


def _errors(theme: str) -> Figure:
    return _explained(_only(_still("prediction", theme), "curve"))


def _range(theme: str) -> Figure:
    """Loss and epochs counted evenly: how a run looks to somebody who waits for it."""
    figure = _meaning(_only(_still("loss", theme), "curve"), x="epochs", y="plain")
    axes = figure["layout"]
    even = {"nticks": 5, "type": "linear"}
    vertical = {**axes["yaxis"], **even, "automargin": True}
    axes = {**axes, "xaxis": {**axes["xaxis"], **even}, "yaxis": vertical}
    return {**figure, "layout": axes}


def _fits(theme: str) -> Figure:
    """Networks of several methods in front of the data, with all of their spikes."""
    figure = _meaning(_only(_still("fit", theme), "data", "truth", "network"), y="reach")
    data, truth, networks = (_only(figure, name)["data"] for name in ("data", "truth", "network"))
    # behind the networks a thousand data need not be pale to let them be seen
    plain = [_with_meta(trace, bind={"x": "x", "y": "y", "marker.size": "size"}) for trace in data]
    ranged = [_with_meta(trace, ranged=True) for trace in networks]
    return _explained({**figure, "data": [*plain, *truth, *ranged]}, "data", "truth")


def _glued(theme: str) -> Figure:
    """Regression lines as they are, gluing lines dashed, the target dotted: as in fig. FullyTrained."""
    inks = THEMES[theme]
    figure = _meaning(_still("fit", theme), y="reach")
    truth, lines = (_only(figure, name)["data"] for name in ("truth", "lines"))
    dashed = {"width": 2, "dash": "4px,3px", "color": inks.accent}
    glue = bound("glue", {"x": "x", "y": "y"}, ranged=True, mode="lines", line=dashed)
    thick = [{**trace, "line": {"width": 2.5, "color": inks.ink}, "opacity": 1} for trace in lines]
    dotted = [{**trace, "line": {"width": 2, "dash": "2px,3px", "color": inks.muted}} for trace in truth]
    crosses = _only(figure, "crosses_free")["data"]
    return _explained({**figure, "data": [*dotted, *thick, glue, *crosses]}, *NAMED)


def _sets(theme: str) -> Figure:
    """Ten data, five biases, and the names of what lies between them."""
    inks = THEMES[theme]
    figure = _only(_still("fit", theme), "data", "network", "crosses_free")
    edges = bound(
        "set_edges",
        {"x": "x", "y": "y"},
        yaxis="y2",
        mode="lines",
        line={"width": 1, "dash": "4px,3px", "color": inks.faint},
    )
    names = bound(
        "set_names",
        {"x": "x", "y": "y", "text": "text"},
        yaxis="y2",
        mode="text",
        textfont={"size": 15, "color": inks.ink},
    )
    return _explained({**figure, "data": [edges, *figure["data"], names]}, "data", "crosses_free")


def _moves(theme: str) -> Figure:
    """One row a neuron: where it is, where it may go, and the loss that it would find there."""
    inks = THEMES[theme]
    traces = [
        bound(
            "data_posts",
            {"x": "x", "y": "y"},
            yaxis="y2",
            mode="lines",
            line={"width": 1, "dash": "3px,3px", "color": inks.faint},
        ),
        bound(
            "candidate_stems",
            {"x": "x", "y": "neuron"},
            mode="lines",
            line={"width": 1.25, "color": inks.muted},
        ),
        bound(
            "state",
            {"x": "b", "y": "neuron"},
            mode="markers",
            marker={"symbol": "x-thin-open", "size": 11, "color": inks.ink, "line": {"width": 2.25}},
        ),
        bound(
            "candidates",
            {"x": "x", "y": "neuron", "text": "text"},
            mode="markers+text",
            marker={"symbol": "circle", "size": 10, "color": inks.panel}
            | {"line": {"width": 1.75, "color": inks.accent}},
            textposition="top center",
            textfont={"size": 12, "color": inks.ink},
            cliponaxis=False,
        ),
        bound(
            "candidate_chosen",
            {"x": "x", "y": "neuron"},
            mode="markers",
            marker={"symbol": "circle", "size": 12, "color": inks.accent},
        ),
    ]
    axes = layout(
        theme,
        x={"title": {"text": "x, and the position of the bias"}, "showgrid": False},
        y={
            "title": {"text": "neuron j"},
            "tickmode": "linear",
            "tick0": 1,
            "dtick": 1,
            "showgrid": False,
            "autorange": "reversed",
        },
        meta={"x": "position", "y": "plain"},
    )
    axes["yaxis2"] = {"range": [0, 1], "fixedrange": True, "visible": False, "overlaying": "y"}
    named = {
        "data_posts": "data",
        "state": "bias now",
        "candidates": "candidate, with its loss",
        "candidate_chosen": "taken",
    }
    explained = _explained({"data": traces, "layout": axes}, *named)
    for trace in explained["data"]:
        trace["name"] = named.get(trace["meta"]["table"], "")
    return explained


def _set_sizes(theme: str) -> Figure:
    """u_l as curves, as in the paper's figure."""
    curve = bound(
        "set_sizes",
        {"x": "x", "y": "y", "line.color": "colour"},
        each="group",
        mode="lines",
        line={"width": 1.75, "shape": "hv"},
    )
    name = bound(
        "set_sizes",
        {"x": "end", "y": "size", "text": "text", "textfont.color": "colour"},
        each="group",
        apart="beside",
        mode="text",
        textfont={"size": 12},
        cliponaxis=False,
    )
    axes = history_layout(theme, y={"title": {"text": "data points u<sub>l</sub>"}}, meta={"y": "all"})
    return {"data": [curve, name], "layout": axes}


def _biases(theme: str) -> Figure:
    """All of every trajectory, however far it goes."""
    return _meaning(_still("biases", theme), y="all")


def _rates(theme: str) -> Figure:
    """The envelopes by name."""
    figure = _still("rates", theme)
    called = {"excess": "measured", "upper": "exact rates", "bound_upper": "closed-form bounds"}
    traces = []
    for trace in figure["data"]:
        name = called.get(trace["meta"]["bind"]["y"], "")
        traces.append({**trace, "name": name, "showlegend": bool(name)})
    axes = figure["layout"]
    powers = {**axes["xaxis"], "tickformat": ""}
    return {"data": traces, "layout": _with_legend({**axes, "xaxis": powers})}


def _both_rates(theme: str) -> Figure:
    """For a stage that is over before the fast envelope has left the picture: room for both."""
    figure = _rates(theme)
    traces = [
        _with_meta(trace, ranged=True) if trace["meta"]["bind"]["y"] == "lower" else trace
        for trace in figure["data"]
    ]
    return {**figure, "data": traces}


_OWN: dict[str, Callable[[str], Figure]] = {
    "race": _race,
    "loss": _staircase,
    "errors": _errors,
    "range": _range,
    "fits": _fits,
    "glued": _glued,
    "sets": _sets,
    "moves": _moves,
    "set_sizes": _set_sizes,
    "biases": _biases,
    "rates": _rates,
    "both_rates": _both_rates,
}

PAPER_PANELS: dict[str, Callable[[str], Figure]] = {
    **{name: lambda theme, name=name: _still(name, theme) for name in BOUND},  # type: ignore[misc]
    **_OWN,
}


def paper_specification(theme: str) -> dict[str, Any]:
    """What the browser needs to draw the pictures, except the numbers."""
    panels = [
        {"name": name, "title": "", "kind": "", "summary": "", "figure": build(theme)}
        for name, build in PAPER_PANELS.items()
    ]
    return {**specification(theme), "panels": panels}
