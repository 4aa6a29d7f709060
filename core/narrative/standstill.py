"""Words for the facts about a plateau (core.analysis.standstill), for the sentences of `standing`."""

import numpy as np

from ..analysis.standstill import Standstill, is_sure_to_end, known_loss
from ..config.run_config import RunConfig
from ..frames.frame import Frame
from .methods import words_of
from .numbers import count, hoppers, loss_text, number


def when_or_if(config: RunConfig, frame: Frame) -> str:
    """How the end of a stage is announced: "when" needs the certificate."""
    return "when" if is_sure_to_end(config, frame) else "only if"


class StandstillWords(Standstill):
    """A plateau at one of its frames, in words."""

    @property
    def epoch(self) -> str:
        return f"{self.method.counts} {count(self.frame.epoch)}"

    @property
    def floor(self) -> str:
        return loss_text(self.data, known_loss(self.data, self.frame.floor))

    @property
    def loss(self) -> str:
        return loss_text(self.data, self.frame.loss)

    @property
    def left(self) -> str:
        part = max(self.above, 0.0) / self.frame.loss
        return "less than 0.001 %" if part < 1e-5 else f"only {number(100 * part, 2)} %"

    @property
    def loosened(self) -> str:
        return loss_text(self.data, known_loss(self.data, self.loose_floor))

    @property
    def certainly(self) -> str:
        return when_or_if(self.config, self.frame)

    @property
    def pinned(self) -> list[int]:
        return [int(neuron) for neuron in np.flatnonzero(self.frame.pin >= 0)]

    @property
    def held(self) -> str:
        pinned = self.pinned
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
    def slowest_neuron(self) -> int:
        return int(np.argmax(self.slowest.share))

    @property
    def slow_neuron(self) -> str:
        share = self.slowest.share
        first = self.slowest_neuron
        return f"mostly neuron {first + 1}" if share[first] > 0.5 else f"neuron {first + 1} more than others"

    @property
    def gain(self) -> str:
        first, last = self.frames[0], self.frames[-1]
        return f"{number(100 * (1.0 - last.loss / first.loss), 2)} %"

    @property
    def span(self) -> str:
        first, last = self.frames[0], self.frames[-1]
        return f"{self.method.counts}s {count(first.epoch)} to {count(last.epoch)}"

    def neuron_in(self, template: str) -> int | None:
        """The neuron that a template of these facts names, counted from 0; None if it names none."""
        if "{slow_neuron}" in template:
            return self.slowest_neuron
        if "{hoppers}" in template:
            return int(np.flatnonzero(self.pattern.pin <= -2)[0])
        return self.pinned[0] if "{held}" in template and len(self.pinned) == 1 else None
