"""The pictures of a study: plain figures of lines and markers, of a bounded size whatever the study has."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import cycle
from math import isfinite, log10
from typing import Any, TypeGuard

import numpy as np

from components.study.table import StudyTable, grouped
from components.theme import METHOD_COLOURS, THEMES, method_colour, template
from core.methods import METHODS
from core.study import GRID, Row, bands, medians_over_seconds, quantile, reached
from core.types import FloatArray

Figure = dict[str, Any]

MOST_GROUPS = 16
MOST_MARKERS = 200
_STEPS = 300
_BINS = 24
_TICKS = 7
_SHARES = (0.1, 0.25, 0.5, 0.75, 0.9)
_BANDS = ((6, (0, 4, 0.12)), (10, (1, 3, 0.22)))
"""Up to so many groups a band is drawn, and from which share to which: more of them hide each other."""
SLOPES = (-2, -4)


def picture(table: StudyTable, name: str, key: str, level: str, theme: str) -> Figure:
    """Any picture but the scatter, for groups by one column."""
    groups = dict(list(grouped(table, key).items())[:MOST_GROUPS])
    colours = colours_of(key, list(groups), theme)
    if name == "bands":
        figure = _bands(table, groups, colours, theme)
    elif name == "seconds":
        figure = _seconds(table, groups, colours, theme)
    elif name == "reached":
        figure = _reached(table, groups, colours, level, theme)
    elif name == "losses":
        figure = _distribution(table, groups, colours, "loss", "final loss", theme, logarithmic=True)
    elif name == "plateaus":
        title = "longest plateau, decades of epochs"
        figure = _distribution(table, groups, colours, "longest_plateau", title, theme)
    else:
        figure = _widths(table, groups, colours, theme)
    _thin_ticks(figure)
    return figure


def _thin_ticks(figure: Figure) -> None:
    """A tick for each decade of a logarithmic axis, or for every few where they would not fit."""
    for axis in (axis for axis in "xy" if "type" in figure["layout"][f"{axis}axis"]):
        values = [value for trace in figure["data"] for value in trace[axis] if _number(value) and value > 0]
        decades = log10(max(values) / min(values)) if values else 0.0
        if "tickvals" not in figure["layout"][f"{axis}axis"]:
            figure["layout"][f"{axis}axis"]["dtick"] = 1 + int(decades // _TICKS)


def scatter(table: StudyTable, key: str, x: str, y: str, theme: str) -> Figure:
    """One marker a run; of more than some hundred every so many are shown."""
    groups = dict(list(grouped(table, key).items())[:MOST_GROUPS])
    colours = colours_of(key, list(groups), theme)
    step = 1 + len(table.rows) // (MOST_MARKERS + 1)
    traces = []
    for name, places in groups.items():
        rows = [table.rows[place] for place in places[::step]]
        rows = [row for row in rows if _number(row.get(x)) and _number(row.get(y))]
        marker = {"color": colours[name], "size": 7, "opacity": 0.75}
        traces.append(
            {
                "type": "scatter", "mode": "markers", "name": name, "marker": marker,
                "x": [row[x] for row in rows], "y": [row[y] for row in rows],
                "customdata": [lab_link(row, x, y) for row in rows],
                "text": [f"{row['method']}, seed {row['seed']}" for row in rows],
                "hovertemplate": "%{text}<br>%{x}, %{y}<extra></extra>",
            }
        )  # fmt: skip
    layout = _layout(theme, {"title": {"text": _words(x)}}, {"title": {"text": _words(y)}})
    for axis, column in (("xaxis", x), ("yaxis", y)):
        if _spans_decades(table.rows, column):
            layout[axis] |= {"type": "log"}
    layout |= {"hovermode": "closest", "clickmode": "event"}
    return {"data": traces, "layout": layout}


def lab_link(row: Row, *columns: str) -> str:
    """Where a run opens in the Lab: at the moment that a shown column speaks of, as when a loss was reached;
    else at its end, where it is seen what it came to."""
    reached = [f"epochs_to_{column.partition('_to_')[2]}" for column in columns if "_to_" in column]
    moment = next((row[column] for column in reached if row.get(column) is not None), row.get("epochs"))
    return f"/?{row['query']}" + (f"&at={moment:.6g}" if moment else "")


def colours_of(key: str, names: Sequence[str], theme: str) -> dict[str, str]:
    """A colour for each group."""
    if key == "method":
        return {name: method_colour(theme, name) for name in names}
    return dict(zip(names, cycle(METHOD_COLOURS[theme].values()), strict=False))


def _bands(table: StudyTable, groups: dict[str, list[int]], colours: dict[str, str], theme: str) -> Figure:
    traces: list[dict[str, Any]] = []
    for name, places in groups.items():
        curves = [table.curves[place] for place in places if len(table.curves[place])]
        found = bands(curves, _SHARES)
        x = [epoch + 1.0 for epoch in found.epochs.tolist()]
        lines = [[_positive(value) for value in row] for row in found.quantiles.tolist()]
        common = {"type": "scatter", "mode": "lines", "hoverinfo": "skip"}
        for low, high, opacity in (band for most, band in _BANDS if len(groups) <= most):
            traces.append(
                {**common, **_between(x, lines[low], lines[high]), "line": {"width": 0}, "fill": "toself",
                 "fillcolor": _clear(colours[name], opacity)}
            )  # fmt: skip
        traces.append(
            {**common, "x": x, "y": lines[2], "line": {"width": 2, "color": colours[name]}, "name": name,
             "hoverinfo": "x+y+name"}
        )  # fmt: skip
    x_axis = {"title": {"text": "epoch + 1"}, "type": "log"}
    layout = _layout(theme, x_axis, {"title": {"text": "loss"}, "type": "log"})
    return {"data": traces, "layout": layout}


def _between(x: list[float], low: list[float | None], high: list[float | None]) -> Figure:
    """The outline of a band, forth and back. A lower edge at loss 0, which a logarithmic axis does not have,
    is at the least loss that there is."""
    there = [place for place, value in enumerate(high) if value is not None]
    least = min((value for value in (*low, *high) if value is not None), default=None)
    lower = [low[place] if low[place] is not None else least for place in reversed(there)]
    return {
        "x": [x[place] for place in (*there, *reversed(there))],
        "y": [*(high[place] for place in there), *lower],
    }


@lru_cache(maxsize=256)
def _clock(method: str, width: int, points: int) -> FloatArray:
    """The seconds that a method takes to each epoch of the grid, as its cost is told before a run."""
    return np.array([METHODS[method]().seconds(width, points, epoch) for epoch in GRID])


def _seconds(table: StudyTable, groups: dict[str, list[int]], colours: dict[str, str], theme: str) -> Figure:
    traces: list[dict[str, Any]] = []
    for name, places in groups.items():
        there = [place for place in places if len(table.curves[place])]
        rows = [table.rows[place] for place in there]
        clocks = [_clock(row["method"], row["width"], row["points"]) for row in rows]
        seconds, losses = medians_over_seconds([table.curves[place] for place in there], clocks)
        # A single point, as of a method that is done at once, is a line of no length: so a marker ends each.
        marker = {"size": [*[0] * (len(seconds) - 1), 6], "color": colours[name]}
        traces.append(
            {"type": "scatter", "mode": "lines+markers", "x": seconds.tolist(), "marker": marker,
             "y": [_positive(loss) for loss in losses.tolist()],
             "line": {"width": 2, "color": colours[name]}, "name": name}
        )  # fmt: skip
    x_axis = {"title": {"text": "seconds of computing"}, "type": "log"}
    layout = _layout(theme, x_axis, {"title": {"text": "median loss"}, "type": "log"})
    return {"data": traces, "layout": layout | {"hovermode": "closest"}}


def _reached(
    table: StudyTable, groups: dict[str, list[int]], colours: dict[str, str], level: str, theme: str
) -> Figure:
    traces = []
    column = f"epochs_to_{level}"
    for name, places in groups.items():
        rows = [table.rows[place] for place in places]
        epochs, shares = reached([row.get(column) for row in rows])
        inorder = sorted((row for row in rows if row.get(column) is not None), key=lambda row: row[column])
        last = max((row.get("epochs") or 0.0 for row in rows), default=0.0)
        step = 1 + len(epochs) // _STEPS
        chosen = [*range(0, len(epochs), step)]
        x = [1.0, *(epochs[place] + 1.0 for place in chosen), last + 1.0]
        y = [0.0, *(shares[place] for place in chosen), shares[-1] if shares else 0.0]
        links = ["", *(lab_link(inorder[place], column) for place in chosen), ""]
        line = {"shape": "hv", "width": 2, "color": colours[name]}
        traces.append(
            {"type": "scatter", "mode": "lines", "x": x, "y": y, "name": name, "line": line,
             "customdata": links}
        )  # fmt: skip
    y_axis = {"title": {"text": f"share of runs at loss ≤ {level}"}, "range": [-0.02, 1.02]}
    x_axis = {"title": {"text": "epoch + 1"}, "type": "log"}
    layout = _layout(theme, x_axis, y_axis)
    return {"data": traces, "layout": layout | {"hovermode": "closest", "clickmode": "event"}}


def _distribution(
    table: StudyTable,
    groups: dict[str, list[int]],
    colours: dict[str, str],
    column: str,
    title: str,
    theme: str,
    *,
    logarithmic: bool = False,
) -> Figure:
    """Shares of runs in equal bins, as filled steps."""
    values = {
        name: [
            log10(value) if logarithmic else value
            for value in (table.rows[place].get(column) for place in places)
            if _number(value) and (value > 0 or not logarithmic)
        ]
        for name, places in groups.items()
    }
    everything = [value for entries in values.values() for value in entries]
    low, high = (min(everything), max(everything)) if everything else (0.0, 1.0)
    width = (high - low) / _BINS or 1.0
    edges = [low + width * place for place in range(_BINS + 1)]
    traces = []
    for name, entries in values.items():
        counts = [0] * _BINS
        for value in entries:
            counts[min(_BINS - 1, int((value - low) / width))] += 1
        x = [10.0**edge if logarithmic else edge for edge in edges]
        shares = [count / max(1, len(entries)) for count in counts]
        traces.append(
            {"type": "scatter", "mode": "lines", "x": x, "y": [*shares, shares[-1]], "name": name,
             "line": {"shape": "hv", "width": 1.5, "color": colours[name]}, "fill": "tozeroy",
             "fillcolor": _clear(colours[name], 0.18)}
        )  # fmt: skip
    x_axis: dict[str, Any] = {"title": {"text": title}, **({"type": "log"} if logarithmic else {})}
    y_axis = {"title": {"text": "share of runs"}, "rangemode": "tozero"}
    return {"data": traces, "layout": _layout(theme, x_axis, y_axis)}


def _widths(table: StudyTable, groups: dict[str, list[int]], colours: dict[str, str], theme: str) -> Figure:
    """Medians and quartiles of the final loss at each width, and the slopes that theory knows."""
    traces: list[dict[str, Any]] = []
    anchor: tuple[int, float] | None = None
    widths = sorted({row["width"] for row in table.rows if _number(row["width"])})
    for name, places in groups.items():
        by_width: dict[int, list[float]] = {}
        for row in (table.rows[place] for place in places):
            if _number(row["loss"]) and row["loss"] > 0:
                by_width.setdefault(row["width"], []).append(row["loss"])
        x = sorted(by_width)
        three = [[quantile(sorted(by_width[width]), share) for share in (0.25, 0.5, 0.75)] for width in x]
        middle = [each[1] for each in three]
        if middle and (anchor is None or middle[0] > anchor[1]):
            anchor = x[0], middle[0]
        error = {"type": "data", "symmetric": False, "thickness": 1.2,
                 "array": [each[2] - each[1] for each in three],
                 "arrayminus": [each[1] - each[0] for each in three]}  # fmt: skip
        traces.append(
            {"type": "scatter", "mode": "lines+markers", "x": x, "y": middle, "name": name, "error_y": error,
             "line": {"width": 1.5, "color": colours[name]}, "marker": {"size": 7, "color": colours[name]}}
        )  # fmt: skip
    for slope in SLOPES if anchor and len(widths) > 1 else ():
        assert anchor is not None
        y = [anchor[1] * (width / anchor[0]) ** slope for width in widths]
        line = {"width": 1, "dash": "4px,4px", "color": THEMES[theme].faint}
        traces.append(
            {"type": "scatter", "mode": "lines+text", "x": widths, "y": y, "line": line,
             "text": [*[""] * (len(widths) - 1), f"slope −{-slope}"], "textposition": "top left",
             "textfont": {"size": 11, "color": THEMES[theme].muted}, "hoverinfo": "skip"}
        )  # fmt: skip
    x_axis = {
        "title": {"text": "width n"},
        "type": "log",
        "tickvals": widths,
        "ticktext": list(map(str, widths)),
    }
    layout = _layout(theme, x_axis, {"title": {"text": "final loss"}, "type": "log"})
    return {"data": traces, "layout": layout}


def _layout(theme: str, x: dict[str, Any], y: dict[str, Any]) -> dict[str, Any]:
    """Without a legend: all pictures share the one above them."""
    base = template(theme)
    axes = {
        name: {**base[name], **given, "title": {**base[name]["title"], **given.get("title", {})}}
        for name, given in (("xaxis", x), ("yaxis", y))
    }
    margin = {"l": 62, "r": 14, "t": 12, "b": 44}
    return base | axes | {"showlegend": False, "margin": margin, "hovermode": "x"}


def _words(column: str) -> str:
    return column.replace("_", " ")


def _number(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and isfinite(value)


def _positive(value: float) -> float | None:
    return value if isfinite(value) and value > 0 else None


def _spans_decades(rows: Sequence[Row], column: str) -> bool:
    values = [row[column] for row in rows if _number(row.get(column))]
    return bool(values) and min(values) > 0 and max(values) > 50 * min(values)


def _clear(colour: str, opacity: float) -> str:
    """A colour of the theme, #rrggbb, with an opacity."""
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity})"
