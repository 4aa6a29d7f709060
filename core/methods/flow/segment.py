"""The gradient flow between two events, as a pure function of where it starts.

Within a stage the equations (core.methods.flow.system) are smooth. They are integrated in steps of two kinds
(flow.pace), each of which comes with a polynomial; where a watch fails on it (flow.watches), there
is the event. A segment starts without any memory, at an event or after a fixed number of steps, and any
later state is a value of its polynomials: the same however the way is cut, and the same when it is integrated
anew in another process.
"""

import threading
from bisect import bisect_left
from functools import lru_cache

import numpy as np

from ...compiled import compiled_ieee
from ...problem.data import TrainingData
from ...types import FloatArray
from .collocation import STAGES
from .events import Event, Point, judge_event, open_stage, spread
from .pace import Pace, first_pace, take_step
from .polynomial import Step, change_at
from .rest import HORIZON, fits, is_at_rest
from .system import Base, System, find_loss, move_base
from .taylor import ORDER
from .tolerance import FAILED, Sizes, set_tolerance
from .watches import BEYOND_STEP, Flags, Levels, find_event, read_watches

TERMS = max(STAGES, ORDER)
"""Terms of a step, of either kind, at most."""
STEPS = 40
"""After so many steps without an event a new segment starts: as much may have to be repeated on resuming."""
CHECK = 4
"""Steps between two looks at whether training is over."""


def seconds_per_step(live: int, gradients: int) -> float:
    """Measured: what a step costs, and a right-hand side with its part of the solving and watching."""
    return 4e-5 + gradients * (4e-7 + 7e-8 * live)


def seconds_per_segment(points: int) -> float:
    """Measured: judging an event, and the sums over the data of the new pattern."""
    return 2e-4 + 5e-8 * points


@compiled_ieee
def follow(
    system: System,
    last: Step,
    base: Base,
    pace: Pace,
    armed: Flags,
    levels: Levels,
    sizes: Sizes,
    begin: float,
    made: Step,
    end: Base,
    fired: Flags,
) -> tuple[int, float, float, float, int, float, int, float, float]:
    """One step of the flow (section 3) from `base`, after `last`, as far as the first event in it.

    Returns the five fields of the next pace, the step's length and the number of its terms, the loss at its
    end or at the event, and the theta of the event (BEYOND_STEP: there is none). A length of 0 says
    that there is no step. `made` receives the step, `end` the base at its end or at the event, `fired`
    the watches of the event.
    """
    tolerance = set_tolerance(system, base, sizes)
    after, length, step = take_step(system, base, pace, last, tolerance, HORIZON - begin)
    explicit, ahead, quick, familiar, spent = after
    terms = len(step.terms)
    if not begin + length > begin:
        return explicit, ahead, quick, familiar, spent, 0.0, terms, 0.0, BEYOND_STEP
    theta, fires = find_event(system, step, armed, levels, begin == 0.0)
    change = np.empty((2, system.free.size))
    change_at(step, min(theta, 1.0), change)
    there = move_base(system, base, change)
    loss = find_loss(system, there.residual)
    if not loss < FAILED:
        length = 0.0
    made.terms[:terms], made.bend[:] = step.terms, step.bend
    end.b[:], end.c[:], end.residual[:] = there.b, there.c, there.residual
    fired[:] = fires
    return explicit, ahead, quick, familiar, spent, length, terms, loss, theta


