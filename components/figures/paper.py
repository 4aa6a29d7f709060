"""The pictures of the Paper page: runs in, finished figures out, with the paper's own signs.

Some are panels of the Lab standing still; the others follow the paper's drawings. Each is a function of the
runs and of what part of them is looked at; `paper_figure` calls the one that a picture names.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Any

import numpy as np
from plotly.graph_objects import Figure

from components.common.theme import LABEL_FONT_SIZE, OVERLAY_COLOURS, POWER_FONT_SIZE, THEMES, template
from components.figures.pictures import LEGEND, panel_figure
from components.figures.runs import Run
from components.figures.tables import SMALLEST, TABLES, Columns, View, view_of
from core.narrative import number
from core.service import candidate_columns, rate_columns
from core.types import FloatArray

Ends = tuple[float, float]
Trace = dict[str, Any]
_MOST_FRAMES = 400
"""Frames of a trajectory; more cannot be told apart in a picture."""
_MOST_TICKS = 6
_ROUNDING = 1e-19
"""Below so small a share of the largest value there is nothing but rounding."""
_ROOM_BELOW = 0.03


@dataclass(frozen=True)
class Part:
    """What of the runs is looked at."""

    theme: str
    window: Ends | None = None
    """Epochs of a history; None shows all."""
    domain: Ends | None = None
    """The stretch of x of a network; None shows all."""

    @property
    def inks(self) -> Any:
        """The inks of the theme."""
        return THEMES[self.theme]


def paper_figure(
    panel: str,
    runs: Sequence[Run],
    theme: str,
    *,
    moment: float | None = None,
    window: Ends | None = None,
    domain: Ends | None = None,
) -> Figure:
    """A picture by its name; the first run is the one that pictures of a single run show.

    Parameters
    ----------
    panel
        One of `PAPER_PICTURES`.
    runs
        From `runs_of`.
    theme
        `light` or `dark`.
    moment
        The epoch at which a network is shown; left out, the end.
    window, domain
        The epochs and the stretch of x that are shown; left out, all.

    Returns
    -------
    Figure
        With numbers of seven digits, which is more than a picture shows and half of the bytes.
    """
    shown = list(runs)
    view = view_of(shown, theme, moment)
    figure = PAPER_PICTURES[panel](shown, view, Part(theme, window, domain))
    figure.update_layout(
        hovermode="closest", dragmode=False, margin_t=34 if figure.layout.showlegend else 10, height=None
    )
    figure.update_layout(
        legend={"itemclick": False, "itemdoubleclick": False, "font": {"size": LABEL_FONT_SIZE}}
    )
    for axis in (figure.layout.xaxis, figure.layout.yaxis):
        if axis.type == "log" and axis.range:
            axis.update(_log_ticks(*axis.range))
    return _rounded(figure)


def _log_ticks(low: float, high: float) -> dict[str, Any]:
    """Ticks at whole decades, a handful of them; over less than two decades at 1, 2 and 5 times each."""
    if high - low >= 2:
        every = max(1, round((high - low) / _MOST_TICKS))
        return {"tickmode": "linear", "tick0": 0, "dtick": every, "tickfont": {"size": POWER_FONT_SIZE}}
    powers = range(floor(low), ceil(high) + 1)
    values = [float(f"{lead}e{power}") for power in powers for lead in (1, 2, 5)]
    shown = [value for value in values if low <= log10(value) <= high]
    return {"tickmode": "array", "tickvals": shown, "ticktext": [number(value) for value in shown]}


def _rounded(figure: Figure) -> Figure:
    for trace in figure.data:
        for axis in ("x", "y"):
            values = np.asarray(trace[axis])
            if values.dtype.kind == "f":
                trace[axis] = values.astype(np.float32)
    return figure


# ---- histories ---------------------------------------------------------------------------------------


def _loss(runs: list[Run], view: View, part: Part) -> Figure:
    """One run, its stages and their floors."""
    return _framed(panel_figure("loss", runs[:1], view), runs[:1], view, part, "loss")


def _race(runs: list[Run], view: View, part: Part) -> Figure:
    """Every method by name; the dot at a curve's end is all there is of one that is done at once."""
    figure = panel_figure("loss", runs, view, only=("curve",))
    for run in runs:
        last = run.frames[-1]
        marker = {"size": 7, "color": run.colour}
        x, y = view.times([last.epoch]), [max(SMALLEST, last.loss)]
        figure.add_scatter(
            x=x, y=y, mode="markers", marker=marker, showlegend=False, cliponaxis=False, hoverinfo="skip"
        )
    return _framed(figure, runs, view, part, "loss")


