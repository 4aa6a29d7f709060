"""The candidates of active neuron least squares (ANLS): where each neuron may go.

The rules of the paper's section 4.2, as they must be read. The data of the k-th
segment lie in (b_k, b_{k+1}]. A live neuron has at most one candidate per side,
in which it crosses exactly one datum and passes no other neuron.

- Left, if the segment before is not empty: cross its largest datum x_i. If
  b_{k-1} already lies in the gap that is entered: to the midpoint of b_{k-1} and
  x_i. Else if x_i is the smallest datum: to x_i less a small offset, 1e-8 in the paper. Else to
  the midpoint of x_{i-1} and x_i.
- Right, if the own segment is not empty: cross its smallest datum x_i. If it
  has two or more data: to the midpoint of x_i and x_{i+1}. If it has one: to the
  midpoint of x_i and b_{k+1}, but the last live neuron may not (it would die).

Rule 6(ii) of the paper says "the middle point of a data point and b_k", which
must mean the neighbouring bias: the midpoint with the neuron's own bias cannot
cross the datum. Dead neurons never move, and of several neurons left of all data
only the rightmost can: both follow from the rules above.

A candidate is dropped where rounding makes its midpoint one of the two ends, or
where it would coincide with its neighbour (core.least_squares.rows.COINCIDENT).
"""

import numpy as np

from ...compiled import compiled_inline
from ...least_squares.chain import Chain
from ...least_squares.rows import are_apart
from ...types import FloatArray

TO_LEFT, TO_RIGHT = 0, 1
"""The two sides of a neuron."""


@compiled_inline
def place_left(x: FloatArray, chain: Chain, k: int, offset: float) -> float:
    """Where the left candidate puts the knot k; nan where there is none."""
    i = chain.start[k] - 1
    previous = chain.start[k - 1] if k > 0 else 0
    if i < previous:
        return np.nan
    low = -np.inf
    if k > 0 and i == previous:
        low = chain.place[k - 1]
        if not are_apart(x, low, low + 0.5 * (x[i] - low)):
            return np.nan
    elif i > 0:
        low = x[i - 1]
    if low == -np.inf:
        q = min(x[i] - offset, np.nextafter(x[i], -np.inf))
    else:
        q = low + 0.5 * (x[i] - low)
    if low < q < x[i]:
        return q
    return np.nan


@compiled_inline
def place_right(x: FloatArray, chain: Chain, k: int) -> float:
    """Where the right candidate puts the knot k; nan where there is none."""
    i = chain.start[k]
    u = chain.start[k + 1] - i
    last = k == len(chain.place) - 1
    if u == 0 or (u == 1 and last):
        return np.nan
    if u > 1:
        high = x[i + 1]
    else:
        high = chain.place[k + 1]
        if not are_apart(x, x[i] + 0.5 * (high - x[i]), high):
            return np.nan
    q = x[i] + 0.5 * (high - x[i])
    if x[i] <= q < high:
        return q
    return np.nan