class Segment:
    """The flow from `start` on within one stage, grown step by step for as far as somebody asks.

    `end` is None until the flow has got there; then `events` says what happens, nothing if only the number of
    steps ran out. A segment with an end and no `times` is a start from which nothing moves any more;
    if it is `stuck`, no step forward is possible in the numbers at hand.
    """

    def __init__(self, data: TrainingData, start: Point) -> None:
        self.start = start
        self.end: Point | None = None
        self.events: tuple[Event, ...] = ()
        self.stuck = False
        self.times: list[float] = []
        """Ends of the steps, counted from the start."""
        self._stage = stage = open_stage(data, start)
        self._base = stage.base
        self._steps: list[Step] = []
        self._lengths: list[float] = []
        self._spent: list[int] = []
        self.is_whole = True
        """False while it grows, and for ever if that was interrupted."""
        if stage.live.size == 0 or is_at_rest(stage, stage.base):
            self.end = start
            return
        still = np.zeros((2, stage.live.size))
        away = read_watches(stage.system, stage.base, still, stage.levels).value > stage.levels.near
        self._armed: Flags = ~stage.free | away
        self._pace = first_pace(start.length)
        self._last = Step(stage.base, np.zeros((0, *still.shape)), np.zeros(stage.live.size))

    @property
    def spent(self) -> int:
        """Right-hand sides spent on the segment so far."""
        return self._spent[-1] if self._spent else 0

    @property
    def live(self) -> int:
        """Number of neurons that take part."""
        return self._stage.live.size

    def grow(self) -> None:
        """Take one step, cut off at the first event in it."""
        self.is_whole = False
        self._take_step()
        self.is_whole = True

    def _take_step(self) -> None:
        stage = self._stage
        begin = self.times[-1] if self.times else 0.0
        n = stage.live.size
        made = Step(self._base, np.empty((TERMS, 2, n)), np.empty(n))
        end = Base(*(np.empty_like(part) for part in self._base))
        fired: Flags = np.empty((2, n), dtype=np.bool_)
        *next_pace, length, terms, loss, theta = follow(
            stage.system,
            self._last,
            self._base,
            self._pace,
            self._armed,
            stage.levels,
            stage.sizes,
            begin,
            made,
            end,
            fired,
        )
        pace, step = Pace(*next_pace), made._replace(terms=made.terms[:terms].copy())
        if length == 0.0:
            self._give_up()
            return
        self._base, self._pace, self._last = end, pace, step
        self._steps.append(step)
        self._lengths.append(length)
        self._spent.append(pace.spent)
        self.times.append(begin + min(theta, 1.0) * length)
        steps = len(self.times)
        if theta < BEYOND_STEP:
            self.end, self.events = judge_event(stage, end, fired)
        elif (
            steps == STEPS
            or self.times[-1] >= HORIZON
            or fits(stage, loss)
            or (steps % CHECK == 0 and is_at_rest(stage, end))
        ):
            self._finish()

    def _give_up(self) -> None:
        if self.times:
            self._finish()
        else:
            self.end, self.stuck = self.start, True

    def _finish(self) -> None:
        _, _, gap, pin = self.start.arrays()
        length = self._pace.length if self._pace.explicit == 0 else 0.0
        self.end = Point.of(*spread(self._stage, self._base.b, self._base.c), gap, pin, length)

    def at(self, time: float) -> tuple[FloatArray, FloatArray, int]:
        """b, c and the right-hand sides spent, at a time up to the last of `times`."""
        i = bisect_left(self.times, time)
        begin = self.times[i - 1] if i else 0.0
        step = self._steps[i]
        change = np.empty((2, self._stage.live.size))
        change_at(step, min((time - begin) / self._lengths[i], 1.0), change)
        b, c = spread(self._stage, step.base.b + change[0], step.base.c + change[1])
        return b, c, self._spent[i]


class SegmentCache(threading.local):
    """The last few segments of each thread.

    A segment grows as it is read, so that threads share none: what one thread integrates, and what it is
    told of the work, does not depend on the others.
    """

    def __init__(self) -> None:
        self.segment = lru_cache(maxsize=4)(Segment)

    def clear(self) -> None:
        """Forget the segments of this thread."""
        self.segment.cache_clear()


segment_cache = SegmentCache()


def segment_from(data: TrainingData, start: Point) -> Segment:
    """The segment that starts here, remembered: the frames of a stage share one integration."""
    segment = segment_cache.segment(data, start)
    if not segment.is_whole:
        segment_cache.clear()
        segment = segment_cache.segment(data, start)
    return segment
