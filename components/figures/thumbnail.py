"""A run's loss as a picture of a few hundred bytes: log loss over log epochs, no axes."""

from collections.abc import Sequence
from math import log10

WIDTH, HEIGHT, MARGIN = 160, 52, 3
MOST_POINTS = 60
SMALLEST = 1e-33
INK = "#178f84"
"""The accent between light and dark: a picture does not know which of them it stands on."""


def curve_picture(points: Sequence[tuple[float, float]]) -> str:
    """The SVG; a straight line where there is nothing to tell apart."""
    x = [log10(1.0 + epoch) for epoch, _ in points]
    y = [-log10(max(loss, SMALLEST)) for _, loss in points]
    path = " ".join(
        f"{_scaled(a, x, WIDTH):.1f},{_scaled(b, y, HEIGHT):.1f}" for a, b in zip(x, y, strict=True)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f'<polyline points="{path}" fill="none" stroke="{INK}" stroke-width="1.75" stroke-linejoin="round"/>'
        "</svg>"
    )


def _scaled(value: float, values: Sequence[float], length: int) -> float:
    low, high = min(values), max(values)
    share = (value - low) / (high - low) if high > low else 0.5
    return MARGIN + share * (length - 2 * MARGIN)
