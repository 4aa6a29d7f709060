"""One function per picture: results in, a finished Plotly figure out.

The figure of the Lab's panel of the same name is the template, so that a notebook and the Lab draw one
picture. Traces of the forecast are left out.
"""

from collections.abc import Callable, Collection
from typing import Any

import numpy as np
from plotly.graph_objects import Figure

from components.common.theme import NEURON_COLOURS, THEME_NAMES
from components.figures.runs import Results, Run, runs_of
from components.figures.tables import GROUP_TABLES, TABLES, Columns, View, view_of
from components.panels import BOUND

NAMES = {
    "data": "data",
    "truth": "target",
    "floors": "floor of each stage",
    "lines": "regression lines",
    "macroscopic": "macroscopic data",
    "crosses_free": "biases",
    "crosses_pinned": "pinned biases",
    "crosses_dead": "dead neurons",
    "pins": "pinned",
    "crossings": "crossed a data point",
    "dead": "dead neuron",
}
"""What the legend calls the traces that are not a run's or a neuron's."""
LEGEND = {"orientation": "h", "x": 0, "xanchor": "left", "y": 1.02, "yanchor": "bottom"}


def loss(results: Results, *, theme: str = "light") -> Figure:
    """The staircase: loss over epochs on logarithmic axes; for a single run with its stages and floors.

    Parameters
    ----------
    results
        A result of `core.fit`, several, or several by name.
    theme
        `light` or `dark`.

    Returns
    -------
    Figure
        To be shown, changed further or written to a file.

    Raises
    ------
    ValueError
        If there is no result, or the theme is not known.

    Examples
    --------
    >>> from core import RunConfig, train
    >>> run = train(RunConfig.from_query("target=f1&method=anls&epochs=3"))
    >>> len(list(run))
    4
    >>> loss(run).layout.yaxis.type
    'log'
    """
    return _picture("loss", results, theme, alone=("stages", "ticks", "floors"))


def stationarity(results: Results, *, theme: str = "light") -> Figure:
    """How far each run is from fully trained, over epochs. Parameters as for `loss`.

    Examples
    --------
    >>> from core import fit as fit_data
    >>> stationarity(fit_data("f1", method="anls", epochs=3)).layout.xaxis.type
    'log'
    """
    return _picture("stationarity", results, theme, alone=("stages", "ticks"))


def prediction(results: Results, *, theme: str = "light") -> Figure:
    """The error on 10,000 points between the data, over epochs. Parameters as for `loss`.

    Examples
    --------
    >>> from core import fit as fit_data
    >>> prediction(fit_data("f1", method="anls", epochs=3)).layout.xaxis.type
    'log'
    """
    return _picture("prediction", results, theme, alone=("stages", "ticks"))


def fit(results: Results, *, epoch: float | None = None, theme: str = "light") -> Figure:
    """Data, target and networks, with the biases of the first run along the bottom.

    Parameters
    ----------
    results, theme
        As for `loss`.
    epoch
        The moment; left out, the end.

    Returns
    -------
    Figure
        As from `loss`.

    Examples
    --------
    >>> from core import fit as fit_data
    >>> fit(fit_data("f1", method="anls", epochs=3), epoch=1).layout.xaxis.type is None
    True
    """
    return _picture("fit", results, theme, alone=("lines", "macroscopic"), epoch=epoch)


def biases(result: Results, *, theme: str = "light") -> Figure:
    """Where each neuron bends the network, over epochs; of several results the first. See `loss`.

    Examples
    --------
    >>> from core import fit as fit_data
    >>> biases(fit_data("f1", method="anls", epochs=3)).layout.xaxis.type
    'log'
    """
    return _picture("biases", result, theme)


def coefficients(result: Results, *, theme: str = "light") -> Figure:
    """How strongly each neuron bends the network, over epochs. Parameters as for `biases`.

    Examples
    --------
    >>> from core import fit as fit_data
    >>> coefficients(fit_data("f1", method="anls", epochs=3)).layout.xaxis.type
    'log'
    """
    return _picture("coefficients", result, theme)


