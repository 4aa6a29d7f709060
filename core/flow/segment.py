"""The gradient flow between two events, as a pure function of where it starts.

Within a stage the equations (core.flow.equations) are smooth and stiff. LSODA integrates them in steps of its
own choice; in every step the watches are read at a few points of its interpolant, and where one has turned
negative its root is the event. LSODA carries a history from step to step that no checkpoint could hold. So
a segment always starts without one, at an event or after a fixed number of steps, and any later state is a
value of its interpolants: the same however the way is cut, and the same when it is integrated anew in
another process.
"""

import warnings
from bisect import bisect_left
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import BDF, LSODA, OdeSolver

from core.flow.equations import Stage, evaluate, jacobian, line_system, rate_bound, scan, velocity, watch
from core.flow.events import (
    ATOL,
    NEAR,
    RTOL,
    Event,
    Interpolant,
    Point,
    extent,
    first_event,
    noise,
    open_stage,
    scale,
    settle,
    spread,
    thresholds,
)
from core.model.pattern import Pattern
from core.problem.data import TrainingData
from core.theory.floor import excess
from core.types import FloatArray, IntArray

STEPS = 400
"""After so many steps without an event a new segment starts: as much may have to be repeated on resuming."""
SAMPLES = np.arange(1, 5) / 4.0
"""Where in a step the watches are read."""
HORIZON = 1e12
"""Largest time of a segment, which the integrator asks for."""
PATIENCE = 200
"""Steps after which a step no longer than the fastest decay counts as a failure to see stiffness."""
CHECK = 8
"""Steps between two looks at whether training is over."""
GAIN = 1e-10
"""Training is over when no more than this part of the loss is left to gain ..."""
FIT = 1e-9
"""... or when the root of the loss is this part of rms(y)."""


class Segment:
    """The flow from `start` on within one stage, grown step by step for as far as somebody asks.

    `end` is None until the flow has got there; then `events` says what happens, nothing if only the number of
    steps ran out. A segment with an end and no `times` is a start from which nothing moves any more.
    """

    def __init__(self, data: TrainingData, start: Point) -> None:
        self.start = start
        self.end: Point | None = None
        self.events: tuple[Event, ...] = ()
        self.times: list[float] = []
        """Ends of the steps, counted from the start."""
        self._data = data
        self._interpolants: list[Interpolant] = []
        self._evaluations: list[int] = []
        self._stage, self._live, y = open_stage(data, start)
        self.unknowns = y.size
        if at_rest(data, start, self._stage, self._live, y):
            self.end = start
            return
        self._noise, self._near = noise(data), NEAR * extent(data)
        away = watch(self._stage, y, self._noise)[0] > self._near
        self._armed = (self._stage.slot < 0) | away
        self._start_solver(LSODA, 0.0, y)

    def _start_solver(self, kind: type[OdeSolver], time: float, y: FloatArray) -> None:
        stage = self._stage
        self._solver = kind(
            lambda _, z: velocity(stage, z),
            time,
            y,
            HORIZON,
            rtol=RTOL,
            atol=ATOL,
            jac=lambda _, z: jacobian(stage, z),
        )
        self._evaluated = self.evaluations

    def grow(self) -> None:
        """Take one step of the solver, cut off at the first event in it."""
        solver, data = self._solver, self._data
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the status says the same
            solver.step()
        if solver.status == "failed":
            self._replace_solver()
            return
        interpolant = solver.dense_output()
        self._interpolants.append(interpolant)
        self._evaluations.append(self._evaluated + solver.nfev)
        self.times.append(float(solver.t))
        ticks = solver.t_old + SAMPLES * (solver.t - solver.t_old)
        ticks[-1] = solver.t
        samples = interpolant(ticks)
        i = scan(self._stage, samples, self._armed, self._noise, self._near)
        steps = len(self.times)
        if i >= 0:
            before, after = float(ticks[i - 1] if i else solver.t_old), float(ticks[i])
            found = first_event(
                data, self._stage, interpolant, before, after, samples[:, i].copy(), self._armed
            )
            self._finish(*found)
        elif steps == STEPS or solver.status == "finished" or self._rests(solver.y):
            self._finish(self.times[-1])
        elif steps == PATIENCE and (solver.t - solver.t_old) * rate_bound(self._stage, solver.y) < 10.0:
            self._replace_solver()

    def _rests(self, y: FloatArray) -> bool:
        due = len(self.times) % CHECK == 0
        return due and at_rest(self._data, self.start, self._stage, self._live, y)

    def _replace_solver(self) -> None:
        """LSODA starts with a method that is not stiff. Near rest it may fail to see that it must change."""
        if isinstance(self._solver, LSODA):
            self._start_solver(BDF, self._solver.t, self._solver.y)
        elif self.times:
            self._finish(self.times[-1])
        else:
            raise ArithmeticError("the integrators cannot leave their starting point")

    def _finish(self, time: float, fired: NDArray[np.bool_] | None = None) -> None:
        y = self._interpolants[-1](time)
        self.times[-1] = time
        if fired is None:
            _, _, gap, pin = self.start.arrays()
            self.end = Point.of(*spread(self._data, self.start, self._live, self._stage.slot, y), gap, pin)
        else:
            self.end, self.events = settle(self._data, self.start, self._live, self._stage, y, fired)
        del self._solver

    def at(self, time: float) -> tuple[FloatArray, FloatArray, int]:
        """b, c and the right-hand sides spent, at a time up to the last of `times`."""
        i = bisect_left(self.times, time)
        b, c = spread(self._data, self.start, self._live, self._stage.slot, self._interpolants[i](time))
        return b, c, self._evaluations[i]

    @property
    def evaluations(self) -> int:
        """Right-hand sides spent on the segment so far."""
        return self._evaluations[-1] if self._evaluations else 0


