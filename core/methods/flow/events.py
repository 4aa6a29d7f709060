"""What happens where a bias meets a datum: the events of the gradient flow.

The flow is a differential inclusion in the sense of Filippov: db_j/dt jumps where b_j meets a datum x_k, from
v- = s c_j (G_j + w_k r_k) just left of it to v+ = s c_j G_j just right of it. Everything else is continuous,
the residual r included, so that each neuron decides for itself:

    v+ > 0              the bias goes on to the right          (it crosses, or is released)
    v- < 0              it goes on to the left                 (it crosses, or is released)
    v+ <= 0 <= v-       neither side lets it go: it is pinned, db_j/dt = 0, until one of the signs changes.

The last datum is the exception: right of it v+ = 0 for good, so a bias that gets there is dead.

**Why events cannot pile up.** An integrator leaves noise in the velocities, and a sign within the noise means
nothing. So a neuron is released only when its velocity exceeds a threshold, but leaves a datum that it
meets when the velocity exceeds half of it. From pinning to release a velocity has to change by half the
threshold; and a bias that leaves does so at half the threshold's speed at least, so its return takes time,
too. Hence time passes between any two events of a neuron, and while it passes the loss falls.

**A bias that starts on a datum** is the limit of gradient descent, which does not see a datum that it
stands on and therefore moves with v+. Where v+ = 0 > v-, both sides pull away from the datum or leave it
alone, and Filippov's solution is not unique. Descent stays until v+ has a sign, because c and the residuals
change. The flow does the same by treating the neuron as free on the right side of its datum: if v+ turns
positive it leaves, and if v+ turns negative it meets the datum at once and is judged there.
"""

from dataclasses import dataclass

import numpy as np

from ...model.pattern import gaps
from ...model.pattern.changes import ChangeKind
from ...model.pattern.pins import side_of, velocities
from ...problem.data import TrainingData
from ...types import FloatArray, IntArray
from .system import AFTER, BEFORE, Base, G, System, add_up, form_base, open_system
from .tolerance import LINE_ROUNDING, NEAR, NOISE, SMALL, TIE, Sizes, sizes_of, sum_terms
from .watches import Flags, Levels, read_watches

Event = tuple[int, ChangeKind, int]
"""Neuron, what it did, at which datum."""


@dataclass(frozen=True)
class Point:
    """A network and its pattern, hashable: the arrays as bytes."""

    b: bytes
    c: bytes
    gap: bytes
    pin: bytes
    length: float = 0.0
    """Of the step that seems right from here on; 0 if nothing is known, as after an event."""

    @classmethod
    def of(cls, b: FloatArray, c: FloatArray, gap: IntArray, pin: IntArray, length: float = 0.0) -> "Point":
        return cls(b.tobytes(), c.tobytes(), gap.tobytes(), pin.tobytes(), length)

    def arrays(self) -> tuple[FloatArray, FloatArray, IntArray, IntArray]:
        """Fresh copies of b, c, gap, pin."""
        return (
            np.frombuffer(self.b, dtype=np.float64).copy(),
            np.frombuffer(self.c, dtype=np.float64).copy(),
            np.frombuffer(self.gap, dtype=np.int64).copy(),
            np.frombuffer(self.pin, dtype=np.int64).copy(),
        )


@dataclass(frozen=True, eq=False)
class LiveStage:
    """A point of the flow as the kernels see it: its live neurons, in the order of their gaps."""

    data: TrainingData
    point: Point
    live: IntArray
    """The neurons that see a datum."""
    sizes: Sizes
    system: System
    base: Base
    levels: Levels

    @property
    def free(self) -> Flags:
        """Which of them may move."""
        return self.system.free > 0.0

    @property
    def resolution(self) -> float:
        """Losses up to this are rounding: no value of the network is known better."""
        terms = sum_terms(self.system, self.base.b, self.base.c, self.sizes.middle)
        rounding = 4.0 * 2.0**-52 * terms
        return rounding * rounding


def open_stage(data: TrainingData, point: Point) -> LiveStage:
    """What the kernels need for the stage that `point` lies in."""
    b, c, gap, pin = point.arrays()
    live = np.flatnonzero(gap < data.m)
    live = live[np.argsort(gap[live], kind="stable")]
    sizes = sizes_of(data)
    system = open_system(
        data.points, data.s, data.weight, sizes.middle, gap[live], (pin[live] >= 0).astype(np.int64)
    )
    base = form_base(system, b[live] - sizes.middle, c[live])
    return LiveStage(data, point, live, sizes, system, base, levels_of(sizes, system, base))


