"""What happens where a bias meets a datum: the events of the gradient flow.

The flow is a differential inclusion in the sense of Filippov: db_j/dt jumps where b_j meets a datum x_k, from
v- = s c_j (G_j + r_k) just left of it to v+ = s c_j G_j just right of it. Everything else is continuous, the
residual r included, so that each neuron decides for itself:

    v+ > 0              the bias goes on to the right          (it crosses, or is released)
    v- < 0              it goes on to the left                 (it crosses, or is released)
    v+ <= 0 <= v-       neither side lets it go: it is pinned, db_j/dt = 0, until one of the signs changes.

The last datum is the exception: right of it v+ = 0 for good, so a bias that gets there is dead.

**Why events cannot pile up.** An integrator leaves noise in the velocities, and a sign within the noise means
nothing. So a neuron is released only when its velocity exceeds a threshold, but leaves a datum that it
meets when the velocity exceeds half of it. From pinning to release a velocity has to change by half the
threshold; and a bias that leaves does so at half the threshold's speed at least, so its return takes time,
too. Hence time passes between any two events of a neuron, and while it passes the loss falls.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from core.flow.equations import SMALL, Stage, moments, watch
from core.model.changes import ChangeKind
from core.model.pattern import gaps
from core.model.velocities import velocities
from core.problem.data import TrainingData
from core.types import FloatArray, IntArray

RTOL, ATOL = 1e-11, 1e-13
"""Of the integrator. The events on f1 are the same from 1e-9 on; finer means less noise in velocities."""
NOISE = 2e-10
"""Threshold of a velocity over rms(y) |c_j|: twenty times what RTOL leaves in the residual."""
NEAR = 1e-9
"""A bias this far from a datum (over `extent`) has left it; the integrator's error is a hundredth."""
TIE = 1e-12
"""Biases this close to a datum (over `extent`) at the time of an event arrive together."""
UNREACHABLE = 1e300
"""Stands for the left end of the gap left of all data; finite, so that differences of watches are numbers."""

Event = tuple[int, ChangeKind, int]
"""Neuron, what it did, at which datum."""
Interpolant = Callable[[float], FloatArray]


@dataclass(frozen=True)
class Point:
    """A network and its pattern, hashable: the arrays as bytes."""

    b: bytes
    c: bytes
    gap: bytes
    pin: bytes

    @classmethod
    def of(cls, b: FloatArray, c: FloatArray, gap: IntArray, pin: IntArray) -> "Point":
        return cls(b.tobytes(), c.tobytes(), gap.tobytes(), pin.tobytes())

    def arrays(self) -> tuple[FloatArray, FloatArray, IntArray, IntArray]:
        """Fresh copies of b, c, gap, pin."""
        return (
            np.frombuffer(self.b, dtype=np.float64).copy(),
            np.frombuffer(self.c, dtype=np.float64).copy(),
            np.frombuffer(self.gap, dtype=np.int64).copy(),
            np.frombuffer(self.pin, dtype=np.int64).copy(),
        )


def scale(data: TrainingData) -> float:
    """Size of the targets, but not less than what ATOL resolves."""
    return max(float(np.sqrt(np.mean(data.y**2))), ATOL / RTOL)


def noise(data: TrainingData) -> float:
    """Pulls s G_j = v_j / c_j up to this have no sign."""
    return NOISE * scale(data)


def thresholds(data: TrainingData, c: FloatArray) -> FloatArray:
    """Velocities up to these have no sign. In proportion to c_j, so that neurons on one datum go together."""
    return noise(data) * np.maximum(np.abs(c), SMALL)


def origin(data: TrainingData) -> float:
    """Middle of the data. Biases are integrated as offsets from it: the flow knows no other zero."""
    return 0.5 * float(data.x[0] + data.x[-1])


def extent(data: TrainingData) -> float:
    """Largest distance of a datum from there, in which NEAR and TIE count."""
    return 0.5 * float(data.x[-1] - data.x[0])


def open_stage(data: TrainingData, start: Point) -> tuple[Stage, IntArray, FloatArray]:
    """The stage that begins at `start`, the live neurons in its order, and the unknowns."""
    b, c, gap, pin = start.arrays()
    live = np.flatnonzero(gap < data.m)
    live = live[np.argsort(gap[live], kind="stable")]
    starts, group = np.unique(gap[live], return_inverse=True)
    x = data.x - origin(data)
    segments, tails, last, constant = moments(x, data.y, starts)
    free = pin[live] < 0
    slot = np.where(free, np.cumsum(free) - 1, -1)
    left = np.concatenate([[-UNREACHABLE], x])
    stage = Stage(
        slot=slot,
        group=group.astype(np.int64),
        segments=segments,
        tails=tails,
        last=last,
        ends=np.array([left[gap[live]], x[gap[live]]]),
        s=2.0 / data.m,
        constant=constant,
        b=b[live] - origin(data),
        c=c[live],
        sums=np.zeros((3, starts.size)),
    )
    return stage, live, np.concatenate([stage.b[free], stage.c])


