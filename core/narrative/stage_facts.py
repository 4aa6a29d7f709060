"""The words for the facts about a stage (core.analysis.stage_facts) that the sentences of `story` name."""

from collections.abc import Sequence

import numpy as np

from ..analysis.stage_facts import StageFacts
from ..model.pattern import statuses
from ..model.pattern.changes import Change
from .candidates import RELOCATION_WORDS
from .numbers import changed, count, hoppers, loss_text, place_of_bias, position
from .standstill_words import certain_end

PINS_NAMED = 3
"""How many pinned neurons a sentence names before it counts the rest."""


def listed(parts: Sequence[str], rest: str) -> str:
    """'a, b and c', or 'a, b, c and 5 <rest>'."""
    named = list(parts)
    if len(parts) > PINS_NAMED:
        named[PINS_NAMED:] = [f"{len(parts) - PINS_NAMED} {rest}"]
    return named[0] if len(named) == 1 else ", ".join(named[:-1]) + " and " + named[-1]


class StageWords(StageFacts):
    """One stage, in words."""

    @property
    def certainly(self) -> str:
        return certain_end(self.config, self.last)

    @property
    def number(self) -> str:
        return str(self.of.number + 1)

    @property
    def when(self) -> str:
        return f"{self.method.counts} {count(self.of.start)}"

    @property
    def title(self) -> str:
        return self.method.title

    @property
    def floor(self) -> str:
        return loss_text(self.data, self.floor_value)

    @property
    def hoppers(self) -> str:
        return hoppers(self.data, self.pattern.pin)

    @property
    def floor_change(self) -> str:
        return changed(*map(self.data.scale.loss, self.floors))

    @property
    def loss_change(self) -> str:
        return changed(*map(self.data.scale.loss, self.losses))

    @property
    def way(self) -> str:
        """What can lower a floor."""
        is_pinned = bool((self.last.pin >= 0).any())
        return "a crossing, or a pinned neuron that comes free," if is_pinned else "a crossing"

    @property
    def begun(self) -> str:
        return loss_text(self.data, self.first.loss)

    @property
    def reached(self) -> str:
        return loss_text(self.data, self.last.loss)

    # The moment's own numbers stay open.
    loss = "{loss}"
    excess = "{excess}"

    @property
    def beginning(self) -> str:
        """What begins the stage: the first change, and how many more."""
        changes = self.of.changes
        if not changes:
            return "training starts" if self.of.number == 0 else "the pattern changes"
        first, others = self.sentence_of(changes[0]), len(changes) - 1
        if not others:
            return first
        return f"{first}; {others} more {'changes' if others == 1 else 'change'} place"

    def sentence_of(self, change: Change) -> str:
        """What one neuron does."""
        j, k = change.neuron, change.datum
        gap, b = int(self.first.gap[j]), float(self.first.b[j])
        who = f"neuron {j + 1}"
        lost = " and is dead" if gap == self.data.m else ""
        if change.kind == "relocated":
            why = f", {RELOCATION_WORDS[change.reason]}," if change.reason else ""
            return f"{who}{why} is taken to b = {place_of_bias(self.data, b)}{lost}"
        if k < 0:
            return f"{who} is moved to b = {place_of_bias(self.data, b)}{lost}"
        where = position(self.data, k)
        if change.kind == "pinned":
            return f"{who} is pinned at {where}"
        if change.kind == "hopping":
            return f"{who} begins to hop over {where}"
        if change.kind == "settled":
            return f"{who} no longer hops over {where}"
        if lost:
            verb = {"released": "leaves", "moved": "is moved across"}.get(change.kind, "crosses")
            return f"{who} {verb} {where}, the last data point,{lost}"
        right = gap > k
        if change.kind == "released":
            return f"{who} comes free from {where} to the {'right' if right else 'left'}"
        verb = "is moved across" if change.kind == "moved" else "crosses"
        return f"{who} {verb} {where} from the {'left' if right else 'right'}"

    @property
    def neurons(self) -> str:
        """Who is not simply between two data."""
        status = np.array(statuses(self.data.x, self.pattern))
        parts = []
        pinned = np.flatnonzero(status == "pinned").tolist()
        if pinned:
            held = [f"neuron {j + 1} at {position(self.data, int(self.pattern.pin[j]))}" for j in pinned]
            parts.append(f"Pinned: {listed(held, 'more')}.")
        n = status.size
        dead, left = int(np.count_nonzero(status == "dead")), int(np.count_nonzero(status == "left"))
        if dead:
            parts.append(f"Dead, activated by no data point: {dead} of {n} neurons.")
        if left:
            parts.append(f"Left of all data, activated by every one: {left} of {n} neurons.")
        return " ".join(parts) or "No neuron is pinned, dead or left of all data."