def levels_of(sizes: Sizes, system: System, base: Base) -> Levels:
    """What counts as nothing: in units of the problem, and never less than rounding leaves of the
    residual."""
    rounding = LINE_ROUNDING * sum_terms(system, base.b, base.c, sizes.middle)
    noise = NOISE * max(sizes.y, rounding / 1e-11)
    return Levels(noise, SMALL * sizes.c, NEAR * sizes.x, TIE * sizes.x)


def thresholds(data: TrainingData, c: FloatArray) -> FloatArray:
    """Velocities up to these have no sign, where rounding does not ask for more."""
    sizes = sizes_of(data)
    return NOISE * sizes.y * np.maximum(np.abs(c), SMALL * sizes.c)


def spread(stage: LiveStage, b: FloatArray, c: FloatArray) -> tuple[FloatArray, FloatArray]:
    """b and c of all neurons, with those of the live ones in their places.

    A free bias is kept within its gap: beside a datum the integrator's error may put it on the other side.
    """
    all_b, all_c, gap, _ = stage.point.arrays()
    data, free = stage.data, stage.free
    moving = stage.live[free]
    low = np.concatenate([[-np.inf], data.x])[gap[moving]]
    high = np.nextafter(data.x[gap[moving]], -np.inf)
    all_b[moving] = np.minimum(np.maximum(b[free] + stage.sizes.middle, low), high)
    all_c[stage.live] = c
    return all_b, all_c


def judge_event(stage: LiveStage, base: Base, fired: Flags) -> tuple[Point, tuple[Event, ...]]:
    """Let every neuron that has an event at `base` decide where it goes, and say what it did."""
    system, levels, data = stage.system, stage.levels, stage.data
    watches = read_watches(system, base, np.zeros((2, stage.live.size)), levels)
    free = stage.free
    held = levels.noise * np.maximum(np.abs(base.c), levels.small)
    tied = np.where(free, (watches.value <= levels.tie) & (watches.rate < 0.0), watches.value <= 1e-6 * held)
    fired = fired | tied
    sums = base.residual.copy()
    add_up(system, sums)
    b, c = spread(stage, base.b, base.c)
    _, _, gap, pin = stage.point.arrays()
    events: list[Event] = []
    for j in np.flatnonzero(fired[0] | fired[1]).tolist():
        neuron, g, pull = int(stage.live[j]), int(system.group[j]), system.s * float(base.c[j])
        inside = pull * float(sums[G, g])
        came_from = 0 if not free[j] else 1 if fired[0, j] else -1
        if came_from >= 0:  # at the left end of its gap, or pinned there
            k = int(gap[neuron]) - 1
            right, left = inside, inside + pull * float(system.edge_weight[0, g] * sums[BEFORE, g])
        else:
            k = int(gap[neuron])
            right, left = inside - pull * float(system.edge_weight[1, g] * sums[AFTER, g]), inside
        side = side_of(right, left, 0.5 * float(held[j]), k, data.m)
        pin[neuron] = k if side == 0 else -1
        gap[neuron] = k if side < 0 else k + 1
        b[neuron] = np.nextafter(data.x[k], -np.inf) if side < 0 else data.x[k]
        if side != came_from:
            events.append((neuron, "pinned" if side == 0 else "crossed" if came_from else "released", k))
    return Point.of(b, c, gap, pin), tuple(events)


def first_pattern(data: TrainingData, b: FloatArray, c: FloatArray) -> tuple[IntArray, IntArray]:
    """gap and pin just after the start, where biases may stand exactly on data."""
    gap = gaps(data.x, b)
    pin = np.full(b.size, -1, dtype=np.int64)
    neurons = np.flatnonzero((gap > 0) & (gap < data.m) & (data.x[gap - 1] == b))
    right, left = velocities(data, b, c, neurons, gap[neurons] - 1)
    held = 0.5 * thresholds(data, c)
    for i, j in enumerate(neurons.tolist()):
        if abs(right[i]) <= held[j] and left[i] < -held[j]:
            continue  # free on the right of its datum, until v+ has a sign
        side = side_of(float(right[i]), float(left[i]), float(held[j]), int(gap[j]) - 1, data.m)
        if side == 0:
            pin[j] = gap[j] - 1
        elif side < 0:
            gap[j] -= 1
    return gap, pin
