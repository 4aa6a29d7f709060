"""A run's loss as a picture of a few hundred bytes: log loss over log epochs, one scale for all, no axes.

Epochs go as far as the longest run beside it, the loss from its beginning down to a ten-thousandth of that:
what lies beyond is cut off. So two pictures side by side can be compared whatever their data's unit.
"""

from collections.abc import Sequence
from math import log10

WIDTH, HEIGHT, MARGIN = 160, 52, 3
MOST_POINTS = 60
SMALLEST = 1e-33
DECADES_OF_LOSS = 4.0
INK = "#178f84"
"""The accent between light and dark: a picture does not know which of them it stands on."""


def curve_picture(points: Sequence[tuple[float, float]], decades: float) -> str:
    """The SVG of a curve of (epoch, loss), over so many decades of epochs."""
    first = max(points[0][1], SMALLEST) if points else 1.0
    across = [_place(log10(1.0 + epoch) / decades, WIDTH) for epoch, _ in points]
    down = [_place(log10(first / max(loss, SMALLEST)) / DECADES_OF_LOSS, HEIGHT) for _, loss in points]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(across, down, strict=True))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f'<polyline points="{path}" fill="none" stroke="{INK}" stroke-width="1.75" stroke-linejoin="round"/>'
        "</svg>"
    )


def _place(share: float, length: int) -> float:
    """Where a share of an axis is, within its ends."""
    return MARGIN + min(max(share, 0.0), 1.0) * (length - 2 * MARGIN)
