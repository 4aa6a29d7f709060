"""What is recorded of a run, and when; `Training` (core.run.train) records it.

A frame holds what every view of one moment needs. Frames lie on a grid of round
epochs, 100 a decade (every integer up to 100, then every number of two significant
digits and the halves between 1.0 and 2.0), and at every change of the pattern.

The grid does not depend on the budget, and neither may the thinning of stage
changes: a longer budget must continue the same sequence, and a recorded frame is
never taken back. So thinning is a token bucket that fills with log epochs: up to
epoch t there are 400 + 200 log10(1 + t) frames for stage changes that fall
between grid epochs. A run has some hundred stages, spread evenly over log
epochs; only one whose pattern changes incessantly runs out, and then changes are
counted without a frame of their own until the bucket has filled again. With 1e12
epochs that makes at most 1,101 + 2,800 frames, within the limit of 4,000.
"""

from dataclasses import dataclass, replace
from math import floor

import numpy as np

from ..limits import LIMITS
from ..model.pattern.changes import Change
from ..portable.logarithm import portable_log10
from ..problem.scale import Scale
from ..types import FloatArray, IntArray

EVERY_EPOCH = 3_000
"""Methods that are recorded at every iteration go over to the grid here."""


@dataclass(frozen=True, eq=False)
class Frame:
    """One recorded moment of a run. Arrays are read-only copies in neuron order."""

    index: int
    epoch: float
    loss: float
    b: FloatArray
    c: FloatArray
    gap: IntArray
    pin: IntArray
    stage: int
    floor: float
    stationarity: float
    prediction_error: float
    seconds: float
    gradients: int
    solves: int
    changes: tuple[Change, ...]
    points: int

    def __repr__(self) -> str:
        at = f"epoch {self.epoch:g}, stage {self.stage}, loss {self.loss:.4g}, floor {self.floor:.4g}"
        return f"<Frame {self.index}: {at}, {len(self.b)} neurons>"

    @property
    def u(self) -> IntArray:
        """The activation pattern (u_0, ..., u_n): u_l data activate exactly l neurons."""
        starts = np.concatenate(([0], np.sort(self.gap), [self.points]))
        return starts[1:] - starts[:-1]

    def in_units(self, scale: Scale) -> "Frame":
        """The same moment in the units of the data that people brought."""
        if scale.is_plain:
            return self
        return replace(
            self,
            loss=float(scale.loss(self.loss)),
            floor=float(scale.loss(self.floor)),
            prediction_error=scale.y_unit * self.prediction_error,
            b=scale.x(self.b),
            c=scale.slope(self.c),
        )


def next_grid_epoch(epoch: float) -> float:
    """The smallest grid epoch beyond `epoch`."""
    if epoch < 100.0:
        return float(floor(epoch) + 1)
    unit = 1.0
    while 1000.0 * unit <= epoch:
        unit *= 10.0
    mantissa = floor(epoch / unit)
    stride = 5 if mantissa < 200 else 10
    following = (mantissa // stride + 1) * stride
    while following * unit <= epoch:
        following += stride
    return following * unit


def next_frame_epoch(epoch: float, every_epoch: bool) -> float:
    """The next epoch that gets a frame whatever happens before."""
    if every_epoch and epoch < EVERY_EPOCH:
        return float(floor(epoch) + 1)
    return next_grid_epoch(epoch)


def has_token(epoch: float, used: int, every_epoch: bool) -> bool:
    """Whether a stage change after `epoch` gets a frame of its own."""
    capacity = 400.0 if every_epoch else 400.0 + 200.0 * portable_log10(1.0 + epoch)
    return used + 1 <= capacity


def has_room(index: int) -> bool:
    """Whether frame `index` may be recorded without taking the last place of the limit."""
    return index < LIMITS.frames - 1
