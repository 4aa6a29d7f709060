"""The iteration of active neuron least squares (section 4.3, subsec:ANLS).

Step 1 finds the best candidate pair, step 2 ends the run if it does not lower the loss.

Each iteration takes the candidate (core.methods.anls.rules) of the largest gain (core.methods.anls.gains),
and only what the move changed is condensed again.
"""

from typing import NamedTuple

import numpy as np

from ...compiled import compiled
from ...least_squares.chain import Chain, chain_of, condense_left, condense_right, least_sum, live_knots
from ...portable.sums import weighted_square
from ...problem.data import Points
from ...types import FloatArray, IntArray
from .gains import (
    Candidates,
    candidates_of,
    choose_candidate,
    weigh_candidates,
    write_candidates,
)


class Course(NamedTuple):
    """What some iterations did."""

    settled: bool
    """Whether no improving candidate is left."""
    total: float
    """The least sum of w r^2 at the end."""
    neuron: IntArray
    """(iterations done,) who moved"""
    datum: IntArray
    """what it crossed"""
    history: FloatArray
    """the least sum of w r^2 after each iteration"""

    @property
    def done(self) -> int:
        """Number of iterations."""
        return len(self.neuron)


@compiled
def take(points: Points, chain: Chain, moves: Candidates, k: int, side: int, offset: float) -> None:
    """Move the knot k to its candidate and bring the quadratics and all gains up to date.

    Only what changed is redone: the two segments, the quadratics until they repeat
    bit by bit, and the candidates that see a changed quadratic. The outcome is
    the same, bit by bit, as from scratch.
    """
    p = len(chain.place)
    chain.place[k] = moves.place[k, side]
    chain.start[k] += 2 * side - 1
    if k > 0:
        chain.row[k - 1] = moves.row[k, side, 0]
    chain.row[k] = moves.row[k, side, 1]
    high = condense_left(chain, max(k, 1))
    low = condense_right(chain, k)
    for j in range(max(k - 1, 0), min(k + 2, p)):
        write_candidates(points, chain, moves, j, offset)
    for j in range(max(min(low, k - 1), 0), min(max(high, k + 1) + 1, p)):
        weigh_candidates(points, chain, moves, j)


@compiled
def run_anls(
    points: Points, b: FloatArray, order: IntArray, offset: float, moved: IntArray, history: FloatArray
) -> tuple[bool, float, int]:
    """`settled` and `total` of `anls`, and the iterations done. The arrays receive who moved, what it
    crossed, and the least sum of w r^2 after that."""
    iterations = len(history)
    scale = weighted_square(points.w, points.y)
    chain = chain_of(points, live_knots(points.x, b, order))
    moves = candidates_of(points, chain, offset)
    total = least_sum(points, chain)
    done = 0
    settled = False
    while not settled:
        k, side, _ = choose_candidate(points, chain, moves, total, scale)
        if k < 0:
            settled = True
            break
        if done == iterations:
            break
        old = total
        crossed = chain.start[k] + side - 1
        take(points, chain, moves, k, side, offset)
        total = least_sum(points, chain)
        if not total < old:
            total = old
            settled = True
            break
        b[order[k]] = chain.place[k]
        moved[0, done], moved[1, done], history[done] = order[k], crossed, total
        done += 1
    return settled, total, done


def anls(points: Points, b: FloatArray, order: IntArray, offset: float, iterations: int) -> Course:
    """Up to `iterations` iterations of ANLS (section 4.3); b is overwritten. `order` sorts b and stays valid.

    The least sum of squares is a function of the biases alone and every accepted
    move lowers it, so the iteration ends.
    """
    moved, history = np.empty((2, iterations), dtype=np.int64), np.empty(iterations)
    settled, total, done = run_anls(points, b, order, offset, moved, history)
    return Course(settled, total, moved[0, :done], moved[1, :done], history[:done])
