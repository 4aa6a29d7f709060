"""What the pictures of a study share: axes whose ticks can be read, and small helpers."""

from collections.abc import Iterator, Sequence
from math import ceil, floor, isfinite, log10
from typing import Any, TypeGuard

from components.common.theme import POWER_FONT_SIZE, template
from core.narrative import number

Figure = dict[str, Any]

_TICKS = 7
_MARGIN = 0.04
"""Part of a logarithmic axis that is left free on either side."""
_LEAST = 0.5
"""A logarithmic axis shows at least so many decades."""
_MANTISSAS = ((0.8, (1.0, 1.5, 2.0, 3.0, 5.0, 7.0)), (2.0, (1.0, 2.0, 5.0)))
"""Up to so many decades, which numbers of a decade have a tick; beyond, its beginning alone."""


def layout(theme: str, x: dict[str, Any], y: dict[str, Any]) -> dict[str, Any]:
    """Without a legend: all pictures share the one above them. A margin grows with its ticks."""
    base = template(theme)
    axes = {
        name: {
            **base[name],
            "automargin": True,
            **given,
            "title": {**base[name]["title"], **given.get("title", {})},
        }
        for name, given in (("xaxis", x), ("yaxis", y))
    }
    margin = {"l": 62, "r": 14, "t": 12, "b": 44}
    return base | axes | {"showlegend": False, "margin": margin, "hovermode": "x"}


def with_ticks(figure: Figure) -> Figure:
    """The figure with ticks on its logarithmic axes: one for each decade, or for every few where they would
    not fit; numbers between them where there are few decades, never an axis without any."""
    for name in "xy":
        axis = figure["layout"][f"{name}axis"]
        if axis.get("type") != "log" or "tickvals" in axis:
            continue
        values = [value for value in _shown(figure, name) if is_number(value) and value > 0]
        if not values:
            continue
        low, high = log10(min(values)), log10(max(values))
        if high - low < _LEAST:
            middle = 0.5 * (low + high)
            low, high = middle - 0.5 * _LEAST, middle + 0.5 * _LEAST
            axis["range"] = [low, high]
        else:
            # Not left to the browser, which may keep the range of what was drawn before.
            margin = _MARGIN * (high - low)
            axis["range"] = [low - margin, high + margin]
        axis.update(_ticks(low, high, figure["layout"].get("meta", {}).get("ticks", _TICKS)))
        if "dtick" in axis:
            axis["tickfont"] = {**axis.get("tickfont", {}), "size": POWER_FONT_SIZE}
    return figure


def _shown(figure: Figure, name: str) -> Iterator[Any]:
    """All that a figure shows along an axis, the ends of its error bars too."""
    for trace in figure["data"]:
        yield from trace[name]
        error = trace.get(f"error_{name}")
        if error:
            yield from (at + over for at, over in zip(trace[name], error["array"], strict=True))
            yield from (at - under for at, under in zip(trace[name], error["arrayminus"], strict=True))


def _ticks(low: float, high: float, most: int) -> dict[str, Any]:
    """Of an axis between two powers of ten, with so many decades at most that have a tick."""
    for decades, mantissas in _MANTISSAS:
        if high - low <= decades:
            powers = range(floor(low) - 1, ceil(high) + 1)
            every = [float(f"{m}e{power}") for power in powers for m in mantissas]
            values = [value for value in every if low - 0.1 <= log10(value) <= high + 0.1]
            return {"tickvals": values, "ticktext": [number(value) for value in values]}
    return {"dtick": 1 + int((high - low) // most)}


def spans_decades(values: Sequence[Any]) -> bool:
    """Whether numbers are told apart on a logarithmic axis alone."""
    numbers = [value for value in values if is_number(value)]
    return bool(numbers) and min(numbers) > 0 and max(numbers) > 50 * min(numbers)


def is_number(value: Any) -> TypeGuard[float]:
    """Not nothing, and finite."""
    return isinstance(value, int | float) and isfinite(value)


def positive(value: float) -> float | None:
    """A value that a logarithmic axis has a place for."""
    return value if isfinite(value) and value > 0 else None


def clear(colour: str, opacity: float) -> str:
    """A colour of the theme, #rrggbb, with an opacity."""
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity})"
