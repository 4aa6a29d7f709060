"""What can happen to a neuron at a stage change.

Changes are detected in core.methods.stepping.pinning (steps of gradient methods), core.methods.flow.watches
(the flow; `events` beside it judges them) and core.methods.hybrid.iterations (hybrids). Those of discrete
steps pass through core.model.pattern.hopping, which makes one change of many hops.
"""

from dataclasses import dataclass
from typing import Literal, get_args

from ...compiled import compiled
from ...types import FloatArray, IntArray
from .gaps import gap_near

ChangeKind = Literal["crossed", "pinned", "released", "moved", "relocated", "hopping", "settled"]
KINDS: tuple[ChangeKind, ...] = get_args(ChangeKind)
"""By the numbers that loops, checkpoints and files write for them."""
CROSSED, PINNED, RELEASED, MOVED, RELOCATED, HOPPING, SETTLED = range(len(KINDS))
"""These numbers, for the loops."""

RelocationReason = Literal["dead", "redundant", "cheap"]
RELOCATION_REASONS: tuple[RelocationReason, ...] = get_args(RelocationReason)
"""Why a neuron was free to go: it saw no datum, costs nothing to remove, or less than it gains elsewhere."""


@dataclass(frozen=True)
class Change:
    """One neuron's part in a stage change: what it did, and at which datum.

    A neuron that is "hopping" from here on is thrown over the datum, there and back, until it has "settled"
    (core.model.pattern.hopping) or is pinned.

    For "moved" (the least-squares methods that place neurons) the datum is the
    one crossed, or -1 where no single one is meant. For "relocated" it tells the reason:
    -1, -2, ... for the first, second, ... of RELOCATION_REASONS.
    """

    epoch: float
    neuron: int
    kind: ChangeKind
    datum: int

    @property
    def reason(self) -> RelocationReason | None:
        """Why a neuron was relocated."""
        has_reason = self.kind == "relocated" and self.datum < 0
        return RELOCATION_REASONS[-1 - self.datum] if has_reason else None


@compiled
def crossed_datum(old: int, new: int) -> int:
    """The datum that a bias met last on its way from one gap to another."""
    return new - 1 if new > old else new


@compiled
def write_change(changes: IntArray, row: int, neuron: int, kind: int, datum: int) -> int:
    """Write a change into a row of an array of a loop; the next row."""
    changes[row, 0], changes[row, 1], changes[row, 2] = neuron, kind, datum
    return row + 1


@compiled
def write_crossings(x: FloatArray, b: FloatArray, gap: IntArray, changes: IntArray) -> int:
    """Bring the gaps up to date, and write a crossing for each that is another; how many."""
    count = 0
    for j in range(len(gap)):
        now = gap_near(x, b[j], gap[j])
        if now != gap[j]:
            count = write_change(changes, count, j, CROSSED, crossed_datum(gap[j], now))
            gap[j] = now
    return count
