"""The facts about a plateau at one of its frames, which core.narrative.plateaus tells."""

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import Self

import numpy as np

from ..config.run_config import RunConfig
from ..frames.frame import Frame
from ..least_squares.solve import least_loss
from ..methods.contract import Method
from ..model.loss import rounding_of
from ..model.network import evaluate
from ..model.pattern import Pattern
from ..model.pattern.gaps import is_hopping
from ..model.sharpness import sharpness
from ..portable.sums import cumulative_from_right, sum_of_squares
from ..problem.data import TrainingData
from ..theory.convergence import must_end
from ..theory.floor import floor
from ..theory.rates import canonical
from .slowest import Slowest, slowest

AT_FLOOR = 0.1
"""The loss is at its floor if less than this part of it lies above."""
LOOSER = 0.5
"""Pinned neurons hold the loss if without them the floor would be below this part of it."""
BELOW = 1e-9
"""A loss less than this part below its floor is at the floor."""
RISE, RISES = 1e-3, 0.2
"""The loss goes up and down if it rises by more than this part from one frame to the next, so often."""
WIDE = 200
"""Beyond this width the slowest direction, which costs O(n^3), is not looked for."""


def is_sure_to_end(config: RunConfig, frame: Frame) -> bool:
    """Whether a change of the pattern is certain (Theorem 3.3, thm:convergence): a last stage has none."""
    pattern = Pattern(frame.gap, frame.pin)
    return config.method.decays and must_end(config.training_data(), pattern, frame.b, frame.c)


def known_loss(data: TrainingData, loss: float) -> float:
    """A loss or a floor; what is rounding beside the data is 0."""
    return loss if loss > rounding_of(data) else 0.0


def is_fitted(method: Method, data: TrainingData, frame: Frame) -> bool:
    """Whether the network of a frame fits the data exactly, by the same measure by which its method stops.

    A method that solves for the coefficients judges by the least loss of the biases: where huge
    coefficients cancel, the loss of the frame is that of their rounding, and no move can lower it.
    """
    if frame.loss <= method.exact_loss(data):
        return True
    return method.solves_least_squares and least_loss(data, frame.b) <= rounding_of(data)


def stages_below_floor(data: TrainingData, frames: Sequence[Frame]) -> frozenset[int]:
    """The stages in which the loss passes the floor: a bias that counts as pinned stands beside its datum."""
    least = rounding_of(data)
    return frozenset(each.stage for each in frames if each.loss < (1.0 - BELOW) * each.floor - least)


class Standstill:
    """The facts about a plateau at one of its frames; in the stages `below` no floor bounds the loss."""

    def __init__(
        self,
        config: RunConfig,
        frames: Sequence[Frame],
        frame: Frame,
        below: frozenset[int] = frozenset(),
    ) -> None:
        self.config, self.frames, self.frame, self.below = config, frames, frame, below
        self.data, self.method = config.training_data(), config.method
        self.pattern = Pattern(frame.gap, frame.pin)

    def at(self, frame: Frame) -> Self:
        """The facts at another frame of the same plateau; what belongs to all of it is not counted again."""
        other = type(self)(self.config, self.frames, frame, self.below)
        other.rises = self.rises
        return other

    @property
    def is_dead(self) -> bool:
        return bool((self.frame.gap >= self.data.m).all())

    @property
    def hops(self) -> bool:
        """Whether steps that are too large throw a neuron over data."""
        return bool(is_hopping(self.frame.pin).any())

    @property
    def above(self) -> float:
        return self.frame.loss - self.frame.floor

    @property
    def is_above(self) -> bool:
        """Whether the loss is not below its floor, as it must be where pinned biases stand on their data."""
        return self.above >= -BELOW * self.frame.floor and self.frame.stage not in self.below

    @property
    def is_at_floor(self) -> bool:
        return (
            self.is_above
            and self.above <= AT_FLOOR * self.frame.loss
            and not self.method.solves_least_squares
        )

    @cached_property
    def loose_floor(self) -> float:
        """Q_0 if the pinned neurons were free in their gaps."""
        return floor(self.data, Pattern(self.frame.gap, np.full(self.frame.pin.size, -1, dtype=np.int64)))

    @property
    def is_pinned(self) -> bool:
        return (
            self.is_at_floor
            and bool((self.frame.pin >= 0).any())
            and self.loose_floor < LOOSER * self.frame.floor
        )

    @cached_property
    def rises(self) -> int:
        losses = [frame.loss for frame in self.frames]
        return sum(b > (1.0 + RISE) * a for a, b in pairwise(losses))

    @property
    def is_fitted(self) -> bool:
        return is_fitted(self.method, self.data, self.frame)

    @property
    def overshoots(self) -> bool:
        return self.rises >= RISES * (len(self.frames) - 1)

    @cached_property
    def curvature(self) -> float:
        return sharpness(self.data, self.pattern, self.frame.b, self.frame.c)

    @cached_property
    def step(self) -> float | None:
        return self.method.step(self.frame.epoch)

    @property
    def is_too_curved(self) -> bool:
        return self.overshoots and self.step is not None and self.curvature * self.step > 2.0

    @cached_property
    def pace(self) -> float:
        """How fast the loss falls along the flow, as a part of what lies above the floor, an epoch."""
        d, pattern = self.data, self.pattern
        b, c = canonical(d, pattern, self.frame.b), self.frame.c
        r = d.w * (evaluate(b, c, d.x) - d.y)
        pull = cumulative_from_right(r)[pattern.gap]
        middle = 0.5 * (d.x[0] + d.x[-1])  # about zero, data that lie far off would cancel
        turn = cumulative_from_right(r * (d.x - middle))[pattern.gap]
        free = np.where(pattern.pin < 0, c * pull, 0.0)
        squares = float(sum_of_squares(free)) + float(sum_of_squares(turn - (b - middle) * pull))
        return self.time * d.s * (2.0 / d.weight) * squares / self.above

    @property
    def time(self) -> float:
        """Of the flow, in one epoch."""
        return self.step if self.step is not None else float(getattr(self.method, "learning_rate", 0.0))

    @property
    def is_slow(self) -> bool:
        return (
            self.method.decays
            and self.is_above
            and self.above > AT_FLOOR * self.frame.loss
            and self.pace > 0.0
        )

    @cached_property
    def slowest(self) -> Slowest:
        return slowest(self.data, self.pattern, self.frame.b, self.frame.c)

    @property
    def has_slowest(self) -> bool:
        return self.is_slow and self.config.width <= WIDE and self.slowest.share.size > 0

    @property
    def pinned(self) -> list[int]:
        """The pinned neurons."""
        return np.flatnonzero(self.frame.pin >= 0).tolist()
