"""The pictures of a study: plain figures of lines and markers, of a bounded size whatever the study has."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from math import inf, log10
from typing import Any

import numpy as np

from components.pages.study.axes import Figure, clear, is_number, layout, positive, spans_decades, with_ticks
from components.pages.study.endings import distribution, losses_by_width
from components.pages.study.groups import Group, groups_of
from components.pages.study.levels import epochs_to
from components.pages.study.table import StudyTable, columns_of
from components.pages.study.words import column_title, run_title
from core.methods import METHODS
from core.narrative import number
from core.study import GRID, Row, bands, medians_over_seconds, reached
from core.types import FloatArray

MOST_MARKERS = 1_000
"""Each takes the browser half a millisecond: of more runs, those in the same place share one."""
_CELLS = (100, 60)
"""Places across and up, each smaller than a marker."""
_STEPS = 300
_SHARES = (0.1, 0.25, 0.5, 0.75, 0.9)
BANDS = ((6, (0, 4, 0.12)), (10, (1, 3, 0.22)))
"""Up to so many groups a band is drawn, and from which share to which: more of them hide each other."""


def picture(table: StudyTable, name: str, key: str, level: str, theme: str) -> Figure:
    """Any picture but the scatter, for groups by some columns; losses by width are not grouped by it."""
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
        others = [column for column in columns_of(key) if column != "width"]
        if len(others) < len(columns_of(key)):
            # Dashes tell widths apart in the legend.
            groups = [replace(group, dash="solid") for group in groups_of(table, ",".join(others), theme)]
        figure = losses_by_width(table, groups, theme)
    return with_ticks(figure)


def scatter(table: StudyTable, key: str, x: str, y: str, theme: str) -> Figure:
    """One marker per run; runs of a group in the same place share one, which opens the best of them."""
    shown = [row for row in table.rows if is_number(row.get(x)) and is_number(row.get(y))]
    traces = []
    for group in groups_of(table, key, theme):
        rows = [table.rows[place] for place in group.places]
        rows = [row for row in rows if is_number(row.get(x)) and is_number(row.get(y))]
        if len(shown) > MOST_MARKERS:
            rows = _apart(rows, [_places(shown, x, _CELLS[0]), _places(shown, y, _CELLS[1])])
        told = f"%{{text}}<br>{column_title(x)}: %{{x:.4~g}}<br>{column_title(y)}: %{{y:.4~g}}<extra></extra>"
        traces.append(
            group.trace(
                "markers",
                marker={"color": group.colour, "size": 7, "opacity": 0.75, "symbol": group.symbol},
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


def _places(rows: Sequence[Row], column: str, cells: int) -> Callable[[Row], int]:
    """Which of so many equal parts of the axis a row lies in."""
    values = [row[column] for row in rows]
    scaled = log10 if spans_decades(values) else float
    low, high = scaled(min(values)), scaled(max(values))
    width = (high - low) / cells or 1.0
    return lambda row: int((scaled(row[column]) - low) / width)


def _apart(rows: Sequence[Row], places: Sequence[Callable[[Row], int]]) -> list[Row]:
    """Of the rows in the same place the one with the least loss."""
    best: dict[tuple[int, ...], Row] = {}
    for row in sorted(rows, key=lambda row: inf if row["loss"] is None else row["loss"]):
        best.setdefault(tuple(place(row) for place in places), row)
    return list(best.values())


def lab_link(row: Row, *columns: str) -> str:
    """Where a run opens in the Lab: at the moment that a shown column speaks of, as when a loss was reached;
    else at its end, where it is seen what it came to."""
    reached = [f"epochs_to_{column.partition('_to_')[2]}" for column in columns if "_to_" in column]
    return _at(
        row, next((row[column] for column in reached if row.get(column) is not None), row.get("epochs"))
    )


def _at(row: Row, moment: float | None) -> str:
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
    for group in groups:
        rows = [table.rows[place] for place in group.places]
        times = epochs_to(table, group.places, level)
        epochs, shares = reached(times)
        there = [(epoch, place) for place, epoch in enumerate(times) if epoch is not None]
        inorder = [(rows[place], epoch) for epoch, place in sorted(there)]
        last = max((row.get("epochs") or 0.0 for row in rows), default=0.0)
        chosen = [*range(0, len(epochs), 1 + len(epochs) // _STEPS)]
        traces.append(
            group.trace(
                "lines",
                x=[1.0, *(epochs[place] + 1.0 for place in chosen), last + 1.0],
                y=[0.0, *(shares[place] for place in chosen), shares[-1] if shares else 0.0],
                line=group.line(shape="hv"),
                customdata=["", *(_at(*inorder[place]) for place in chosen), ""],
                text=["", *(run_title(inorder[place][0]) for place in chosen), ""],
                hovertemplate="%{y:.0%} by epoch + 1 = %{x:.4~g}<br>%{text}<extra>%{fullData.name}</extra>",
            )
        )
    y_axis = {"title": {"text": f"share of runs at loss ≤ {number(float(level))}"}, "range": [-0.02, 1.02]}
    drawn = layout(theme, {"title": {"text": "epoch + 1"}, "type": "log"}, y_axis)
    return {"data": traces, "layout": drawn | {"hovermode": "closest", "clickmode": "event"}}