def _errors(runs: list[Run], view: View, part: Part) -> Figure:
    figure = panel_figure("prediction", runs, view, only=("curve",))
    return _framed(figure, runs, view, part, "prediction_error")


def _stationarity(runs: list[Run], view: View, part: Part) -> Figure:
    figure = panel_figure("stationarity", runs[:1], view)
    return _framed(figure, runs[:1], view, part, "stationarity")


def _range(runs: list[Run], view: View, part: Part) -> Figure:
    """Loss and epochs counted evenly: how a run looks to somebody who waits for it."""
    begin, end = part.window or (0.0, view.end)
    run = runs[0]
    epochs, losses = run.column("epoch"), run.column("loss")
    kept = (epochs >= begin) & (epochs <= end)
    line = {"width": 1.75, "color": run.colour}
    hover = "epoch %{x:,.0f}<br>loss %{y:.3g}<extra></extra>"
    figure = Figure(layout=_axes(part, "epoch k", "loss"))
    figure.add_scatter(
        x=epochs[kept],
        y=losses[kept],
        mode="lines",
        line=line,
        name=run.title,
        hovertemplate=hover,
        showlegend=False,
    )
    figure.update_xaxes(range=[begin, end], nticks=5)
    figure.update_yaxes(rangemode="tozero", nticks=5, automargin=True)
    return figure


def _framed(figure: Figure, runs: Iterable[Run], view: View, part: Part, column: str) -> Figure:
    """The figure with the epochs of the part, and with decades for what is seen there."""
    begin, end = part.window or (view.zero, view.end)
    figure.update_xaxes(range=np.log10([begin, end * 1.03]).tolist())
    ends = []
    for run in runs:
        times, values = view.times(run.column("epoch")), run.column(column)
        seen = values[(times >= begin) & (times <= end) & np.isfinite(values) & (values >= 0.0)]
        if len(seen):
            ends.append((max(SMALLEST, float(seen.min())), max(SMALLEST, float(seen.max()))))
    if not ends:
        return figure
    most = max(high for _, high in ends)
    # A curve that falls to rounding errors does not flatten the others: it leaves the picture below them.
    others = [low for low, _ in ends if low >= _ROUNDING * most]
    low = min(others or [low for low, _ in ends]) * (_ROOM_BELOW if 0 < len(others) < len(ends) else 1.0)
    powers = np.log10([low, most])
    room = 0.05 * max(0.2, float(powers[1] - powers[0]))
    figure.update_yaxes(range=[float(powers[0]) - room, float(powers[1]) + room], selector={"type": "log"})
    return figure


def _thin(run: Run) -> Run:
    """The run with as many frames as a trajectory needs, the first and the last among them."""
    chosen = np.unique(np.linspace(0, len(run.frames) - 1, _MOST_FRAMES).round().astype(int))
    return Run(run.config, tuple(run.frames[i] for i in chosen), run.data, run.title, run.colour, run.dash)


def _marked(panel: str) -> "Picture":
    """Trajectories from some frames, the marks on them from all."""

    def picture(runs: list[Run], view: View, part: Part) -> Figure:
        marks = ("pins", "crossings", "hops", "stages", "ticks")
        figure = panel_figure(panel, [_thin(runs[0])], view, without=marks)
        whole = panel_figure(panel, runs[:1], view, only=marks)
        behind = [trace for trace in whole.data if trace.yaxis == "y2"]
        before = [trace for trace in whole.data if trace.yaxis != "y2"]
        figure = Figure(data=[*behind, *figure.data, *before], layout=figure.layout)
        values = np.concatenate([frame.b if panel == "biases" else frame.c for frame in runs[0].frames])
        low, high = float(values.min()), float(values.max())
        figure.update_yaxes(range=_with_room(low, high), selector={"overlaying": "y2"})
        begin, end = part.window or (view.zero, view.end)
        figure.update_xaxes(range=np.log10([begin, end * 1.03]).tolist())
        return figure

    return picture


