"""What the methods that step against the gradient have in common besides their loops.

Their states hold, besides the common keys: `order`, the neurons sorted by gap
(within a gap it is the order of summation, which decides the last bits); `reach` and
`recent`, which tell pins from passages (`pinning`); `hops`, who hops (core.model.pattern.hopping),
and `held`, the pins of all, those who hop included; and, for a run whose step is too large, `live`,
the number of neurons that saw data at the start, and `loss_bound`,
the loss that counts as an explosion.
"""

from typing import Any

import numpy as np

from ...model.loss import mean_loss, mean_square
from ...model.pattern import gaps
from ...model.pattern.changes import KINDS, Change
from ...model.pattern.hopping import no_hops, shown_pins
from ...portable.sums import dot
from ...problem.data import TrainingData
from ...types import FloatArray, IntArray
from ..contract import Outcome, State
from .slots import Network

GROWTH = 1e8
"""A loss beyond this multiple of the larger of the initial loss and the variance of y is an explosion."""
UNSTABLE = "A smaller learning rate keeps it stable."


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
        "live": np.array(np.count_nonzero(gap < data.m), dtype=np.int64),
        "loss_bound": np.array(GROWTH * largest),
    }


def canonical_gaps(data: TrainingData, b: FloatArray, pin: IntArray) -> IntArray:
    """Gaps of the pattern: a pinned neuron counts as standing on its datum."""
    return np.where(pin >= 0, pin + 1, gaps(data.x, b))


def has_exploded(data: TrainingData, state: State) -> bool:
    """Whether the loss is beyond the bound, or not a number."""
    bound = float(state["loss_bound"])
    reach = float(dot(np.abs(state["c"]), np.maximum(data.x[-1] - state["b"], 0.0)))
    farthest = reach + max(abs(float(data.y.min())), abs(float(data.y.max())))
    if farthest * farthest <= bound:
        return False  # |f| is below `reach` everywhere, so there is no need for the loss itself
    return not mean_loss(data, state["b"], state["c"]) <= bound


def network_of(state: State) -> Network:
    """What the loops change in place: copies of a state's arrays."""
    return Network(*(np.array(value) for value in kept(state, Network._fields)))


def hops_of(state: State) -> IntArray:
    """Who hops; a state that was stored before there were hops has none."""
    return np.array(state["hops"]) if "hops" in state else no_hops(len(state["b"]))


def kept(state: State, keys: tuple[str, ...]) -> list[Any]:
    """Entries as the loops keep them: frames show hops in place of pins, so that these have a key apart."""
    books = state | {"pin": state.get("held", state["pin"]), "hops": hops_of(state)}
    return [books[key] for key in keys]


def shown(data: TrainingData, moved: State) -> State:
    """What a state shows of the pins and hops that a loop has kept."""
    pin = shown_pins(moved["pin"], moved["hops"])
    return {"held": moved["pin"], "pin": pin, "gap": canonical_gaps(data, moved["b"], pin)}


def later_state(data: TrainingData, state: State, moved: State, epochs: int) -> State:
    """A state so many epochs on, when the loops have changed what is in `moved`."""
    return (
        state
        | moved
        | shown(data, moved)
        | {
            "epoch": np.array(float(state["epoch"]) + epochs),
            "gradients": np.array(state["gradients"] + epochs),
        }
    )


def told_changes(epoch: float, rows: IntArray) -> tuple[Change, ...]:
    """What the loops wrote down about a change of the pattern: neuron, kind, datum."""
    return tuple(Change(epoch, neuron, KINDS[kind], datum) for neuron, kind, datum in rows.tolist())


def lost(data: TrainingData, state: State) -> int:
    """How many neurons saw data at the start and see none any more."""
    return int(state["live"]) - int(np.count_nonzero(state["gap"] < data.m))


def explosion(caution: str) -> Outcome:
    """The end of a run whose numbers have left all bounds."""
    return Outcome("diverged", f"The loss exploded. {caution or UNSTABLE}")


def judged_end(
    data: TrainingData, state: State, caution: str, trained: str, *, at_rest: bool
) -> Outcome | None:
    """Whether a run has ended, and how; `caution` says that its step was too large at the start, if it was.

    A run at rest is trained, unless too large a step killed it.
    """
    if has_exploded(data, state):
        return explosion(caution)
    if not at_rest:
        return None
    gone = lost(data, state)
    if (state["gap"] >= data.m).all():
        if gone and caution:
            return Outcome("diverged", f"Every neuron was thrown off the data. {caution}")
        dead = "Every neuron is dead: no bias is left of a datum, so nothing can change any more."
        return Outcome("trained", dead)
    return Outcome("trained", f"{trained} {told_losses(gone, caution)}".strip())


def told_losses(gone: int, caution: str) -> str:
    """What to say at the end of a run whose step was too large at the start; nothing where none was lost."""
    if not (gone and caution):
        return ""
    what = "1 neuron was thrown off the data on the way and is dead."
    if gone > 1:
        what = f"{gone} neurons were thrown off the data on the way and are dead."
    return f"{what} {caution}"


def adam_caution(data: TrainingData, learning_rate: float) -> str:
    """Adam steps by about the learning rate, however small the gradient: a gap of the data is too large."""
    apart = float(data.x[-1] - data.x[0]) / (data.m - 1)
    if learning_rate <= apart:
        return ""
    return (
        f"The learning rate {learning_rate:g} is large for Adam: it moves a bias by up to about that much an "
        f"epoch, and neighbouring data are {apart:.2g} apart, so that biases jump over them."
    )
