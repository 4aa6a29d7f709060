"""Words for the facts about a plateau (core.analysis.standstill), for the sentences of `plateaus`."""

import numpy as np

from ..analysis.plateaus import CHANGE
from ..analysis.standstill import Standstill, is_sure_to_end, known_loss
from ..config.run_config import RunConfig
from ..frames.frame import Frame
from ..model.pattern.gaps import hopped_datum, is_hopping
from .methods import words_of
from .numbers import changed, count, hoppers, loss_text, number, position, roughly


def certain_end(config: RunConfig, frame: Frame) -> str:
    """What a sentence about the end of a stage adds where that end is certified; else nothing."""
    return "; this stage is certain to end" if is_sure_to_end(config, frame) else ""


class StandstillWords(Standstill):
    """A plateau at one of its frames, in words."""

    @property
    def epoch(self) -> str:
        return f"{self.method.counts} {count(self.frame.epoch)}"

    @property
    def floor(self) -> str:
        """Left open, since it belongs to the stage and a plateau may hold many; what is rounding is 0."""
        return "{floor}" if known_loss(self.data, self.frame.floor) else "0"

    @property
    def loosened(self) -> str:
        return loss_text(self.data, known_loss(self.data, self.loose_floor))

    @property
    def pins(self) -> str:
        pinned = self.pinned
        if len(pinned) > 1:
            return f"{len(pinned)} neurons are pinned"
        where = position(self.data, int(self.frame.pin[pinned[0]]))
        return f"neuron {pinned[0] + 1} is pinned at {where}"

    @property
    def creeps(self) -> bool:
        """Slow, and for no other reason."""
        return self.is_slow and self.is_calm

    @property
    def is_calm(self) -> bool:
        return not (self.is_dead or self.is_fitted or self.hops or self.overshoots)

    @property
    def stage_changes(self) -> int:
        return self.frames[-1].stage - self.frames[0].stage

    @property
    def crossings(self) -> str:
        """What the stage changes are, counted."""
        kinds = {change.kind for frame in self.frames[1:] for change in frame.changes}
        name = "crossing" if kinds == {"crossed"} else "move" if kinds == {"moved"} else "stage change"
        return f"{self.stage_changes:,} {name}{'s' * (self.stage_changes > 1)}"

    @property
    def loss_change(self) -> str:
        return changed(*map(self.data.scale.loss, (self.frames[0].loss, self.frames[-1].loss)))

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
        return f"{roughly(1.0 / self.pace)} epochs"

    @property
    def longest(self) -> str:
        return f"{roughly(1.0 / (2.0 * self.data.s * self.slowest.rate * self.time))} epochs"

    @property
    def slowest_neuron(self) -> int:
        return int(np.argmax(self.slowest.share))

    @property
    def slow_neuron(self) -> str:
        share = self.slowest.share
        first = self.slowest_neuron
        return f"mostly neuron {first + 1}" if share[first] > 0.5 else f"neuron {first + 1} more than others"

    @property
    def gained(self) -> float:
        return 1.0 - self.frames[-1].loss / self.frames[0].loss

    @property
    def stands(self) -> str:
        """Several windows that stand still may add up to much."""
        return "stands still" if self.gained < CHANGE else "falls slowly"

    @property
    def gain(self) -> str:
        return f"{number(100 * self.gained, 2)} %"

    @property
    def span(self) -> str:
        first, last = self.frames[0], self.frames[-1]
        return f"{self.method.counts}s {count(first.epoch)} to {count(last.epoch)}"

    def about(self, rule: str) -> tuple[int | None, int | None]:
        """The neuron and the datum that the sentence of a rule is about, counted from 0."""
        if rule == "slow" and self.has_slowest:
            return self.slowest_neuron, None
        if rule == "hopping":
            neuron = int(np.flatnonzero(is_hopping(self.pattern.pin))[0])
            return neuron, hopped_datum(int(self.pattern.pin[neuron]))
        if rule == "pinned" and len(self.pinned) == 1:
            return self.pinned[0], int(self.frame.pin[self.pinned[0]])
        return None, None