def spread(
    data: TrainingData, start: Point, live: IntArray, slot: IntArray, y: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """b and c of all neurons, with the unknowns y in their places.

    A free bias is kept within its gap: beside a datum the integrator's error may put it on the other side.
    """
    b, c, gap, _ = start.arrays()
    moving = live[slot >= 0]
    low = np.concatenate([[-np.inf], data.x])[gap[moving]]
    high = np.nextafter(data.x[gap[moving]], -np.inf)
    b[moving] = np.clip(y[slot[slot >= 0]] + origin(data), low, high)
    c[live] = y[y.size - live.size :]
    return b, c


def first_event(
    data: TrainingData,
    stage: Stage,
    interpolant: Interpolant,
    before: float,
    after: float,
    sample: FloatArray,
    armed: NDArray[np.bool_],
) -> tuple[float, NDArray[np.bool_]]:
    """When between two samples the first watch fires, and which ones do then.

    `sample` is the interpolant's value at `after` that was seen to fire one. The same value asked for alone
    may differ from it in the last bit, and a watch that is zero but for that bit has its event at `after`.
    """
    threshold = noise(data)
    old, _ = watch(stage, interpolant(before), threshold)
    new, rates = watch(stage, sample, threshold)
    when = np.full(new.shape, np.inf)
    for side, j in np.argwhere((new < 0.0) & (armed | (rates < 0.0))).tolist():

        def value(time: float, side: int = side, j: int = j) -> float:
            return float(watch(stage, interpolant(time), threshold)[0][side, j])

        if not armed[side, j]:
            when[side, j] = after
        elif old[side, j] <= 0.0:  # interpolants of neighbouring steps differ by the integrator's error
            when[side, j] = before if before > 0.0 else after
        elif value(after) >= 0.0:
            when[side, j] = after
        else:
            when[side, j] = brentq(value, before, after, xtol=1e-300, rtol=1e-15)
    time = float(when.min())
    return time, when == time


def settle(
    data: TrainingData, start: Point, live: IntArray, stage: Stage, y: FloatArray, fired: NDArray[np.bool_]
) -> tuple[Point, tuple[Event, ...]]:
    """Let every neuron that has an event at y decide where it goes, and say what it did."""
    values, rates = watch(stage, y, noise(data))
    free = stage.slot >= 0
    held = thresholds(data, stage.c)
    tied = np.where(free, (values <= TIE * extent(data)) & (rates < 0.0), values <= 1e-6 * held)
    fired = fired | tied
    b, c = spread(data, start, live, stage.slot, y)
    _, _, gap, pin = start.arrays()
    chosen = np.flatnonzero(fired.any(axis=0))
    neurons = live[chosen]
    origins = np.where(free, np.where(fired[0], 1, -1), 0)[chosen]
    data_met = gap[neurons] - (origins >= 0)
    right, left = velocities(data, b, c, neurons, data_met)
    events: list[Event] = []
    for i, (neuron, k, origin) in enumerate(zip(neurons.tolist(), data_met.tolist(), origins, strict=True)):
        side = decide(left[i], right[i], 0.5 * held[chosen[i]]) if k < data.m - 1 else 1
        pin[neuron] = k if side == 0 else -1
        gap[neuron] = k if side < 0 else k + 1
        b[neuron] = np.nextafter(data.x[k], -np.inf) if side < 0 else data.x[k]
        if side != origin:
            events.append((neuron, "pinned" if side == 0 else "crossed" if origin else "released", k))
    return Point.of(b, c, gap, pin), tuple(events)


def decide(left: float, right: float, threshold: float) -> int:
    """Where a bias on a datum goes, by its velocities v- and v+ there: -1, 1, or 0 when it is pinned.

    Where both sides pull away the solution is not unique; a bias on a datum does not see it, so v+ counts.
    """
    return 1 if right > threshold else -1 if left < -threshold else 0


def first_pattern(data: TrainingData, b: FloatArray, c: FloatArray) -> tuple[IntArray, IntArray]:
    """gap and pin just after the start, where biases may stand exactly on data."""
    gap = gaps(data.x, b)
    pin = np.full(b.size, -1, dtype=np.int64)
    neurons = np.flatnonzero((gap > 0) & (gap < data.m) & (data.x[gap - 1] == b))
    right, left = velocities(data, b, c, neurons, gap[neurons] - 1)
    held = thresholds(data, c)
    for i, j in enumerate(neurons.tolist()):
        side = decide(left[i], right[i], 0.5 * held[j])
        if side == 0:
            pin[j] = gap[j] - 1
        elif side < 0:
            gap[j] -= 1
    return gap, pin
