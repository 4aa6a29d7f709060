"""The groups of a study: which runs are in each, what it is called, and what its lines look like."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Any

from components.common.theme import METHOD_DASHES, OVERLAY_COLOURS, method_colour, method_dash
from components.pages.study.axes import Figure, clear
from components.pages.study.table import StudyTable, Values, columns_of, grouped
from components.pages.study.words import group_title

MOST_GROUPS = 16
_PLAIN = 8
"""Up to so many groups their colours alone tell them apart."""
_DIMMED = 0.1
_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x", "triangle-down", "star", "cross")


@dataclass(frozen=True, eq=False)
class Group:
    """Runs that are drawn alike: methods, and the values of any other setting, look as in the Lab."""

    title: str
    places: Sequence[int]
    colour: str
    dash: str = "solid"
    symbol: str = "circle"

    def line(self, width: float = 2.0, **more: Any) -> dict[str, Any]:
        """How its lines are drawn."""
        return {"width": width, "color": self.colour, "dash": self.dash, **more}

    def trace(self, mode: str, **more: Any) -> dict[str, Any]:
        """A trace of the group, which the legend finds by its name."""
        return {"type": "scatter", "mode": mode, "name": self.title, "legendgroup": self.title, **more}


def groups_of(table: StudyTable, key: str, theme: str) -> list[Group]:
    """As many of the groups by some columns as can be drawn, in their order."""
    columns = columns_of(key)
    found = list(grouped(table, key).items())[:MOST_GROUPS]
    looks = _looks(columns, [values for values, _ in found], theme)
    return [
        Group(group_title(columns, values), places, *look)
        for (values, places), look in zip(found, looks, strict=True)
    ]


def _looks(columns: Sequence[str], groups: Sequence[Values], theme: str) -> list[tuple[str, ...]]:
    """Colour, dashes and marker of each group. The colour is its method's, if methods are told apart; the
    rest then shows in dashes and markers."""
    if columns == ("method",):
        return [(method_colour(theme, name), method_dash(name)) for (name,) in groups]
    if "method" not in columns:
        dashes = METHOD_DASHES.values() if len(groups) > _PLAIN else ("solid",)
        return list(islice(zip(cycle(OVERLAY_COLOURS[theme]), cycle(dashes), strict=False), len(groups)))
    at = columns.index("method")
    rests = [(*values[:at], *values[at + 1 :]) for values in groups]
    order = {rest: place for place, rest in enumerate(dict.fromkeys(rests))}
    patterns, looks = tuple(METHOD_DASHES.values()), list[tuple[str, ...]]()
    for values, rest in zip(groups, rests, strict=True):
        place = order[rest]
        pattern, symbol = patterns[place % len(patterns)], _SYMBOLS[place % len(_SYMBOLS)]
        looks.append((method_colour(theme, values[at]), pattern, symbol))
    return looks


def alone(figure: Figure, title: str) -> Figure:
    """The figure with all groups but one faint; as it is where it has no such group."""
    if any(trace.get("legendgroup") == title for trace in figure["data"]):
        for trace in figure["data"]:
            # Dots of all groups, each with its name.
            if "legendgroup" not in trace and trace["mode"] == "markers":
                marker = trace["marker"]
                marker["opacity"] = [
                    opacity if name == title else opacity * _DIMMED
                    for opacity, name in zip(marker["opacity"], trace["text"], strict=True)
                ]
            elif trace.get("legendgroup", title) != title:
                trace["opacity"] = _DIMMED
                if trace.get("fill") == "tozeroy":  # of such a trace plotly.js reads no opacity
                    trace["line"]["color"] = clear(trace["line"]["color"], 2 * _DIMMED)
                    trace["fillcolor"] = "rgba(0,0,0,0)"
    return figure
