"""What the methods that step against the gradient have in common besides their loops.

Their states hold, besides the common keys: `order`, the neurons sorted by gap
(within a gap it is the order of summation, which decides the last bits); `reach` and
`recent`, which tell pins from passages (`pinning`); `hops`, who hops (core.model.pattern.hopping),
and `held`, the pins of all, those who hop included; and, for a run whose step is too large,
`start`, (b, c) at epoch 0, and `loss_bound`, the loss that counts as an explosion.
"""

from typing import Any

import numpy as np

from ...compiled import compiled
from ...model.loss import mean_loss, mean_square
from ...model.pattern import gaps
from ...model.pattern.changes import KINDS, Change
from ...model.pattern.gaps import compiled_hopping_pin, gap_near
from ...model.pattern.hopping import DATUM, no_hops
from ...portable.sums import dot
from ...problem.data import TrainingData
from ...types import FloatArray, IntArray
from ..contract import Advance, End, Method, State
from .epochs import Counts

EXPLOSION = 1e8
"""A loss beyond this multiple of the larger of the initial loss and the variance of y is an explosion."""
EXPLODED = End("diverged", "exploded")


def starting_keys(data: TrainingData, b: FloatArray, c: FloatArray) -> State:
    """The keys named above, for a run that starts at (b, c)."""
    mean = float(dot(data.w, data.y)) / data.weight
    largest = max(mean_loss(data, b, c), mean_square(data, data.y - mean), float(np.finfo(float).tiny))
    gap = gaps(data.x, b)
    return {
        "order": np.argsort(gap, kind="stable").astype(np.int64),
        "reach": np.zeros(len(b)),
        "recent": np.full((2, len(b)), -1, dtype=np.int64),
        "hops": no_hops(len(b)),
        "held": np.full(len(b), -1, dtype=np.int64),
        "start": np.array([b, c]),
        "loss_bound": np.array(EXPLOSION * largest),
    }


def has_exploded(data: TrainingData, state: State) -> bool:
    """Whether the loss is beyond the bound, or not a number."""
    bound = float(state["loss_bound"])
    reach = float(dot(np.abs(state["c"]), np.maximum(data.x[-1] - state["b"], 0.0)))
    farthest = reach + max(abs(float(data.y.min())), abs(float(data.y.max())))
    if farthest * farthest <= bound:
        return False  # |f| is below `reach` everywhere, so there is no need for the loss itself
    return not mean_loss(data, state["b"], state["c"]) <= bound


def kept(state: State, keys: tuple[str, ...]) -> list[Any]:
    """Copies of what a loop changes in place. Frames show hops in place of pins: the pins are `held`."""
    return [state["held" if key == "pin" else key].copy() for key in keys]


def shown(data: TrainingData, state: State, moved: State) -> State:
    """What a later state shows of the pins and hops that a loop has kept."""
    held, gap = moved["pin"], state["gap"].copy()
    pin = np.empty_like(held)
    write_shown(data.x, moved["b"], held, moved["hops"], pin, gap)
    return {"held": held, "pin": pin, "gap": gap}


@compiled
def write_shown(
    x: FloatArray, b: FloatArray, held: IntArray, hops: IntArray, pin: IntArray, gap: IntArray
) -> None:
    """Write `shown_pins`, and the gaps of the pattern over those of before: a pinned neuron counts as
    standing on its datum."""
    for j in range(len(b)):
        pin[j] = held[j] if hops[DATUM, j] < 0 else compiled_hopping_pin(hops[DATUM, j])
        if pin[j] >= 0:
            gap[j] = pin[j] + 1
        else:
            gap[j] = gap_near(x, b[j], gap[j]) if b[j] < x[-1] else len(x)


def later_state(state: State, moved: State, counts: Counts, gradients: int | None = None) -> State:
    """The state after a loop that has changed what is in `moved`; it took a gradient an epoch, or so many."""
    return {
        **state,
        **moved,
        "epoch": np.array(float(state["epoch"]) + counts.done),
        "gradients": np.array(state["gradients"] + (counts.done if gradients is None else gradients)),
    }


def counted_advance(
    after: State, counts: Counts, changes: IntArray, met: End | None = None, judged: End | None = None
) -> Advance:
    """What a loop did, as `Method.advance` returns it."""
    when = float(after["epoch"]) - counts.done + counts.last
    return Advance(after, counts.stages, changes_of_rows(when, changes[: counts.changed]), met, judged)


def changes_of_rows(epoch: float, rows: IntArray) -> tuple[Change, ...]:
    """What the loops wrote down about a change of the pattern: neuron, kind, datum."""
    return tuple(Change(epoch, neuron, KINDS[kind], datum) for neuron, kind, datum in rows.tolist())


def died(data: TrainingData, start: FloatArray, gap: IntArray) -> int:
    """How many neurons saw data with the biases of the start, and see none with the gaps of now."""
    return int(np.count_nonzero(gaps(data.x, start) < data.m)) - int(np.count_nonzero(gap < data.m))


def judged_end(method: Method, data: TrainingData, state: State, *, at_rest: bool) -> End | None:
    """Whether a run has ended, and how: one at rest is trained, unless too large a step killed it."""
    if has_exploded(data, state):
        return EXPLODED
    if not at_rest:
        return None
    if (state["gap"] < data.m).any():
        return End("trained", "at_rest")
    b, c = state["start"]
    if died(data, b, state["gap"]) and method.is_step_too_large(data, b, c):
        return End("diverged", "thrown_off")
    return End("trained", "all_dead")
