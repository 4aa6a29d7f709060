"""The activation pattern: which data each neuron sees, and what stays fixed in a stage.

Neuron j is active at x_k iff x_k > b_j (strictly), so all that matters of b_j
is its gap, the number of data left of it or on it. Gap 0 is left of all data;
gap m is dead. A bias that meets a datum x_k and is driven back from both sides
stays there (a Filippov sliding mode): it is *pinned*, and counts as standing
exactly on x_k, which is gap k + 1, however it hops about. A stage is a maximal
interval of time in which the gaps and the pins are constant.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ...compiled import compiled
from ...types import FloatArray, IntArray

Status = Literal["live", "dead", "left", "pinned", "hopping"]


def gaps(x: FloatArray, b: FloatArray) -> IntArray:
    """Number of data left of or on each bias."""
    return np.searchsorted(x, b, side="right").astype(np.int64)


@compiled
def gap_near(x: FloatArray, value: float, guess: int) -> int:
    """The same of one bias, looked for at the guess and beside it first: most biases hardly move."""
    m = x.shape[0]
    if (guess == 0 or value >= x[guess - 1]) and (guess == m or value < x[guess]):
        return guess
    if guess < m and value >= x[guess] and (guess + 1 == m or value < x[guess + 1]):
        return guess + 1
    low, high = 0, m
    while low < high:
        middle = (low + high) // 2
        if x[middle] <= value:
            low = middle + 1
        else:
            high = middle
    return low


@dataclass(frozen=True, eq=False)
class Pattern:
    """Gap of every neuron, and the datum it is pinned to (-1 when free, -2 - k when it hops over datum k).

    One that hops counts as free in the gap in which it is at the moment.
    """

    gap: IntArray
    pin: IntArray

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Pattern):
            return NotImplemented
        return np.array_equal(self.gap, other.gap) and np.array_equal(self.pin, other.pin)

    def __hash__(self) -> int:
        return hash((self.gap.tobytes(), self.pin.tobytes()))

    @property
    def width(self) -> int:
        return int(self.gap.size)


def pattern_of(x: FloatArray, b: FloatArray, pin: IntArray | None = None) -> Pattern:
    """The pattern of biases b over data x, which gives the sets U_l (section 3, def:U-set).

    Pinned neurons get their canonical gap.
    """
    gap = gaps(x, b)
    if pin is None:
        return Pattern(gap, np.full(gap.size, -1, dtype=np.int64))
    if pin.shape != gap.shape:
        raise ValueError(f"pin has shape {pin.shape}, but there are {gap.size} neurons")
    if np.any((pin < -1 - x.size) | (pin >= x.size)):
        raise ValueError(
            f"pin {pin.tolist()} must hold data indices from 0 to {x.size - 1}, -1 when free, or -2 - k"
        )
    return Pattern(np.where(pin >= 0, pin + 1, gap), pin.astype(np.int64))


def statuses(x: FloatArray, pattern: Pattern) -> tuple[Status, ...]:
    """What each neuron can do: dead sees no datum, left sees all, pinned cannot move, hopping is thrown
    about, live is the rest."""

    def status(gap: int, pin: int) -> Status:
        if gap == x.size:
            return "dead"
        if pin >= 0:
            return "pinned"
        if pin <= -2:
            return "hopping"
        return "left" if gap == 0 else "live"

    return tuple(status(g, p) for g, p in zip(pattern.gap.tolist(), pattern.pin.tolist(), strict=True))
