"""Curves as a still picture, for pages without scripts: on white, with one legend above the plot."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

from dash import html

from core.narrative import number

WIDTH, HEIGHT = 720, 340
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 28, 40
LINE, SAMPLE = 16, 30
"""Height of a row of names, and length of the piece of line before each."""
SMALLEST = 1e-33
MOST_TICKS = 8
Point = tuple[float, float]


@dataclass(frozen=True)
class Curve:
    """One line, or points: its name (without one it is not in the legend), colour, points and dashes."""

    name: str
    colour: str
    points: Sequence[Point]
    dash: str = "solid"
    dots: bool = False

    @property
    def stroke(self) -> str:
        """Its line, in SVG."""
        dashes = "" if self.dash == "solid" else f' stroke-dasharray="{self.dash.replace("px", "")}"'
        return f'fill="none" stroke="{self.colour}" stroke-width="1.8"{dashes}'

    def sample(self, x: float, y: float) -> str:
        """A piece of it, for the legend."""
        return self._dot(x + SAMPLE / 2, y) if self.dots else f'<path d="M{x} {y}h{SAMPLE}" {self.stroke}/>'

    def drawn(self, places: Sequence[Point]) -> str:
        """It, at these places of the picture."""
        if self.dots:
            return "".join(self._dot(x, y) for x, y in places)
        return f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in places)}" {self.stroke}/>'

    def _dot(self, x: float, y: float) -> str:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.6" fill="none" stroke="{self.colour}"/>'


@dataclass(frozen=True)
class Axes:
    """What the axes are called, and which are logarithmic. Epoch 0 stands at the left edge of a log axis."""

    x: str = "epoch"
    y: str = "loss"
    log_x: bool = True
    log_y: bool = True
    end: float = 0.0
    """How far the x axis goes at least."""


def picture(curves: Sequence[Curve], axes: Axes, about: str) -> html.Img:
    """The picture, as an image that holds itself."""
    drawn = "data:image/svg+xml," + quote(curves_svg(curves, axes))
    return html.Img(src=drawn, alt=about, className="handout-picture")


def loss_picture(curves: Sequence[Curve], y: str = "loss") -> html.Img:
    """Losses over epochs, both axes logarithmic; `y` says in which units."""
    return picture(curves, Axes(y=y), f"Loss over epochs: {', '.join(curve.name for curve in curves)}")


def curves_svg(curves: Sequence[Curve], axes: Axes) -> str:
    """SVG text."""
    named = [curve for curve in curves if curve.name]
    names = _legend(named)
    top = TOP + LINE * (max((row for row, _ in names), default=0))
    across, up = _scales(curves, axes, top)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="system-ui, sans-serif" font-size="12" fill="#333">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>'
    ]
    for value, text in across.ticks():
        x = across.at(value)
        parts.append(f'<path d="M{x:.1f} {top}V{HEIGHT - BOTTOM}" stroke="#ddd"/>')
        parts.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{text}</text>')
    for value, text in up.ticks():
        y = up.at(value)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{text}</text>')
    for curve in curves:
        points = [(x, y) for x, y in curve.points if math.isfinite(x) and math.isfinite(y)]
        parts.append(curve.drawn([(across.place(x), up.place(y)) for x, y in points]))
    for curve, (row, x) in zip(named, names, strict=True):
        y = 16 + LINE * row
        parts.append(curve.sample(x, y - 4))
        parts.append(f'<text x="{x + SAMPLE + 6}" y="{y}" fill="{curve.colour}">{curve.name}</text>')
    middle = (top + HEIGHT - BOTTOM) / 2
    parts.append(f'<text transform="translate(13 {middle}) rotate(-90)" text-anchor="middle">{axes.y}</text>')
    parts.append(
        f'<text x="{(LEFT + WIDTH) / 2}" y="{HEIGHT - 6}" text-anchor="middle">{axes.x}</text></svg>'
    )
    return "".join(parts)


def _scales(curves: Sequence[Curve], axes: Axes, top: float) -> tuple["_Scale", "_Scale"]:
    points = [point for curve in curves for point in curve.points if all(map(math.isfinite, point))]
    xs = [x for x, _ in points if x > 0 or not axes.log_x] + ([axes.end] if axes.end else [])
    ys = [max(y, SMALLEST) if axes.log_y else y for _, y in points] or [1.0]
    xs = xs or [1.0]
    if axes.log_x:
        across = _Scale(math.log10(min(xs)) - 0.5, math.log10(max(xs)), LEFT, WIDTH - RIGHT, log=True)
    else:
        across = _Scale(min(xs), max(xs), LEFT, WIDTH - RIGHT, log=False)
    low, high = (math.log10(min(ys)), math.log10(max(ys))) if axes.log_y else (min(ys), max(ys))
    return across, _Scale(low, high, HEIGHT - BOTTOM, top, log=axes.log_y)


def _legend(curves: Sequence[Curve]) -> list[tuple[int, int]]:
    """Row and left end of each name, as many in a row as there is room for."""
    places, row, x = [], 0, LEFT
    for curve in curves:
        length = SAMPLE + 24 + 8 * len(curve.name)
        if x > LEFT and x + length > WIDTH:
            row, x = row + 1, LEFT
        places.append((row, x))
        x += length
    return places


@dataclass(frozen=True)
class _Scale:
    """From values, or their exponents, to pixels."""

    low: float
    high: float
    start: float
    end: float
    log: bool

    def at(self, value: float) -> float:
        span = max(self.high - self.low, 1e-3)
        return self.start + (value - self.low) / span * (self.end - self.start)

    def place(self, value: float) -> float:
        """Of a value itself; 0 on a logarithmic axis is at its beginning."""
        if not self.log:
            return self.at(value)
        return self.at(max(math.log10(value), self.low) if value > 0 else self.low)

    def ticks(self) -> list[tuple[float, str]]:
        """Where the axis is marked, and with what."""
        if self.log:
            first, last = math.ceil(self.low), math.floor(self.high)
            step = max(1, math.ceil((last - first + 1) / MOST_TICKS))
            return [(power, number(10.0**power)) for power in range(first, last + 1, step)]
        span = max(self.high - self.low, 1e-3)
        unit = 10.0 ** math.floor(math.log10(span / 4))
        step_by = next(unit * k for k in (1, 2, 5, 10) if span / (unit * k) <= MOST_TICKS)
        places = range(math.ceil(self.low / step_by), math.floor(self.high / step_by) + 1)
        return [(k * step_by, number(k * step_by)) for k in places]