def _set_sizes(runs: list[Run], view: View, part: Part) -> Figure:
    """How many data activate l neurons, one named curve for each l; names of curves that end alike share
    a place."""
    run = _thin(runs[0])
    x, sizes = view.times(run.column("epoch")), np.array([frame.u for frame in run.frames])
    colours = OVERLAY_COLOURS[part.theme]
    figure = Figure(layout=_axes(part, "epoch k", "data points u<sub>l</sub>", log=True))
    begin, end = part.window or (view.zero, view.end)
    figure.update_xaxes(range=np.log10([begin, end]).tolist())
    named = set[int]()
    for level in range(sizes.shape[1]):
        colour, last = colours[level % len(colours)], int(sizes[-1, level])
        alike = [other for other in range(sizes.shape[1]) if sizes[-1, other] == last]
        line = {"width": 1.75, "shape": "hv", "color": colour}
        figure.add_scatter(
            x=x,
            y=sizes[:, level],
            mode="lines",
            line=line,
            showlegend=False,
            name=f"u<sub>{level}</sub>",
            hoverinfo="x+y+name",
        )
        if last not in named:
            named.add(last)
            text = " ".join(f"u<sub>{other}</sub>" for other in alike)
            figure.add_scatter(
                x=x[-1:],
                y=[last],
                text=[f" {text}"],
                mode="text",
                showlegend=False,
                textposition="middle right",
                hoverinfo="skip",
                cliponaxis=False,
                textfont={"size": LABEL_FONT_SIZE, "color": colour},
            )
    figure.update_yaxes(range=_with_room(0.0, float(sizes.max())))
    return figure


# ---- networks ----------------------------------------------------------------------------------------


def _fit(runs: list[Run], view: View, part: Part) -> Figure:
    """The network with its regression lines and macroscopic data."""
    return _over(panel_figure("fit", runs[:1], view), runs[0], part)


def _fits(runs: list[Run], view: View, part: Part) -> Figure:
    """Networks of several methods in front of the data, with all of their spikes."""
    return _over(panel_figure("fit", runs, view, only=("data", "truth", "network")), runs[0], part)


def _glued(runs: list[Run], view: View, part: Part) -> Figure:
    """Regression lines as they are, gluing lines dashed, the target dotted: as in fig. FullyTrained."""
    run, inks = runs[0], part.inks
    figure = panel_figure("fit", runs[:1], view, only=("truth", "lines", "crosses_free"))
    for trace in figure.data:
        if trace.name == "target":
            trace.line = {"width": 2, "dash": "2px,3px", "color": inks.muted}
        elif trace.name == "regression lines":
            trace.line, trace.opacity = {"width": 2.5, "color": inks.ink}, 1
    glue = _glue(run, view)
    line = {"width": 2, "dash": "4px,3px", "color": inks.accent}
    figure.add_scatter(**glue, mode="lines", line=line, name="gluing lines", hoverinfo="skip")
    return _over(figure, run, part)


def _glue(run: Run, view: View) -> Columns:
    """The pieces of the network over which there are no data: they join what stands on the data."""
    network = TABLES["network"](run, view)
    frame, (low, high) = view.frame(run), (float(network["x"][0]), float(network["x"][-1]))
    corners = np.unique([low, *frame.b[(frame.b > low) & (frame.b < high)], high])
    heights = np.interp(corners, network["x"], network["y"])
    x, y = list[float](), list[float]()
    for i in range(len(corners) - 1):
        if np.searchsorted(run.x, corners[i]) == np.searchsorted(run.x, corners[i + 1]):
            x += [corners[i], corners[i + 1], np.nan]
            y += [heights[i], heights[i + 1], np.nan]
    return {"x": x, "y": y}


