"""What is happening, in sentences: a pure function of a stage and a state in it.

A stage's story is told once and its numbers are filled in moment by moment (by
`fill`, and in the browser by the same rule): the floor belongs to the stage,
the loss to the moment. Neurons and stages are counted from 1 for people.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.model.changes import RELOCATION_REASONS, Change
from core.model.loss import mean_square
from core.model.pattern import Pattern, statuses
from core.model.velocities import pulls
from core.problem.data import TrainingData
from core.run.numbers import ROUNDING, count, fill, number, percentage, position
from core.types import FloatArray

__all__ = ["Story", "count", "explain", "fill", "number", "percentage", "position"]

NAMED = 3
"""How many neurons a sentence names before it counts the rest."""


@dataclass(frozen=True)
class Story:
    """One stage, told: what began it, who can move, how the loss stands, and why it is stuck."""

    headline: str
    state: str
    moment: str
    """A template with {loss} and {excess}."""
    why: str


def _listed(parts: Sequence[str], rest: str) -> str:
    """'a, b and c', or 'a, b, c and 5 <rest>'."""
    named = list(parts)
    if len(parts) > NAMED + 1:
        named[NAMED:] = [f"{len(parts) - NAMED} {rest}"]
    return named[0] if len(named) == 1 else ", ".join(named[:-1]) + " and " + named[-1]


def _told(data: TrainingData, pattern: Pattern, b: FloatArray, change: Change) -> str:
    """What one neuron did."""
    j, k = change.neuron, change.datum
    gap = int(pattern.gap[j])
    who = f"neuron {j + 1}"
    lost = ", beyond the last data point, and is dead" if gap == data.x.size else ""
    if change.kind == "relocated":
        why = f", {RELOCATION_REASONS[-1 - k]}," if k < 0 else ""
        return f"{who}{why} was taken to b = {number(float(b[j]))}{lost}"
    if k < 0:
        return f"{who} was moved to b = {number(float(b[j]))}{lost}"
    where = position(data, k)
    if change.kind == "pinned":
        return f"{who} was pinned at {where}"
    right = gap > k
    if change.kind == "released":
        return f"{who} was released from {where} to the {'right' if right else 'left'}{lost}"
    verb = "was moved across" if change.kind == "moved" else "crossed"
    return f"{who} {verb} {where} from the {'left' if right else 'right'}{lost}"


def _headline(
    data: TrainingData,
    pattern: Pattern,
    b: FloatArray,
    stage: int,
    epoch: float,
    changes: Sequence[Change],
    floors: tuple[float, float | None],
) -> str:
    if not changes:
        what = "training starts" if stage == 0 else "the pattern changed"
    else:
        what = _listed([_told(data, pattern, b, change) for change in changes], "more neurons changed place")
    sentence = f"Stage {stage + 1}, from epoch {count(epoch)}: {what}."
    floor, previous = floors
    if previous is None or stage == 0:
        return sentence
    if abs(floor - previous) <= 1e-9 * max(floor, previous):
        return f"{sentence} The floor stays at {number(floor)}."
    verb = "fell" if floor < previous else "rose"
    return f"{sentence} The floor {verb} from {number(previous)} to {number(floor)}."


def _state(data: TrainingData, pattern: Pattern) -> str:
    status = np.array(statuses(data.x, pattern))
    n = pattern.width
    pinned = np.flatnonzero(status == "pinned").tolist()
    parts = []
    if pinned:
        held = [f"neuron {j + 1} at {position(data, int(pattern.pin[j]))}" for j in pinned]
        parts.append(f"Pinned, pushed back from both sides: {_listed(held, 'more')}.")
    dead, left = int(np.count_nonzero(status == "dead")), int(np.count_nonzero(status == "left"))
    if dead:
        parts.append(f"Dead, activated by no data point: {dead} of {n} neurons.")
    if left:
        parts.append(f"Left of all data, activated by every one: {left} of {n} neurons.")
    if not parts:
        parts.append(f"All {n} neurons are free to move.")
    return " ".join(parts)


def _why(
    data: TrainingData,
    pattern: Pattern,
    b: FloatArray,
    c: FloatArray,
    floor: float,
    learning_rate: float | None,
    adaptive: bool,
) -> str:
    """Name the floor, and what would have to happen for a lower one."""
    if floor == 0:
        return (
            "With this activation pattern the network could fit every data point: the floor is 0, "
            "and nothing keeps the loss above it but the pace of training."
        )
    limit = f"With this activation pattern the loss cannot get below the floor {number(floor)}."
    m = data.x.size
    movable = np.flatnonzero((pattern.pin < 0) & (pattern.gap < m))
    if learning_rate is None:
        return f"{limit} Only a bias moved across a data point can lower it."
    if movable.size == 0:
        if np.any(pattern.gap < m):
            return f"{limit} No bias can move, until the coefficients let a pinned one go."
        return f"{limit} No bias can move: every neuron is dead."
    gap = pattern.gap[movable]
    speed = data.s * c[movable] * pulls(data, b, c)[gap]
    ahead = np.where(speed > 0, gap, gap - 1)
    distance = np.where(ahead >= 0, np.abs(data.x[np.maximum(ahead, 0)] - b[movable]), np.inf)
    with np.errstate(divide="ignore", invalid="ignore"):
        pace = learning_rate * (np.sign(np.abs(speed)) if adaptive else np.abs(speed))
        epochs = np.where(speed == 0, np.inf, distance / pace)
    first = int(np.argmin(epochs))
    if not np.isfinite(epochs[first]):
        return f"{limit} A bias has to cross a data point, and no free bias is moving towards one."
    side = "right" if speed[first] > 0 else "left"
    wait = "less than an epoch" if epochs[first] < 1 else f"about {number(float(epochs[first]), 2)} epochs"
    return (
        f"{limit} A bias has to cross a data point. The next in line, as the stage began, was "
        f"neuron {movable[first] + 1}, "
        f"moving {side} towards {position(data, int(ahead[first]))}, {number(float(distance[first]))} away, "
        f"{wait} at its speed then; it slows down as the loss nears the floor."
    )


def explain(
    data: TrainingData,
    pattern: Pattern,
    b: FloatArray,
    c: FloatArray,
    *,
    stage: int,
    epoch: float,
    changes: Sequence[Change],
    floor: float,
    previous_floor: float | None = None,
    learning_rate: float | None = None,
    adaptive: bool = False,
) -> Story:
    """The story of a stage, from its first state.

    `stage` counts from 0 and began at `epoch` with `changes`. Pass the learning
    rate where biases move by the gradient; leave it out for the methods that
    place them. `adaptive` methods (Adam) move a bias by about the learning rate
    an epoch, however small its gradient.
    """
    resolution = ROUNDING * mean_square(data, data.y)
    floor = floor if floor > resolution else 0.0
    if previous_floor is not None and previous_floor <= resolution:
        previous_floor = 0.0
    return Story(
        headline=_headline(data, pattern, b, stage, epoch, changes, (floor, previous_floor)),
        state=_state(data, pattern),
        moment=(
            f"The loss {{loss}} is {{excess}} above the floor {number(floor)} of this stage; "
            "nothing can lower the floor until a bias crosses a data point."
            if floor > 0
            else "The loss is {loss}; the floor of this stage is 0, so that it can vanish with no crossing."
        ),
        why=_why(data, pattern, b, c, floor, learning_rate, adaptive),
    )
