"""Gradient descent (section 2), epoch by epoch: b += eta s c G, c -= eta s (H - b G) (see stepping.slots).

The updates themselves are in `descend_few` and `descend_many` (core.methods.stepping.gradient), which do the
same in the forms that are fastest for few and for many neurons. There eta s is `rate`, and x and b count from
the middle of the data (`shift`). G is `seen`, and H is R1 + X1 in `descend_many`, h + X1 in `descend_few`.
"""

from typing import NamedTuple

from ...compiled import compiled
from ...portable.powers import portable_pow
from ...types import FloatArray, IntArray
from ..stepping.epochs import Descended, run_epochs
from ..stepping.gradient import FEW, descend_few, descend_many
from ..stepping.slots import Network, Slots, Sums


class DescentRule(NamedTuple):
    """Hyper-parameters of the steps: epoch k takes eta_k = learning_rate (1 + k)^-decay."""

    learning_rate: float
    decay: float


@compiled
def descend_until(
    rule: DescentRule, live: int, sums: Sums, slots: Slots, pinned: int, before: int, epochs: int
) -> tuple[int, bool, bool]:
    """Descend until a bias leaves its home: epochs done, whether one left, finite."""
    rate = rule.learning_rate * sums.scale
    if rule.decay > 0.0:
        epochs = 1
        rate = rule.learning_rate * sums.scale * portable_pow(1.0 + before, -rule.decay)
    if live <= FEW:
        return descend_few(live, sums, slots, pinned, rate, epochs)
    return descend_many(live, sums, slots, pinned, rate, epochs)


@compiled
def gd_epochs(
    sums: Sums,
    network: Network,
    memory: FloatArray,
    rule: DescentRule,
    before: int,
    epochs: int,
    stop_at_change: bool,
    changes: IntArray,
) -> Descended:
    """Epochs of gradient descent (section 2); `memory` has no rows. See `run_epochs`."""
    return run_epochs(descend_until, rule, sums, network, memory, before, epochs, stop_at_change, changes)