def _sets(runs: list[Run], view: View, part: Part) -> Figure:
    """The data, the biases, and the names of what lies between them."""
    run, inks = runs[0], part.inks
    figure = panel_figure("fit", runs[:1], view, only=("data", "network", "crosses_free"))
    b = np.sort(view.frame(run).b)
    low, high = _domain(run, part)
    edges = np.concatenate(([low], b, [high]))
    line = {"width": 1, "dash": "4px,3px", "color": inks.faint}
    figure.add_scatter(**_posts(b), yaxis="y2", mode="lines", line=line, showlegend=False, hoverinfo="skip")
    names = [f"U<sub>{level}</sub>" for level in range(len(b) + 1)]
    figure.add_scatter(
        x=0.5 * (edges[1:] + edges[:-1]),
        y=[0.95] * len(names),
        text=names,
        yaxis="y2",
        mode="text",
        textfont={"size": LABEL_FONT_SIZE, "color": inks.ink},
        showlegend=False,
        hoverinfo="skip",
    )
    return _over(figure, run, part)


def _over(figure: Figure, run: Run, part: Part) -> Figure:
    """The figure over the data's domain, as high as the data and once more on either side at most."""
    low, high = _domain(run, part)
    y = np.asarray(run.data.scale.y(run.data.y))
    least, most = float(y.min()), float(y.max())
    span = most - least or 1.0
    for trace in figure.data:
        if trace.yaxis in (None, "y"):
            x, values = (np.asarray(trace[axis], dtype=float) for axis in "xy")
            values = values[(x >= low) & (x <= high) & np.isfinite(values)]
            if len(values):
                least = min(least, max(float(values.min()), float(y.min()) - span))
                most = max(most, min(float(values.max()), float(y.max()) + span))
    figure.update_xaxes(range=[low, high], selector={"visible": None})
    room = most - least
    figure.update_yaxes(range=[least - 0.16 * room, most + 0.08 * room], selector={"visible": None})
    return figure


def _domain(run: Run, part: Part) -> Ends:
    if part.domain:
        return part.domain
    low, high = (float(run.data.scale.x(end)) for end in run.data.domain)
    return low - 0.04 * (high - low), high + 0.04 * (high - low)


def _moves(runs: list[Run], view: View, part: Part) -> Figure:
    """One row per neuron: where it is, where it may go, and the loss that it would find there."""
    run, inks = runs[0], part.inks
    frame = view.frame(run)
    told = candidate_columns(run.config, frame)
    neuron, position = told["neuron"] + 1, told["position"]
    figure = Figure(layout=_axes(part, "x, and the position of the bias", "neuron j"))
    figure.update_layout(
        showlegend=True, legend=LEGEND, yaxis2={"range": [0, 1], "visible": False, "overlaying": "y"}
    )
    dashed = {"width": 1, "dash": "3px,3px", "color": inks.faint}
    figure.add_scatter(**_posts(run.x), yaxis="y2", mode="lines", line=dashed, name="data", hoverinfo="skip")
    x = [end for at, to in zip(frame.b[told["neuron"]], position, strict=True) for end in (at, to, np.nan)]
    rows = [row for j in neuron for row in (j, j, np.nan)]
    figure.add_scatter(
        x=x,
        y=rows,
        mode="lines",
        line={"width": 1.25, "color": inks.muted},
        showlegend=False,
        hoverinfo="skip",
    )
    cross = {"symbol": "x-thin-open", "size": 11, "color": inks.ink, "line": {"width": 2.25}}
    figure.add_scatter(
        x=frame.b,
        y=np.arange(len(frame.b)) + 1,
        mode="markers",
        marker=cross,
        name="bias now",
        hoverinfo="skip",
    )
    ring = {
        "symbol": "circle",
        "size": 10,
        "color": inks.panel,
        "line": {"width": 1.75, "color": inks.accent},
    }
    losses = [number(max(SMALLEST, loss)) for loss in told["candidate_loss"]]
    figure.add_scatter(
        x=position,
        y=neuron,
        text=losses,
        mode="markers+text",
        marker=ring,
        textposition="top center",
        textfont={"size": LABEL_FONT_SIZE, "color": inks.ink},
        cliponaxis=False,
        name="candidate, with its loss",
        hoverinfo="skip",
    )
    chosen = [] if told["chosen"] is None else [told["chosen"]]
    dot = {"symbol": "circle", "size": 12, "color": inks.accent}
    figure.add_scatter(
        x=position[chosen],
        y=neuron[chosen],
        mode="markers",
        marker=dot,
        name="taken",
        hoverinfo="skip",
        cliponaxis=False,
    )
    figure.update_xaxes(range=list(_domain(run, part)), showgrid=False)
    figure.update_layout(
        yaxis={"tick0": 1, "dtick": 1, "range": [len(frame.b) + 0.6, 0.3], "showgrid": False}
    )
    return figure


