"""What the methods that step against the gradient have in common besides their loops.

Their states hold, besides the common keys: `order`, the neurons sorted by gap
(within a gap it is the order of summation, which decides the last bits); `reach` and
`recent`, which tell pins from passages (core.descent.pinning); and, for a run that explodes,
`start` and `loss_bound`: the biases it began with, and the loss that counts as an
explosion. Near the start the loss is quadratic in the coefficients with Hessian
s A^T A, A_kj = (x_k - b_j)_+, and descent in a quadratic is stable iff the step is
below 2 / lambda_max: that number beside the one used says what went wrong. The
biases add curvature of their own, so it is an estimate from above.
"""

import numpy as np

from core import theory
from core.descent.pinning import KINDS
from core.methods.contract import Outcome, State
from core.model.changes import Change
from core.model.loss import mean_loss
from core.model.pattern import gaps
from core.problem.data import TrainingData
from core.types import FloatArray, IntArray

GROWTH = 1e8
"""A loss beyond this multiple of the larger of the initial loss and the variance of y is an explosion."""


def starting_keys(data: TrainingData, b: FloatArray, c: FloatArray) -> State:
    """The keys named above, for a run that starts at (b, c)."""
    bound = GROWTH * max(mean_loss(data, b, c), float(np.var(data.y)), float(np.finfo(float).tiny))
    return {
        "order": np.argsort(gaps(data.x, b), kind="stable").astype(np.int64),
        "reach": np.zeros(len(b)),
        "recent": np.full((2, len(b)), -1, dtype=np.int64),
        "start": np.array(b, dtype=np.float64),
        "loss_bound": np.array(bound),
    }


def canonical_gaps(data: TrainingData, b: FloatArray, pin: IntArray) -> IntArray:
    """Gaps of the pattern: a pinned neuron counts as standing on its datum."""
    return np.where(pin >= 0, pin + 1, gaps(data.x, b))


def has_exploded(data: TrainingData, state: State) -> bool:
    """Whether the loss is beyond the bound, or not a number."""
    bound = float(state["loss_bound"])
    reach = np.abs(state["c"]) @ np.maximum(data.x[-1] - state["b"], 0.0)
    if (reach + max(abs(float(data.y.min())), abs(float(data.y.max())))) ** 2 <= bound:
        return False  # |f| is below `reach` everywhere, so there is no need for the loss itself
    return not mean_loss(data, state["b"], state["c"]) <= bound


def later_state(data: TrainingData, state: State, moved: State, epochs: int) -> State:
    """A state so many epochs on, when the loops have changed what is in `moved`."""
    return (
        state
        | moved
        | {
            "epoch": np.array(float(state["epoch"]) + epochs),
            "gap": canonical_gaps(data, moved["b"], moved["pin"]),
            "gradients": np.array(state["gradients"] + epochs),
        }
    )


def told_changes(epoch: float, rows: IntArray) -> tuple[Change, ...]:
    """What the loops wrote down about a change of the pattern: neuron, kind, datum."""
    return tuple(Change(epoch, neuron, KINDS[kind], datum) for neuron, kind, datum in rows.tolist())


def outcome_of(
    data: TrainingData, state: State, learning_rate: float, trained: str, *, finite: bool, at_rest: bool
) -> Outcome | None:
    """Whether a run has ended, and how.

    To be asked at scheduled epochs, so that it does not matter how the way there was cut; or when the sums
    are no longer finite. A run at rest is trained, unless too large a step killed it.
    """
    if not finite or has_exploded(data, state):
        return Outcome("diverged", f"The loss exploded: {too_large(data, state, learning_rate)}")
    if not at_rest:
        return None
    if not (state["gap"] >= data.m).all():
        return Outcome("trained", trained)
    start = state["start"]
    if (start >= data.x[-1]).all() or learning_rate <= theory.largest_stable_step(data, start):
        dead = "Every neuron is dead: no bias is left of a datum, so nothing can change any more."
        return Outcome("trained", dead)
    return Outcome(
        "diverged", f"Every neuron was thrown off the data: {too_large(data, state, learning_rate)}"
    )


def too_large(data: TrainingData, state: State, learning_rate: float) -> str:
    """What to say about the step of a run that exploded."""
    stable = theory.largest_stable_step(data, state["start"])
    return (
        f"the learning rate {learning_rate:g} is too large. "
        f"At the start the largest stable step is about {stable:.2g}."
    )
