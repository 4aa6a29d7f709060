"""The candidates of active neuron least squares (ANLS): where each neuron may go (section 4.2).

The paper's six rules, and where each is kept. A candidate moves the k-th neuron from the left, whose data are
those of (b_k, b_{k+1}].

    1  only one neuron changes                       a candidate is one knot and one place
    2  the order of the biases stays                 `place_left`, `place_right`: never past a neighbour
    3  U_k gains or loses exactly one datum          both cross exactly one datum x_i
    4  dead neurons do not move                      a chain has live knots only
    5  the last live neuron may not die              `place_right`, where its segment has one datum
    6  the new place is one of three points          `place_left`, `place_right`:
       (i)    the middle of two data
       (ii)   the middle of a datum and a bias
       (iii)  the smallest datum less 1e-8

So a live neuron has at most one candidate per side.

- Left, if the segment before is not empty: cross its largest datum x_i. If b_{k-1} already lies in the gap
  that is entered: (ii) with b_{k-1}. Else if x_i is the smallest datum: (iii). Else (i), of x_{i-1} and x_i.
- Right, if the own segment is not empty: cross its smallest datum x_i. If it has two or more data: (i), of
  x_i and x_{i+1}. If it has one: (ii) with b_{k+1}, unless rule 5 forbids it.

Rule 6(ii) of the paper says "the middle point of a data point and b_k", which must mean the neighbouring
bias: the midpoint with the neuron's own bias cannot cross the datum. Of several neurons left of all data
only the rightmost can move, which follows from rule 3.

A left candidate is dropped where rounding makes its midpoint one of the two ends, a right one where it
becomes the right end. At its left end x_i a right one is kept: a bias on a datum does not see it. Either is
dropped where it would coincide with its neighbour (core.least_squares.rows.COINCIDENT).
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
    """Where the left candidate puts the knot k (rules 2, 3 and 6 of section 4.2); nan where there is none."""
    i = chain.start[k] - 1
    previous = chain.start[k - 1] if k > 0 else 0
    if i < previous:
        return np.nan  # rule 3: no datum to cross
    low = -np.inf
    if k > 0 and i == previous:
        low = chain.place[k - 1]  # rule 6(ii)
        if not are_apart(x, low, low + 0.5 * (x[i] - low)):
            return np.nan
    elif i > 0:
        low = x[i - 1]  # rule 6(i)
    if low == -np.inf:  # rule 6(iii)
        q = min(x[i] - offset, np.nextafter(x[i], -np.inf))
    else:
        q = low + 0.5 * (x[i] - low)
    if low < q < x[i]:
        return q
    return np.nan


@compiled_inline
def place_right(x: FloatArray, chain: Chain, k: int) -> float:
    """Where the right candidate puts the knot k (rules 2, 3, 5, 6 of section 4.2); nan if there is none."""
    i = chain.start[k]
    u = chain.start[k + 1] - i
    last = k == len(chain.place) - 1
    if u == 0 or (u == 1 and last):
        return np.nan  # rules 3 and 5
    if u > 1:
        high = x[i + 1]  # rule 6(i)
    else:
        high = chain.place[k + 1]  # rule 6(ii)
        if not are_apart(x, x[i] + 0.5 * (high - x[i]), high):
            return np.nan
    q = x[i] + 0.5 * (high - x[i])
    if x[i] <= q < high:
        return q
    return np.nan
