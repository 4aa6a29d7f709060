"""The groups of a study: which runs are in each, what it is called, and what its lines look like."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Any

from components.study.axes import Figure, clear
from components.study.table import StudyTable, grouped
from components.study.words import group_title
from components.theme import METHOD_COLOURS, METHOD_DASHES, method_colour, method_dash

MOST_GROUPS = 16
_PLAIN = 8
"""Up to so many groups their colours alone tell them apart."""
_DIMMED = 0.1


@dataclass(frozen=True, eq=False)
class Group:
    """Runs that are drawn alike. Methods look as in the Lab, where no two share both colour and dashes."""

    title: str
    places: Sequence[int]
    colour: str
    dash: str = "solid"

    def line(self, width: float = 2.0, **more: Any) -> dict[str, Any]:
        """How its lines are drawn."""
        return {"width": width, "color": self.colour, "dash": self.dash, **more}

    def trace(self, mode: str, **more: Any) -> dict[str, Any]:
        """A trace of the group, which the legend finds by its name."""
        return {"type": "scatter", "mode": mode, "name": self.title, "legendgroup": self.title, **more}


def groups_of(table: StudyTable, key: str, theme: str) -> list[Group]:
    """As many of the groups by a column as can be drawn, in their order."""
    found = list(grouped(table, key).items())[:MOST_GROUPS]
    if key == "method":
        looks = [(method_colour(theme, name), method_dash(name)) for name, _ in found]
    else:
        dashes = METHOD_DASHES.values() if len(found) > _PLAIN else ("solid",)
        looks = list(zip(METHOD_COLOURS[theme].values(), cycle(dashes), strict=False))
    return [
        Group(group_title(key, name), places, *look)
        for (name, places), look in zip(found, looks, strict=False)
    ]


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
