"""The iteration of active neuron least squares (paper, Algorithm 1).

Each iteration takes the candidate (core.anls.rules) of the largest gain (core.anls.gains),
and only what the move changed is swept again.
"""

import numpy as np
from numba import njit

from core.anls.gains import best_candidate, improves, weigh_all, weigh_candidates, write_candidates
from core.squares.quadratics import (
    Sweep,
    live_knots,
    new_sweep,
    sum_of_squares,
    sweep_left,
    sweep_right,
)
from core.types import FloatArray, IntArray


@njit(cache=True)
def take(x: FloatArray, y: FloatArray, s: Sweep, k: int, side: int, apart: float) -> None:
    """Move the knot k to its candidate and bring the sweeps and all gains up to date.

    Only what changed is redone: the two segments, the sweeps until they repeat
    bit by bit, and the candidates that see a changed quadratic. The outcome is
    the same, bit by bit, as from scratch.
    """
    p = len(s.knot)
    s.knot[k] = s.place[k, side]
    s.start[k] += 2 * side - 1
    if k > 0:
        s.row[k - 1] = s.moved[k, side, 0]
    s.row[k] = s.moved[k, side, 1]
    high = sweep_left(s, max(k, 1))
    low = sweep_right(s, k)
    for j in range(max(k - 1, 0), min(k + 2, p)):
        write_candidates(x, y, s, j, apart)
    for j in range(max(min(low, k - 1), 0), min(max(high, k + 1) + 1, p)):
        weigh_candidates(y, s, j)


@njit(cache=True)
def anls(
    x: FloatArray, y: FloatArray, b: FloatArray, order: IntArray, apart: float, iterations: int
) -> tuple[int, bool, float, IntArray, IntArray, FloatArray]:
    """Up to `iterations` iterations of ANLS; b is overwritten. `order` sorts b and stays valid.

    Returns the iterations done, whether no improving candidate is left, the least
    sum of squares, and per iteration the neuron, the datum crossed, and the sum of
    squares after it. The sum is a function of the biases alone and every accepted
    move lowers it, so the iteration ends.
    """
    neuron = np.empty(iterations, dtype=np.int64)
    datum = np.empty(iterations, dtype=np.int64)
    history = np.empty(iterations)
    scale = 0.0
    for i in range(len(y)):
        scale += y[i] * y[i]
    knot, start = live_knots(x, b, order)
    s = new_sweep(x, y, knot, start, apart)
    weigh_all(x, y, s, apart)
    total = sum_of_squares(y, s)
    done = 0
    settled = False
    while not settled:
        k, side, gain = best_candidate(s)
        if k < 0 or not improves(gain, total, scale):
            settled = True
            break
        if done == iterations:
            break
        old_place, old_total = s.knot[k], total
        crossed = s.start[k] + side - 1
        take(x, y, s, k, side, apart)
        total = sum_of_squares(y, s)
        if not total < old_total:
            s.knot[k] = old_place
            total = old_total
            settled = True
            break
        b[order[k]] = s.knot[k]
        neuron[done], datum[done], history[done] = order[k], crossed, total
        done += 1
    return done, settled, total, neuron[:done], datum[:done], history[:done]
