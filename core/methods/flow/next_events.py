"""What the flow does next: the coming events from a present state, and the way there.

The state may be that of gradient descent, whose pinned biases hop about their data and stand up to a step
beside them: they are put onto their data first. Where the flow is fast beside the step of descent its times
are a step or two off; the stages that last are predicted to many digits.
"""

from bisect import bisect_left
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ...model.pattern import Pattern
from ...problem.data import TrainingData
from ...types import FloatArray
from .events import Event, Point
from .segment import Segment, seconds_per_segment, seconds_per_step, segment_from

FIRST_SECONDS, MORE_SECONDS = 1.0, 0.2
"""Estimated seconds of work that the first event may take, and after which no further one is looked for."""
FRACTIONS = tuple(sorted({1.0 / (1 << i) for i in range(21)} | {0.625, 0.75, 0.875}))
"""Where the way from one event to the next is recorded: most densely near its start, where it is quickest."""


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
    stuck: bool
    """Whether no step forward was possible there in the numbers at hand."""
    seconds: float
    """Estimated work."""


def next_events(
    data: TrainingData, b: FloatArray, c: FloatArray, pattern: Pattern, time_limit: float, events: int
) -> Prediction:
    """Follow the flow from (b, c) to its next few events, to the time limit, to rest, or as far as the work
    allowed leads."""
    pinned = pattern.pin >= 0
    start = np.array(b, dtype=np.float64)
    start[pinned] = data.x[pattern.pin[pinned]]
    point = Point.of(start, np.array(c, dtype=np.float64), pattern.gap, pattern.pin)
    times: list[float] = []
    changes: list[tuple[Event, ...]] = []
    way: list[tuple[float, Segment]] = []
    now, work, rests, stuck = 0.0, 0.0, False, False
    while len(changes) < events and now < time_limit and work < (MORE_SECONDS if changes else FIRST_SECONDS):
        segment = segment_from(data, point)
        work += seconds_per_segment(data.m)
        while segment.end is None and now + _length(segment) < time_limit and work < FIRST_SECONDS:
            before = segment.spent
            segment.grow()
            work += seconds_per_step(segment.live, segment.spent - before)
        if not segment.times:
            rests, stuck = segment.end is not None and not segment.stuck, segment.stuck
            break
        way.append((now, segment))
        if segment.end is None or now + _length(segment) > time_limit:
            now = min(now + _length(segment), time_limit)
            break
        now, point = now + _length(segment), segment.end
        if segment.events:
            times.append(now)
            changes.append(segment.events)
    samples = [(0.0, start, np.array(c, dtype=np.float64)), *_sampled(way, [0.0, *times, now])]
    sample_times, sample_b, sample_c = (np.array(column) for column in zip(*samples, strict=True))
    return Prediction(
        np.array(times), tuple(changes), sample_times, sample_b, sample_c, now, rests, stuck, work
    )


def _length(segment: Segment) -> float:
    """How far a segment has grown."""
    return segment.times[-1] if segment.times else 0.0


def _sampled(
    way: list[tuple[float, Segment]], marks: list[float]
) -> list[tuple[float, FloatArray, FloatArray]]:
    """Time, b and c at fractions of each stretch between two marks."""
    begins = [begin for begin, _ in way]
    wanted = sorted(
        {first + (last - first) * part for first, last in pairwise(marks) for part in FRACTIONS} - {0.0}
    )
    found = []
    for time in wanted:
        begin, segment = way[bisect_left(begins, time) - 1]  # an event belongs to the segment that it ends
        found.append((time, *segment.at(min(time - begin, segment.times[-1]))[:2]))
    return found