def _picture(
    name: str, results: Results, theme: str, *, alone: tuple[str, ...] = (), epoch: float | None = None
) -> Figure:
    """A panel's figure, filled. Tables in `alone` are drawn for a single run only."""
    if theme not in THEME_NAMES:
        raise ValueError(f"theme: {theme!r}; one of {', '.join(THEME_NAMES)} is allowed")
    runs = runs_of(results, theme)
    return panel_figure(name, runs, view_of(runs, theme, epoch), without=alone if len(runs) > 1 else ())


def panel_figure(
    name: str, runs: list[Run], view: View, *, only: Collection[str] = (), without: Collection[str] = ()
) -> Figure:
    """The figure of a panel of the Lab, filled: all its tables, `only` some, or all `without` some."""
    template = BOUND[name].figure(view.theme)
    traces: list[dict[str, Any]] = []
    for trace in template["data"]:
        meta = trace["meta"]
        table, each = meta["table"], meta.get("each")
        if table in without or (only and table not in only):
            continue
        if table in GROUP_TABLES:
            for group, colour in enumerate(NEURON_COLOURS[view.theme]):
                columns = {**GROUP_TABLES[table](runs[0], view, group), "colour": colour}
                traces += _filled(trace, columns, "")
        elif table in TABLES and each == "run":
            for run in runs:
                traces += _filled(trace, _of_run(TABLES[table], run, view), run.title)
        elif table in TABLES:
            traces += _filled(trace, _of_run(TABLES[table], runs[0], view), NAMES.get(table, ""))
    return Figure(data=traces, layout=_layout(template["layout"], runs, view, name))


def _of_run(table: Callable[[Run, View], Columns], run: Run, view: View) -> Columns:
    looks = {"colour": run.colour, "dash": run.dash, "label": run.title}
    return {**looks, **table(run, view)}


def _filled(trace: dict[str, Any], columns: Columns, name: str) -> list[dict[str, Any]]:
    """A trace with its columns in their places; none where there is nothing to draw."""
    filled = {key: value for key, value in trace.items() if key not in ("meta", "hoverinfo")}
    for place, column in trace["meta"]["bind"].items():
        if column not in columns:
            return []
        _put(filled, place.split("."), columns[column])
    if not np.isfinite(np.asarray(filled.get("y", ()), dtype=np.float64)).any():
        return []
    return [filled | {"name": name, "showlegend": bool(name), "hoverinfo": "x+y+name" if name else "skip"}]


def _put(part: dict[str, Any], place: list[str], value: Any) -> None:
    """Set `marker.color` in a nested dictionary, without changing the template's own parts."""
    first, *rest = place
    if rest:
        part[first] = dict(part.get(first, {}))
        _put(part[first], rest, value)
    else:
        part[first] = value


def _layout(template: dict[str, Any], runs: list[Run], view: View, name: str) -> dict[str, Any]:
    """The panel's layout, with what the browser would do to it: ranges, names of the axes, a legend."""
    layout = {key: value for key, value in template.items() if key != "meta"}
    layout |= {"showlegend": True, "legend": LEGEND, "hovermode": "closest"}
    layout["margin"] = {**layout["margin"], "t": 40}
    x, y = dict(layout["xaxis"]), dict(layout["yaxis"])
    scale = runs[0].data.scale
    if template["meta"]["x"] == "time":
        x["range"] = np.log10([view.zero, view.end]).tolist()
    elif name == "fit":
        low, high = (float(scale.x(end)) for end in runs[0].data.domain)
        x["range"] = [low - 0.03 * (high - low), high + 0.03 * (high - low)]
        x |= {"title": {**x["title"], "text": scale.x_name or "x"}}
        y |= {"title": {**y["title"], "text": scale.y_name or "y"}}
    if name == "biases":
        low, high = scale.x(runs[0].data.domain[0]), scale.x(runs[0].data.domain[1])
        used = np.concatenate([frame.b for frame in runs[0].frames])
        span = high - low
        reached = np.clip([used.min(), used.max()], low - span, high + span)
        y["range"] = [min(low, reached[0]) - 0.05 * span, max(high, reached[1]) + 0.05 * span]
    layout |= {"xaxis": x, "yaxis": y}
    return layout
