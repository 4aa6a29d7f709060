"""The activation pattern: which data each neuron sees, and what stays fixed in a stage.

Neuron j is active at x_k iff x_k > b_j (strictly), so all that matters of b_j
is its gap, the number of data left of it or on it. Gap 0 is left of all data;
gap m is dead. A bias that meets a datum x_k and is driven back from both sides
stays there (a Filippov sliding mode): it is *pinned*, and counts as standing
exactly on x_k, which is gap k + 1, however it hops about. A stage is a maximal
interval of time in which the gaps and the pins are constant.
"""

from dataclasses import dataclass
from typing import Literal, TypeVar

import numpy as np

from ...compiled import compiled, compiled_inline
from ...types import BoolArray, FloatArray, IntArray

Status = Literal["live", "dead", "left", "pinned", "hopping"]


def gaps(x: FloatArray, b: FloatArray) -> IntArray:
    """Number of data left of or on each bias.

    Parameters
    ----------
    x
        Positions of the data, ascending.
    b
        Biases.

    Returns
    -------
    IntArray
        One gap for each neuron: 0 sees all data, m none.

    Examples
    --------
    >>> import numpy as np
    >>> from core.model import gaps
    >>> gaps(np.array([0.0, 1.0, 2.0]), np.array([-1.0, 1.0, 5.0])).tolist()
    [0, 2, 3]
    """
    return np.searchsorted(x, b, side="right").astype(np.int64)


gaps_of = compiled(gaps)
"""`gaps`, for kernels."""


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


Data = TypeVar("Data", int, IntArray)


def hopping_pin(datum: Data) -> Data:
    """What `pin` holds of a neuron that hops over a datum; `hopped_datum` reads it."""
    return -2 - datum


compiled_hopping_pin = compiled_inline(hopping_pin)
"""For kernels."""


def hopped_datum(pin: Data) -> Data:
    """The datum that a neuron hops over, by its pin."""
    return -2 - pin


def is_hopping(pin: IntArray) -> BoolArray:
    """Which neurons hop, by their pins."""
    return pin <= -2


@dataclass(frozen=True, eq=False)
class Pattern:
    """Gap of every neuron, and where it is held.

    One that hops counts as free in the gap in which it is at the moment.
    """

    gap: IntArray
    pin: IntArray
    """The datum that it is pinned to, -1 when free, `hopping_pin(k)` when it hops over datum k."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Pattern):
            return NotImplemented
        return self.gap.tobytes() == other.gap.tobytes() and self.pin.tobytes() == other.pin.tobytes()

    def __hash__(self) -> int:
        return hash((self.gap.tobytes(), self.pin.tobytes()))

    @property
    def width(self) -> int:
        return int(self.gap.size)


def pattern_of(x: FloatArray, b: FloatArray, pin: IntArray | None = None) -> Pattern:
    """The pattern of biases b over data x (section 3); `segments` gives its sets U_l.

    Pinned neurons get their canonical gap.

    Parameters
    ----------
    x
        Where the data are, ascending.
    b
        Where the neurons begin.
    pin
        Datum that each neuron is pinned to, -1 where it is free; left out, all are.

    Returns
    -------
    Pattern
        Gaps and pins.

    Examples
    --------
    >>> import numpy as np
    >>> from core.model import pattern_of
    >>> pattern = pattern_of(np.array([0.0, 1.0, 2.0]), np.array([-1.0, 0.9]), np.array([-1, 1]))
    >>> pattern.gap.tolist(), pattern.pin.tolist()
    ([0, 2], [-1, 1])
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
    about, live is the rest.

    Parameters
    ----------
    x
        The data, of which only the number counts.
    pattern
        The gaps and pins to be named.

    Returns
    -------
    tuple of str
        dead, left, pinned, hopping or live, for each neuron.

    Examples
    --------
    >>> import numpy as np
    >>> from core.model import pattern_of, statuses
    >>> x = np.array([0.0, 1.0, 2.0])
    >>> statuses(x, pattern_of(x, np.array([-1.0, 0.5, 3.0])))
    ('left', 'live', 'dead')
    """

    gap, pin = pattern.gap, pattern.pin
    names: list[Status] = ["dead", "pinned", "hopping", "left"]
    return tuple(np.select([gap == x.size, pin >= 0, is_hopping(pin), gap == 0], names, "live").tolist())
