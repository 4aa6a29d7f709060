"""A run's loss as a picture of a few hundred bytes: log loss over log epochs, no axes."""

from collections.abc import Sequence
from math import log10

from core.service import RunService

WIDTH, HEIGHT, MARGIN = 160, 52, 3
MOST_POINTS = 90
SMALLEST = 1e-33
INK = "#178f84"
"""The accent between light and dark: a picture does not know which of them it stands on."""


def curve_points(service: RunService, run_id: str) -> list[tuple[float, float]]:
    """Epochs and losses of a few frames, the first and the last among them."""
    count = service.count(run_id)
    stride = max(1, -(-count // MOST_POINTS))
    chosen = sorted({*range(0, count, stride), count - 1}) if count else []
    frames = [frame for index in chosen for frame in service.frames(run_id, index - 1, index)]
    return [(frame.epoch, frame.loss) for frame in frames]


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
