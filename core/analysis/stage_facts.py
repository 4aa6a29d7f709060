"""The facts about a stage, found in its frames; core.narrative.story tells them."""

from collections.abc import Sequence

from ..config.run_config import RunConfig
from ..frames.frame import Frame
from ..frames.stages import Stage
from ..model.pattern import Pattern
from ..model.pattern.gaps import is_hopping
from .standstill import AT_FLOOR, is_fitted, known_loss, stages_below_floor

MOVING = 0.5
"""A stage at whose end the loss is below this part of that at its start is on its way."""


class StageFacts:
    """One stage: its frames, and the last frame before it (None for the first stage)."""

    def __init__(
        self, config: RunConfig, stage: Stage, frames: Sequence[Frame], before: Frame | None
    ) -> None:
        self.data, self.method = config.training_data(), config.method
        self.config, self.of, self.frames, self.before = config, stage, frames, before
        self.first, self.last = frames[0], frames[-1]
        self.pattern = Pattern(self.first.gap, self.first.pin)

    @property
    def solves(self) -> bool:
        """Whether the coefficients are the best ones in every frame."""
        return self.method.solves_least_squares

    @property
    def is_fitted(self) -> bool:
        return all(is_fitted(self.method, self.data, frame) for frame in self.frames)

    @property
    def has_floor(self) -> bool:
        """Whether the floor is more than rounding, no neuron hops and no frame is below it."""
        return not self.hops and self.floor_value > 0 and self.respects(self.frames)

    def respects(self, frames: Sequence[Frame]) -> bool:
        """Whether no frame is below its floor; one may be where a bias counts as pinned beside its datum."""
        return not stages_below_floor(self.data, frames)

    @property
    def floor_value(self) -> float:
        return known_loss(self.data, self.of.floor)

    @property
    def compares_floors(self) -> bool:
        """Whether a floor before and a floor now are what the loss kept above."""
        if self.hops or self.before is None or self.solves:
            return False
        return self.respects([self.before, *self.frames])

    @property
    def hops(self) -> bool:
        """Whether steps that are too large throw a neuron over data."""
        return bool(is_hopping(self.pattern.pin).any())

    @property
    def is_moving(self) -> bool:
        return self.last.loss < MOVING * self.first.loss

    @property
    def is_well_above_floor(self) -> bool:
        """In every frame."""
        return all(frame.loss - self.floor_value > AT_FLOOR * frame.loss for frame in self.frames)

    @property
    def floors(self) -> tuple[float, float]:
        """Before the stage, and in it."""
        assert self.before is not None
        return known_loss(self.data, self.before.floor), self.floor_value

    @property
    def losses(self) -> tuple[float, float]:
        """Before the stage, and at its start."""
        assert self.before is not None
        return self.before.loss, self.first.loss