def _posts(places: FloatArray) -> dict[str, Any]:
    """Lines from the bottom to the top."""
    return {
        "x": [value for x in places for value in (x, x, np.nan)],
        "y": [value for _ in places for value in (0.0, 1.0, np.nan)],
    }


# ---- rates -------------------------------------------------------------------------------------------


def _rates(runs: list[Run], view: View, part: Part) -> Figure:
    """The loss above its floor within a stage, between the envelopes of the theorem."""
    return _envelopes(runs, view, part, ("excess", "upper"))


def _both_rates(runs: list[Run], view: View, part: Part) -> Figure:
    """For a stage that is over before the fast envelope has left the picture: room for both."""
    return _envelopes(runs, view, part, ("excess", "upper", "lower"))


def _envelopes(runs: list[Run], view: View, part: Part, ranged: Sequence[str]) -> Figure:
    run, inks = runs[0], part.inks
    stage = view.frame(run).stage
    told = rate_columns(run.config, [frame for frame in run.frames if frame.stage == stage])
    x = told["epoch"] - told["epoch"][0]
    of = {name: np.maximum(SMALLEST, told[name]) for name in told if name != "epoch"}
    exact = {"width": 1.25, "color": inks.ink, "dash": "5px,3px"}
    closed = {"width": 1, "color": inks.faint, "dash": "1px,2.5px"}
    figure = Figure(layout=_axes(part, "epochs into the stage", "L − Q<sub>0</sub>"))
    figure.update_layout(showlegend=True, legend=LEGEND)
    named = {"bound_upper": "closed-form bounds", "upper": "exact rates"}
    for name in ("bound_upper", "bound_lower", "upper", "lower"):
        fill = {"fill": "tonexty", "fillcolor": inks.tint} if name == "lower" else {}
        figure.add_scatter(
            x=x,
            y=of[name],
            mode="lines",
            line=closed if "bound" in name else exact,
            **fill,
            name=named.get(name, name),
            showlegend=name in named,
            hoverinfo="skip",
        )
    figure.add_scatter(
        x=x,
        y=of["excess"],
        mode="lines+markers",
        line={"width": 2, "color": run.colour},
        marker={"size": 4, "color": run.colour},
        name="measured",
        hoverinfo="x+y",
    )
    seen = np.concatenate([of[name] for name in ranged])
    seen = seen[seen > SMALLEST]
    low, high = np.log10(seen.min()), np.log10(seen.max())
    figure.update_xaxes(showgrid=False, rangemode="tozero", nticks=5)
    figure.update_yaxes(type="log", range=_with_room(float(low), float(high)), automargin=True)
    return figure


# ---- what they share ---------------------------------------------------------------------------------


def _axes(part: Part, x: str, y: str, *, log: bool = False) -> dict[str, Any]:
    base = template(part.theme)
    titles = {
        name: {**base[name], "title": {**base[name]["title"], "text": text}}
        for name, text in (("xaxis", x), ("yaxis", y))
    }
    titles["xaxis"] |= {"showgrid": False, **({"type": "log"} if log else {})}
    return {**base, **titles}


def _with_room(low: float, high: float) -> list[float]:
    room = 0.05 * (high - low or 1.0)
    return [low - room, high + room]


Picture = Callable[[list[Run], View, Part], Figure]
PAPER_PICTURES: dict[str, Picture] = {
    "race": _race,
    "loss": _loss,
    "errors": _errors,
    "range": _range,
    "stationarity": _stationarity,
    "biases": _marked("biases"),
    "coefficients": _marked("coefficients"),
    "set_sizes": _set_sizes,
    "fit": _fit,
    "fits": _fits,
    "glued": _glued,
    "sets": _sets,
    "moves": _moves,
    "rates": _rates,
    "both_rates": _both_rates,
}
"""What a picture of the page may be of."""