@lru_cache(maxsize=8)
def segment_from(data: TrainingData, start: Point) -> Segment:
    """The segment that starts here, remembered: the frames of a stage share one integration."""
    return Segment(data, start)


def at_rest(data: TrainingData, start: Point, stage: Stage, live: IntArray, y: FloatArray) -> bool:
    """Whether nothing is left to gain at y: in this stage, or in one that the rest of the way could lead to.

    In the stage the loss can fall to its floor at most, and the unknowns still move by about -A^+ r, the
    least change that gets there. At that end point the watches must hold by a margin of ten times their
    change. A pinned neuron that fails (v- is proportional to the velocity of a free neuron just left of the
    same datum, and vanishes with it) is set free on the doubtful side, to see that nothing is to be gained
    there either.
    """
    speed = velocity(stage, y)
    loss = evaluate(stage, y)
    if not speed.any() or loss <= (FIT * scale(data)) ** 2:
        return True
    least_gain = speed @ speed / (2.0 * rate_bound(stage, y))
    if least_gain > GAIN * loss:
        return False
    b, c = spread(data, start, live, stage.slot, y)
    _, _, gap, pin = start.arrays()
    if excess(data, Pattern(gap, pin), b, c) > GAIN * loss:
        return False
    a, r = line_system(stage, y)
    way = -np.linalg.lstsq(a, r, rcond=1e-12)[0]
    now, then = watch(stage, y, 0.0)[0], watch(stage, y + way, 0.0)[0]
    free = stage.slot >= 0
    margin = 10.0 * np.abs(then - now) + np.where(free, 0.0, thresholds(data, stage.c))
    doubtful = then <= margin
    if doubtful[:, free].any():
        return False
    for side in range(2):
        neurons = live[doubtful[side]]
        wider_gap, wider_pin = gap.copy(), pin.copy()
        wider_gap[neurons] -= side
        wider_pin[neurons] = -1
        if neurons.size and excess(data, Pattern(wider_gap, wider_pin), b, c) > GAIN * loss:
            return False
    return True
