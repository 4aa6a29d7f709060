"""What can happen to a neuron at a stage change.

Changes are detected in core.methods.stepping.pinning (steps of gradient methods), core.methods.flow.watches
(the flow; `events` beside it judges them) and core.methods.hybrid.iterations (hybrids). Those of discrete
steps pass through core.model.pattern.hopping, which makes one change of many hops.
"""

from dataclasses import dataclass
from typing import Literal, get_args

from ...compiled import compiled
from ...types import IntArray

ChangeKind = Literal["crossed", "pinned", "released", "moved", "relocated", "hopping", "settled"]
KINDS: tuple[ChangeKind, ...] = get_args(ChangeKind)
"""By the numbers that loops, checkpoints and files write for them."""
CROSSED, PINNED, RELEASED, MOVED, RELOCATED, HOPPING, SETTLED = range(len(KINDS))
"""These numbers, for the loops."""

RELOCATION_REASONS = ("dead", "redundant", "of little use")
"""Why a neuron was relocated, in words."""


@dataclass(frozen=True)
class Change:
    """One neuron's part in a stage change: what it did, and at which datum.

    A neuron that is "hopping" from here on is thrown over the datum, there and back, until it has "settled"
    (core.model.pattern.hopping) or is pinned.

    For "moved" (the least-squares methods that place neurons) the datum is the
    one crossed, or -1 where no single one is meant. For "relocated" it tells why
    the neuron was free to go: -1, -2, ... for the first, second, ... of
    RELOCATION_REASONS.
    """

    epoch: float
    neuron: int
    kind: ChangeKind
    datum: int


@compiled
def crossed_datum(old: int, new: int) -> int:
    """The datum that a bias met last on its way from one gap to another."""
    return new - 1 if new > old else new


@compiled
def write_change(changes: IntArray, row: int, neuron: int, kind: int, datum: int) -> int:
    """Write a change into a row of an array of a loop; the next row."""
    changes[row, 0], changes[row, 1], changes[row, 2] = neuron, kind, datum
    return row + 1
