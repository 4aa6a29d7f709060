"""Loss curves as a still picture, for pages without scripts: both axes logarithmic, one line a run."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

from dash import html

from core.run import number

WIDTH, HEIGHT = 720, 340
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 28, 40
LINE, SAMPLE = 16, 30
"""Height of a row of names, and length of the piece of line before each."""
SMALLEST = 1e-33
MOST_TICKS = 8


@dataclass(frozen=True)
class Curve:
    """One run: what it is called, its colour, (epoch, loss), and how its line is dashed."""

    name: str
    colour: str
    points: Sequence[tuple[float, float]]
    dash: str = "solid"

    @property
    def stroke(self) -> str:
        """Its line, in SVG."""
        dashes = "" if self.dash == "solid" else f' stroke-dasharray="{self.dash.replace("px", "")}"'
        return f'fill="none" stroke="{self.colour}" stroke-width="1.8"{dashes}'


def loss_picture(curves: Sequence[Curve]) -> html.Img:
    """The picture, as an image that holds itself."""
    names = ", ".join(curve.name for curve in curves)
    drawn = "data:image/svg+xml," + quote(loss_svg(curves))
    return html.Img(src=drawn, alt=f"Loss over epochs: {names}", className="handout-picture")


def loss_svg(curves: Sequence[Curve]) -> str:
    """SVG text. Epoch 0 stands at the left edge, half a decade before the first."""
    epochs = [epoch for curve in curves for epoch, _ in curve.points if epoch > 0] or [1.0]
    losses = [max(loss, SMALLEST) for curve in curves for _, loss in curve.points if math.isfinite(loss)] or [
        1.0
    ]
    names = _legend(curves)
    top = TOP + LINE * (max((row for row, _ in names), default=0))
    across = _Scale(math.log10(min(epochs)) - 0.5, math.log10(max(epochs)), LEFT, WIDTH - RIGHT)
    up = _Scale(math.log10(min(losses)), math.log10(max(losses)), HEIGHT - BOTTOM, top)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="system-ui, sans-serif" font-size="12" fill="#333">'
    ]
    for power in across.decades():
        x = across.at(power)
        parts.append(f'<path d="M{x:.1f} {top}V{HEIGHT - BOTTOM}" stroke="#ddd"/>')
        parts.append(
            f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{number(10.0**power)}</text>'
        )
    for power in up.decades():
        y = up.at(power)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{number(10.0**power)}</text>')
    for curve, (row, x) in zip(curves, names, strict=True):
        path = " ".join(
            f"{across.at(math.log10(epoch) if epoch > 0 else across.low):.1f},"
            f"{up.at(math.log10(max(loss, SMALLEST))):.1f}"
            for epoch, loss in curve.points
            if math.isfinite(loss)
        )
        y = 16 + LINE * row
        parts.append(f'<polyline points="{path}" {curve.stroke}/>')
        parts.append(f'<path d="M{x} {y - 4}h{SAMPLE}" {curve.stroke}/>')
        parts.append(f'<text x="{x + SAMPLE + 6}" y="{y}" fill="{curve.colour}">{curve.name}</text>')
    middle = (top + HEIGHT - BOTTOM) / 2
    parts.append(f'<text transform="translate(13 {middle}) rotate(-90)" text-anchor="middle">loss</text>')
    parts.append(f'<text x="{(LEFT + WIDTH) / 2}" y="{HEIGHT - 6}" text-anchor="middle">epoch</text></svg>')
    return "".join(parts)


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
    """From exponents to pixels."""

    low: float
    high: float
    start: float
    end: float

    def at(self, power: float) -> float:
        span = max(self.high - self.low, 1e-3)
        return self.start + (power - self.low) / span * (self.end - self.start)

    def decades(self) -> list[int]:
        first, last = math.ceil(self.low), math.floor(self.high)
        step = max(1, math.ceil((last - first + 1) / MOST_TICKS))
        return list(range(first, last + 1, step))
