"""The facts that sentences about a plateau speak of (core.narrative.standing), found at one of its frames."""

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np

from core.analysis.slowest import Slowest, slowest
from core.config.run_config import RunConfig
from core.frames.frame import Frame
from core.model.network import evaluate
from core.model.pattern import Pattern
from core.model.sharpness import sharpness
from core.narrative.methods import words_of
from core.narrative.numbers import count, hoppers, known, loss_text, number
from core.portable.sums import cumulative_from_right, sum_of_squares
from core.theory.convergence import must_end
from core.theory.floor import floor
from core.theory.rates import canonical

LEFT = 0.1
"""The loss is at its floor if less than this part of it lies above."""
LOOSER = 0.5
"""Pinned neurons hold the loss if without them the floor would be below this part of it."""
BELOW = 1e-9
"""A loss less than this part below its floor is at the floor."""
RISE, RISES = 1e-3, 0.2
"""The loss goes up and down if it rises by more than this part from one frame to the next, so often."""
WIDE = 200
"""Beyond this width the slowest direction, which costs O(n^3), is not looked for."""


def when_or_if(config: RunConfig, frame: Frame) -> str:
    """How the end of a stage is announced: a last one has none, so that "when" needs the certificate."""
    pattern = Pattern(frame.gap, frame.pin)
    certain = config.method.decays and must_end(config.training_data(), pattern, frame.b, frame.c)
    return "when" if certain else "only if"


class Standstill:
    """The facts about a plateau at one of its frames."""

    def __init__(self, config: RunConfig, frames: Sequence[Frame], frame: Frame) -> None:
        self.config, self.frames, self.frame = config, frames, frame
        self.data, self.method = config.training_data(), config.method
        self.pattern = Pattern(frame.gap, frame.pin)

    @property
    def is_dead(self) -> bool:
        return bool((self.frame.gap >= self.data.m).all())

    @property
    def hops(self) -> bool:
        """Whether steps that are too large throw a neuron over data."""
        return bool((self.frame.pin <= -2).any())

    @property
    def above(self) -> float:
        return self.frame.loss - self.frame.floor

    @property
    def is_above(self) -> bool:
        """Whether the loss is not below its floor, as it must be where pinned biases stand on their data."""
        return self.above >= -BELOW * self.frame.floor

    @property
    def is_at_floor(self) -> bool:
        return self.is_above and self.above <= LEFT * self.frame.loss and not self.method.solves_least_squares

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

    @property
    def rises(self) -> int:
        losses = [frame.loss for frame in self.frames]
        return sum(b > (1.0 + RISE) * a for a, b in pairwise(losses))

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
            self.method.decays and self.is_above and self.above > LEFT * self.frame.loss and self.pace > 0.0
        )

    @cached_property
    def slowest(self) -> Slowest:
        return slowest(self.data, self.pattern, self.frame.b, self.frame.c)

    @property
    def has_slowest(self) -> bool:
        return self.is_slow and self.config.width <= WIDE and self.slowest.share.size > 0

    # What templates name.

    @property
    def epoch(self) -> str:
        return f"{self.method.counts} {count(self.frame.epoch)}"

    @property
    def floor(self) -> str:
        return loss_text(self.data, known(self.data, self.frame.floor))

    @property
    def loss(self) -> str:
        return loss_text(self.data, self.frame.loss)

    @property
    def left(self) -> str:
        part = max(self.above, 0.0) / self.frame.loss
        return "less than 0.001 %" if part < 1e-5 else f"only {number(100 * part, 2)} %"

    @property
    def loosened(self) -> str:
        return loss_text(self.data, known(self.data, self.loose_floor))

    @property
    def certainly(self) -> str:
        return when_or_if(self.config, self.frame)

    @property
    def held(self) -> str:
        pinned = np.flatnonzero(self.frame.pin >= 0).tolist()
        return f"neuron {pinned[0] + 1} is" if len(pinned) == 1 else f"{len(pinned)} neurons are"

    @property
    def hoppers(self) -> str:
        return hoppers(self.data, self.pattern.pin)

    @property
    def ends(self) -> str:
        return words_of(self.method).plateau_ends

    @property
    def title(self) -> str:
        return self.method.title

    @property
    def risen(self) -> str:
        return f"{self.rises} of {len(self.frames) - 1}"

    @property
    def sharp(self) -> str:
        return number(self.curvature)

    @property
    def stable(self) -> str:
        return number(2.0 / (self.step or 1.0))

    @property
    def wait(self) -> str:
        return f"{number(1.0 / self.pace, 2)} epochs"

    @property
    def longest(self) -> str:
        return f"{number(1.0 / (2.0 * self.data.s * self.slowest.rate * self.time), 2)} epochs"

    @property
    def slow_neuron(self) -> str:
        share = self.slowest.share
        first = int(np.argmax(share))
        return f"mostly neuron {first + 1}" if share[first] > 0.5 else f"neuron {first + 1} more than others"

    @property
    def gain(self) -> str:
        first, last = self.frames[0], self.frames[-1]
        return f"{number(100 * (1.0 - last.loss / first.loss), 2)} %"

    @property
    def span(self) -> str:
        first, last = self.frames[0], self.frames[-1]
        return f"{self.method.counts}s {count(first.epoch)} to {count(last.epoch)}"
