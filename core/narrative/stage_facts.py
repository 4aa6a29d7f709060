"""The words for the facts about a stage (core.analysis.stage_facts) that the sentences of `story` name."""

from collections.abc import Sequence

import numpy as np

from ..analysis.stage_facts import StageFacts
from ..model.pattern import statuses
from ..model.pattern.changes import RELOCATION_REASONS, Change
from .methods import words_of
from .numbers import count, hoppers, loss_text, number, place_of_bias, position
from .standstill import when_or_if

NAMED = 3
"""How many neurons a sentence names before it counts the rest."""
DIGITS = range(3, 7)
"""A change is told with as many significant digits, of these, as show it."""
SLOW_ENDS = "it will end when enough epochs have passed, or when a change of the pattern opens a faster way"


def listed(parts: Sequence[str], rest: str) -> str:
    """'a, b and c', or 'a, b, c and 5 <rest>'."""
    named = list(parts)
    if len(parts) > NAMED + 1:
        named[NAMED:] = [f"{len(parts) - NAMED} {rest}"]
    return named[0] if len(named) == 1 else ", ".join(named[:-1]) + " and " + named[-1]


class StageWords(StageFacts):
    """One stage, in words."""

    @property
    def patience(self) -> str:
        """How it ends where the floor is well below."""
        return SLOW_ENDS if self.method.decays else self.ends

    @property
    def certainly(self) -> str:
        return when_or_if(self.config, self.last)

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
    def ends(self) -> str:
        return words_of(self.method).plateau_ends

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
    def begun(self) -> str:
        return loss_text(self.data, self.first.loss)

    @property
    def reached(self) -> str:
        return loss_text(self.data, self.last.loss)

    # The moment's own numbers stay open.
    loss = "{loss}"
    excess = "{excess}"

    @property
    def told(self) -> str:
        """What began the stage."""
        if not self.of.changes:
            return "training starts" if self.of.number == 0 else "the pattern changed"
        return listed([self.one_told(change) for change in self.of.changes], "more neurons changed place")

    def one_told(self, change: Change) -> str:
        """What one neuron did."""
        j, k = change.neuron, change.datum
        gap, b = int(self.first.gap[j]), float(self.first.b[j])
        who = f"neuron {j + 1}"
        lost = ", beyond the last data point, and is dead" if gap == self.data.m else ""
        if change.kind == "relocated":
            why = f", {RELOCATION_REASONS[-1 - k]}," if k < 0 else ""
            return f"{who}{why} was taken to b = {place_of_bias(self.data, b)}{lost}"
        if k < 0:
            return f"{who} was moved to b = {place_of_bias(self.data, b)}{lost}"
        where = position(self.data, k)
        if change.kind == "pinned":
            return f"{who} was pinned at {where}"
        if change.kind == "hopping":
            return f"{who} began to hop over {where}"
        if change.kind == "settled":
            return f"{who} no longer hops over {where}"
        right = gap > k
        if change.kind == "released":
            return f"{who} was released from {where} to the {'right' if right else 'left'}{lost}"
        verb = "was moved across" if change.kind == "moved" else "crossed"
        return f"{who} {verb} {where} from the {'left' if right else 'right'}{lost}"

    @property
    def neurons(self) -> str:
        """Who is not simply between two data."""
        status = np.array(statuses(self.data.x, self.pattern))
        parts = []
        pinned = np.flatnonzero(status == "pinned").tolist()
        if pinned:
            held = [f"neuron {j + 1} at {position(self.data, int(self.pattern.pin[j]))}" for j in pinned]
            parts.append(f"Pinned to a data point: {listed(held, 'more')}.")
        if self.hops:
            parts.append(f"There and back, {self.hoppers}.")
        n = status.size
        dead, left = int(np.count_nonzero(status == "dead")), int(np.count_nonzero(status == "left"))
        if dead:
            parts.append(f"Dead, activated by no data point: {dead} of {n} neurons.")
        if left:
            parts.append(f"Left of all data, activated by every one: {left} of {n} neurons.")
        return " ".join(parts) or "No neuron is pinned, dead or left of all data."


def texts(before: float, now: float) -> tuple[str, str]:
    """Both with the fewest digits that tell them apart, if any of DIGITS do."""
    for digits in DIGITS:
        pair = number(before, digits), number(now, digits)
        if pair[0] != pair[1]:
            break
    return pair


def changed(before: float, now: float) -> str:
    """'fell from A to B', 'rose from A to B' or, where no digits that are told differ, 'stays at A'."""
    old, new = texts(before, now)
    if old == new:
        return f"stays at {number(now)}"
    return f"{'fell' if now < before else 'rose'} from {old} to {new}"
