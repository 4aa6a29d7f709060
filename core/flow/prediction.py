"""What the flow does next: the coming events from a present state, and the way there.

The state may be that of gradient descent, whose pinned biases hop about their data and stand up to a step
beside them: they are put onto their data first. Where the flow is fast beside the step of descent its times
are a step or two off; the stages that last are predicted to many digits.
"""

from dataclasses import dataclass

import numpy as np

from core.flow.events import Event, Point
from core.flow.segment import segment_from
from core.model.pattern import Pattern
from core.problem.data import TrainingData
from core.types import FloatArray

SEGMENTS = 200
"""Most segments that a prediction may take, with or without events: some tenths of a second."""
SAMPLES = 8
"""States recorded in each segment, its end included."""


@dataclass(frozen=True, eq=False)
class Prediction:
    """The coming events and the trajectories on the way to them, in flow time counted from the present."""

    times: FloatArray
    """Of the changes of the pattern, ascending."""
    events: tuple[tuple[Event, ...], ...]
    """What happens at each of them."""
    sample_times: FloatArray
    b: FloatArray
    """(samples, n)"""
    c: FloatArray
    reached: float
    """Time up to which the flow was followed."""
    rests: bool
    """Whether it comes to rest there."""


def next_events(
    data: TrainingData, b: FloatArray, c: FloatArray, pattern: Pattern, time_limit: float, events: int
) -> Prediction:
    """Follow the flow from (b, c) to its next few events, to the time limit, or to rest."""
    pinned = pattern.pin >= 0
    start = np.array(b, dtype=np.float64)
    start[pinned] = data.x[pattern.pin[pinned]]
    point = Point.of(start, np.array(c, dtype=np.float64), pattern.gap, pattern.pin)
    times: list[float] = []
    changes: list[tuple[Event, ...]] = []
    samples: list[tuple[float, FloatArray, FloatArray]] = [(0.0, start, np.array(c, dtype=np.float64))]
    now, rests = 0.0, False
    for _ in range(SEGMENTS):
        segment = segment_from(data, point)
        while segment.end is None and now + (segment.times[-1] if segment.times else 0.0) < time_limit:
            segment.grow()
        if not segment.times:
            rests = not segment.stuck
            break
        end = min(segment.times[-1], time_limit - now)
        for part in range(1, SAMPLES + 1):
            time = end * (part / SAMPLES)
            samples.append((now + time, *segment.at(time)[:2]))
        if segment.end is None or now + segment.times[-1] > time_limit:
            now = time_limit
            break
        now, point = now + segment.times[-1], segment.end
        if segment.events:
            times.append(now)
            changes.append(segment.events)
        if len(changes) >= events or now >= time_limit:
            break
    return Prediction(
        np.array(times),
        tuple(changes),
        np.array([time for time, _, _ in samples]),
        np.array([biases for _, biases, _ in samples]),
        np.array([coefficients for _, _, coefficients in samples]),
        now,
        rests,
    )
