"""Where the runs of a study end: distributions, one row per group where there are many, losses by width."""

from collections.abc import Sequence
from math import fsum, log10
from typing import Any

from components.common.theme import LABEL_FONT_SIZE, THEMES
from components.pages.study.axes import Figure, clear, is_number, layout
from components.pages.study.groups import Group
from components.pages.study.table import StudyTable
from core.study import quantile

MOST_OUTLINES = 6
"""Outlines of more groups than these hide each other: then each has a row of its own."""
_MOST_SLOPES = 6
_BESIDE = 76
"""Pixels right of the plot for the slopes."""
"""Slopes of more lines than these hide each other."""
_BINS = 24
_DOTS = 60


def distribution(
    table: StudyTable,
    groups: Sequence[Group],
    column: str,
    title: str,
    theme: str,
    *,
    logarithmic: bool = False,
) -> Figure:
    """How the values of a column are spread."""
    values = {
        group: sorted(
            value
            for value in (table.rows[place].get(column) for place in group.places)
            if is_number(value) and (value > 0 or not logarithmic)
        )
        for group in groups
    }
    x_axis: dict[str, Any] = {"title": {"text": title}, **({"type": "log"} if logarithmic else {})}
    if len(groups) > MOST_OUTLINES:
        return _rows(values, x_axis, theme)
    return _outlines(values, x_axis, theme, logarithmic=logarithmic)


def _outlines(
    values: dict[Group, list[float]], x_axis: dict[str, Any], theme: str, *, logarithmic: bool
) -> Figure:
    """Shares of runs in equal bins, as filled steps."""
    scaled = {
        group: [log10(value) if logarithmic else value for value in own] for group, own in values.items()
    }
    everything = [value for own in scaled.values() for value in own]
    low, high = (min(everything), max(everything)) if everything else (0.0, 1.0)
    width = (high - low) / _BINS or 1.0 / _BINS
    edges = [low + width * place for place in range(_BINS + 1)]
    x = [10.0**edge if logarithmic else edge for edge in edges]
    traces = []
    for group, own in scaled.items():
        counts = [0] * _BINS
        for value in own:
            counts[min(_BINS - 1, int((value - low) / width))] += 1
        shares = [count / max(1, len(own)) for count in counts]
        traces.append(
            group.trace(
                "lines",
                x=x,
                y=[*shares, shares[-1]],
                line=group.line(1.5, shape="hv"),
                fill="tozeroy",
                fillcolor=clear(group.colour, 0.18),
            )
        )
    y_axis = {"title": {"text": "share of runs"}, "rangemode": "tozero"}
    return {"data": traces, "layout": layout(theme, x_axis, y_axis)}


def _rows(values: dict[Group, list[float]], x_axis: dict[str, Any], theme: str) -> Figure:
    """A dot per run, a bar from quartile to quartile, a larger dot at the median; the least is on top."""
    there = sorted((group for group in values if values[group]), key=lambda group: -_middle(values[group]))
    bars: list[dict[str, Any]] = []
    dots: list[tuple[float, int]] = []
    medians: list[tuple[float, int]] = []
    for row, group in enumerate(there):
        own = values[group]
        low, middle, high = (quantile(own, share) for share in (0.25, 0.5, 0.75))
        bar = {"width": 5, "color": clear(group.colour, 0.35)}
        bars.append(group.trace("lines", x=[low, high], y=[row, row], line=bar, hoverinfo="skip"))
        dots += [(value, row) for value in own[:: 1 + len(own) // _DOTS]]
        medians.append((middle, row))
    traces = [*bars, _dots(there, dots, 4, 0.55), _dots(there, medians, 9, 1.0)]
    y_axis = {
        "tickvals": list(range(len(there))),
        "ticktext": [group.title for group in there],
        "range": [-0.7, len(there) - 0.3],
        "tickfont": {"size": LABEL_FONT_SIZE, "color": THEMES[theme].muted},
        "ticks": "",
    }
    # the names of the rows leave a phone little of the axis
    few = {"hovermode": "closest", "meta": {"ticks": 3}}
    return {"data": traces, "layout": layout(theme, x_axis, y_axis) | few}


def _dots(groups: Sequence[Group], places: Sequence[tuple[float, int]], size: int, opacity: float) -> Figure:
    """Dots of all groups, as one trace: many small ones take the browser several times as long."""
    own = [groups[row] for _, row in places]
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [value for value, _ in places],
        "y": [row for _, row in places],
        "text": [group.title for group in own],
        "hoverinfo": "x+text",
        "marker": {
            "size": size,
            "color": [group.colour for group in own],
            "opacity": [opacity] * len(own),
            "line": {"width": 0},
        },
    }


def _middle(ordered: Sequence[float]) -> float:
    return quantile(ordered, 0.5)


def losses_by_width(table: StudyTable, groups: Sequence[Group], theme: str) -> Figure:
    """Medians and quartiles of the final loss at each width, and the slope of each line."""
    traces: list[dict[str, Any]] = []
    widths = widths_of(table)
    for group in groups:
        by_width: dict[int, list[float]] = {}
        for row in (table.rows[place] for place in group.places):
            if is_number(row["loss"]) and row["loss"] > 0:
                by_width.setdefault(row["width"], []).append(row["loss"])
        x = sorted(by_width)
        three = [[quantile(sorted(by_width[width]), share) for share in (0.25, 0.5, 0.75)] for width in x]
        middle = [each[1] for each in three]
        error = {"type": "data", "symmetric": False, "thickness": 1.2,
                 "array": [each[2] - each[1] for each in three],
                 "arrayminus": [each[1] - each[0] for each in three]}  # fmt: skip
        marker = {"size": 7, "color": group.colour}
        named: dict[str, Any] = {}
        if len(x) > 1 and len(groups) <= _MOST_SLOPES:
            named = {
                "text": [*[""] * (len(x) - 1), f"slope {_signed(_slope(x, middle))}"],
                "textposition": "middle right",
                "cliponaxis": False,
                "textfont": {"size": LABEL_FONT_SIZE, "color": group.colour},
            }
        mode = "lines+markers+text" if named else "lines+markers"
        traces.append(
            group.trace(mode, x=x, y=middle, error_y=error, line=group.line(1.5), marker=marker, **named)
        )
    x_axis = {
        "title": {"text": "width n"},
        "type": "log",
        "tickvals": widths,
        "ticktext": list(map(str, widths)),
    }
    drawn = layout(theme, x_axis, {"title": {"text": "final loss"}, "type": "log"})
    if any("text" in trace for trace in traces):
        drawn["margin"] = {**drawn["margin"], "r": _BESIDE}
    return {"data": traces, "layout": drawn}


def widths_of(table: StudyTable) -> list[int]:
    """The widths that there are."""
    return sorted({int(row["width"]) for row in table.rows if is_number(row["width"])})


def _slope(x: Sequence[float], y: Sequence[float]) -> float:
    """The slope of the least-squares line through points on logarithmic axes."""
    logs = [(log10(across), log10(up)) for across, up in zip(x, y, strict=True)]
    middle = [fsum(values) / len(logs) for values in zip(*logs, strict=True)]
    product = fsum((across - middle[0]) * (up - middle[1]) for across, up in logs)
    return product / fsum((across - middle[0]) ** 2 for across, _ in logs)


def _signed(value: float) -> str:
    return f"{value:.1f}".replace("-0.0", "0.0").replace("-", "−")
