"""The pictures of a study: plain figures of lines and markers, of a bounded size whatever the study has."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from components.study.axes import Figure, clear, is_number, layout, positive, spans_decades, with_ticks
from components.study.endings import distribution, losses_by_width
from components.study.groups import Group, groups_of
from components.study.table import StudyTable
from components.study.words import column_title, run_title
from core.methods import METHODS
from core.study import GRID, Row, bands, medians_over_seconds, reached
from core.types import FloatArray

MOST_MARKERS = 200
_SOME_MARKERS = 120
"""Where not every run can have one: each takes the browser half a millisecond."""
_STEPS = 300
_SHARES = (0.1, 0.25, 0.5, 0.75, 0.9)
BANDS = ((6, (0, 4, 0.12)), (10, (1, 3, 0.22)))
"""Up to so many groups a band is drawn, and from which share to which: more of them hide each other."""


def picture(table: StudyTable, name: str, key: str, level: str, theme: str) -> Figure:
    """Any picture but the scatter, for groups by one column."""
    groups = groups_of(table, key, theme)
    if name == "bands":
        figure = _bands(table, groups, theme)
    elif name == "seconds":
        figure = _seconds(table, groups, theme)
    elif name == "reached":
        figure = _reached(table, groups, level, theme)
    elif name == "losses":
        figure = distribution(table, groups, "loss", "final loss", theme, logarithmic=True)
    elif name == "plateaus":
        title = "longest plateau, decades of epochs"
        figure = distribution(table, groups, "longest_plateau", title, theme)
    else:
        figure = losses_by_width(table, groups, theme)
    return with_ticks(figure)


def scatter(table: StudyTable, key: str, x: str, y: str, theme: str) -> Figure:
    """One marker a run, or one for every so many."""
    step = runs_a_marker(len(table.rows))
    traces = []
    for group in groups_of(table, key, theme):
        rows = [table.rows[place] for place in group.places[::step]]
        rows = [row for row in rows if is_number(row.get(x)) and is_number(row.get(y))]
        told = f"%{{text}}<br>{column_title(x)}: %{{x:.4~g}}<br>{column_title(y)}: %{{y:.4~g}}<extra></extra>"
        traces.append(
            group.trace(
                "markers",
                marker={"color": group.colour, "size": 7, "opacity": 0.75},
                x=[row[x] for row in rows],
                y=[row[y] for row in rows],
                customdata=[lab_link(row, x, y) for row in rows],
                text=[run_title(row) for row in rows],
                hovertemplate=told,
            )
        )
    axes = [
        {
            "title": {"text": column_title(column)},
            **({"type": "log"} if spans_decades([row.get(column) for row in table.rows]) else {}),
        }
        for column in (x, y)
    ]
    drawn = layout(theme, *axes) | {"hovermode": "closest", "clickmode": "event"}
    return with_ticks({"data": traces, "layout": drawn})


def runs_a_marker(runs: int) -> int:
    """How many of so many runs share a marker."""
    return 1 if runs <= MOST_MARKERS else -(-runs // _SOME_MARKERS)


def lab_link(row: Row, *columns: str) -> str:
    """Where a run opens in the Lab: at the moment that a shown column speaks of, as when a loss was reached;
    else at its end, where it is seen what it came to."""
    reached = [f"epochs_to_{column.partition('_to_')[2]}" for column in columns if "_to_" in column]
    moment = next((row[column] for column in reached if row.get(column) is not None), row.get("epochs"))
    return f"/?{row['query']}" + (f"&at={moment:.6g}" if moment else "")


def _bands(table: StudyTable, groups: Sequence[Group], theme: str) -> Figure:
    traces: list[dict[str, Any]] = []
    for group in groups:
        found = bands([table.curves[place] for place in group.places if len(table.curves[place])], _SHARES)
        x = [epoch + 1.0 for epoch in found.epochs.tolist()]
        lines = [[positive(value) for value in row] for row in found.quantiles.tolist()]
        for low, high, opacity in (band for most, band in BANDS if len(groups) <= most):
            traces.append(
                group.trace(
                    "lines",
                    hoverinfo="skip",
                    **_between(x, lines[low], lines[high]),
                    line={"width": 0},
                    fill="toself",
                    fillcolor=clear(group.colour, opacity),
                )
            )
        traces.append(group.trace("lines", x=x, y=lines[2], line=group.line(), hoverinfo="x+y+name"))
    x_axis = {"title": {"text": "epoch + 1"}, "type": "log"}
    return {
        "data": traces,
        "layout": layout(theme, x_axis, {"title": {"text": "loss"}, "type": "log"}),
    }


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


def _seconds(table: StudyTable, groups: Sequence[Group], theme: str) -> Figure:
    traces: list[dict[str, Any]] = []
    for group in groups:
        there = [place for place in group.places if len(table.curves[place])]
        rows = [table.rows[place] for place in there]
        clocks = [_clock(row["method"], row["width"], row["points"]) for row in rows]
        seconds, losses = medians_over_seconds([table.curves[place] for place in there], clocks)
        x, y = seconds.tolist(), [positive(loss) for loss in losses.tolist()]
        # A single point, as of a method that is done at once, is a line of no length.
        mode = "lines" if len(x) > 1 else "lines+markers"
        marker = {"size": 6, "color": group.colour}
        traces.append(group.trace(mode, x=x, y=y, line=group.line(), marker=marker))
    x_axis = {"title": {"text": "seconds of computing"}, "type": "log"}
    drawn = layout(theme, x_axis, {"title": {"text": "median loss"}, "type": "log"})
    return {"data": traces, "layout": drawn | {"hovermode": "closest"}}


def _reached(table: StudyTable, groups: Sequence[Group], level: str, theme: str) -> Figure:
    traces = []
    column = f"epochs_to_{level}"
    for group in groups:
        rows = [table.rows[place] for place in group.places]
        epochs, shares = reached([row.get(column) for row in rows])
        inorder = sorted((row for row in rows if row.get(column) is not None), key=lambda row: row[column])
        last = max((row.get("epochs") or 0.0 for row in rows), default=0.0)
        chosen = [*range(0, len(epochs), 1 + len(epochs) // _STEPS)]
        traces.append(
            group.trace(
                "lines",
                x=[1.0, *(epochs[place] + 1.0 for place in chosen), last + 1.0],
                y=[0.0, *(shares[place] for place in chosen), shares[-1] if shares else 0.0],
                line=group.line(shape="hv"),
                customdata=["", *(lab_link(inorder[place], column) for place in chosen), ""],
                text=["", *(run_title(inorder[place]) for place in chosen), ""],
                hovertemplate="%{y:.0%} by epoch + 1 = %{x:.4~g}<br>%{text}<extra>%{fullData.name}</extra>",
            )
        )
    y_axis = {"title": {"text": f"share of runs at loss ≤ {level}"}, "range": [-0.02, 1.02]}
    drawn = layout(theme, {"title": {"text": "epoch + 1"}, "type": "log"}, y_axis)
    return {"data": traces, "layout": drawn | {"hovermode": "closest", "clickmode": "event"}}
