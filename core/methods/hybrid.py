"""What LS/GD and LS/Adam have in common besides their loop (core.descent.hybrids)."""

import numpy as np

from core.descent.hybrids import hybrid_epochs
from core.methods.contract import Advance, Outcome, State, common_state
from core.model.changes import Change, ChangeKind
from core.model.pattern import gaps
from core.problem.data import TrainingData
from core.squares.quadratics import ascending
from core.squares.solve import apart, coefficients
from core.types import FloatArray

KINDS: tuple[ChangeKind, ...] = ("crossed", "pinned", "released")


def hybrid_state(data: TrainingData, b: FloatArray) -> State:
    """The state at epoch 0: after the first least-squares solve. `order` sorts b; the moments are Adam's."""
    start = np.array(b, dtype=np.float64)
    return common_state(start, coefficients(data, start), gaps(data.x, start)) | {
        "solves": np.array(1, dtype=np.int64),
        "order": ascending(start),
        "first": np.zeros(len(start)),
        "second": np.zeros(len(start)),
    }


def hybrid_advance(
    data: TrainingData,
    state: State,
    *,
    adaptive: bool,
    learning_rate: float,
    stop_at_change: bool,
    epochs: int,
) -> Advance:
    """Advance by so many epochs, or to the first change of the pattern."""
    begin = float(state["epoch"])
    b, order, pin, first, second = (np.array(state[key]) for key in ("b", "order", "pin", "first", "second"))
    changes = np.empty((len(b), 3), dtype=np.int64)
    c, done, stages, last, count, rest = hybrid_epochs(
        data.x,
        data.y,
        b,
        order,
        pin,
        first,
        second,
        begin,
        adaptive,
        learning_rate,
        epochs,
        stop_at_change,
        apart(data),
        changes,
    )
    after = state | {
        "epoch": np.array(begin + done),
        "b": b,
        "c": c,
        "gap": np.where(pin >= 0, pin + 1, gaps(data.x, b)),
        "pin": pin,
        "order": order,
        "first": first,
        "second": second,
        "gradients": state["gradients"] + done,
        "solves": state["solves"] + done,
    }
    happened = tuple(Change(begin + last, j, KINDS[kind], k) for j, kind, k in changes[:count].tolist())
    outcome = (
        Outcome("trained", "No bias moves any more: the gradient is zero to the last digit.")
        if rest
        else None
    )
    return Advance(after, stages, happened, outcome)
