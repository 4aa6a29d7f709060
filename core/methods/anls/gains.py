"""What each candidate move would gain, in O(1), from the quadratics of both sides (least_squares.chain)."""

from typing import NamedTuple

import numpy as np

from ...compiled import compiled, compiled_inline
from ...least_squares.chain import (
    RESIDUAL,
    Chain,
    Knots,
    R,
    Z,
    from_right,
    meet,
    meet_at,
    step_right,
    unseen,
)
from ...least_squares.min_norm import evaluated_sum
from ...least_squares.rows import ROW_LENGTH, RSS, write_segment
from ...model.exact_fit import fits_exactly
from ...problem.data import Points
from ...types import FloatArray
from .rounding import is_strained, is_strained_at, largest_strain
from .rules import TO_LEFT, TO_RIGHT, place_left, place_right

LEAST_GAIN = 1e-12
"""A gain is an improvement only beyond this part of the loss: less is rounding."""


class Candidates(NamedTuple):
    """The candidates of every knot of a chain, first the left then the right one."""

    place: FloatArray
    """(p, 2) where each would put the knot; nan where there is none."""
    row: FloatArray
    """(p, 2, 2, ROW_LENGTH) rows of the segments before and behind each."""
    gain: FloatArray
    """(p, 2) decrease of the sum of squares by each; -inf where there is none."""


@compiled_inline
def write_candidates(points: Points, chain: Chain, moves: Candidates, k: int, offset: float) -> None:
    """Positions of both candidates of the knot k, and the rows of the segments beside them."""
    x = points.x
    p = len(chain.place)
    previous = chain.start[k - 1] if k > 0 else 0
    before = chain.place[k - 1] if k > 0 else -np.inf
    after = chain.place[k + 1] if k + 1 < p else np.inf
    for side in range(2):
        q = place_left(x, chain, k, offset) if side == TO_LEFT else place_right(x, chain, k)
        moves.place[k, side] = q
        if not np.isnan(q):
            i = chain.start[k] + 2 * side - 1
            if k > 0:
                write_segment(moves.row[k, side, 0], points, previous, i, before, q)
            write_segment(moves.row[k, side, 1], points, i, chain.start[k + 1], q, after)


@compiled_inline
def cost_beside(chain: Chain, k: int) -> float:
    """What the segments beside the knot k cost, with the eliminations on both sides that lead to it."""
    cost = chain.left[k, RESIDUAL] + chain.right[k, RESIDUAL] + chain.row[k, RSS]
    cost += meet_at(chain, k)
    if k > 0:
        cost += chain.row[k - 1, RSS]
    return cost


@compiled_inline
def weigh_candidates(points: Points, chain: Chain, moves: Candidates, k: int) -> None:
    """Gains of both candidates of the knot k, as differences of residuals next to it."""
    now = cost_beside(chain, k)
    for side in range(2):
        if np.isnan(moves.place[k, side]):
            moves.gain[k, side] = -np.inf
            continue
        r1, z1, then = np.inf, 0.0, 0.0
        crossed = 0.0
        if k > 0:
            before = moves.row[k, side, 0]
            r1, z1, then = step_right(chain.left[k - 1, R], chain.left[k - 1, Z], before)
            then += before[RSS]
        else:
            i = chain.start[0] + side - 1
            crossed = unseen(points, i, i + 1)
            if side == TO_RIGHT:
                crossed = -crossed
        behind = moves.row[k, side, 1]
        r2, z2, residual = from_right(chain, k, behind)
        then += residual + behind[RSS] + meet(r1, z1, r2, z2)
        moves.gain[k, side] = (now - then) + crossed


@compiled
def fill_candidates(points: Points, chain: Chain, moves: Candidates, offset: float) -> None:
    """Write all candidates of all knots, from scratch."""
    for k in range(len(chain.place)):
        write_candidates(points, chain, moves, k, offset)
        weigh_candidates(points, chain, moves, k)


def open_candidates(points: Points, chain: Chain, offset: float) -> Candidates:
    """All candidates of all knots."""
    p = len(chain.place)
    moves = Candidates(np.empty((p, 2)), np.zeros((p, 2, 2, ROW_LENGTH)), np.empty((p, 2)))
    fill_candidates(points, chain, moves, offset)
    return moves


candidates_of = compiled(open_candidates)
"""For kernels, which alone may receive new arrays from a kernel (core.methods.stepping.epochs)."""


@compiled_inline
def best_candidate(moves: Candidates) -> tuple[int, int, float]:
    """Knot and side of the largest gain (the first of equals); knot -1 where there is no candidate."""
    knot, side, gain = -1, 0, -np.inf
    for k in range(len(moves.gain)):
        for j in range(2):
            if moves.gain[k, j] > gain:
                knot, side, gain = k, j, moves.gain[k, j]
    return knot, side, gain


@compiled
def best_below(moves: Candidates, bound: float) -> tuple[int, int, float]:
    """The same among the gains below a bound: seldom asked for, and slower."""
    knot, side, gain = -1, 0, -np.inf
    for k in range(len(moves.gain)):
        for j in range(2):
            if gain < moves.gain[k, j] < bound:
                knot, side, gain = k, j, moves.gain[k, j]
    return knot, side, gain


@compiled
def improves(gain: float, total: float, scale: float) -> bool:
    """Whether a gain in the sum of squares is more than rounding, so that the loss falls with every move and
    ANLS ends (Proposition 4.1, prop:ANLSQ-convg); scale is the sum of w y squared."""
    return gain > LEAST_GAIN * total and not fits_exactly(total, scale)


@compiled
def choose_candidate(
    points: Points, chain: Chain, moves: Candidates, total: float, scale: float
) -> tuple[int, int, float]:
    """Knot, side and gain of the best candidate that improves the loss; knot -1 where none does.

    A gain is that of exact coefficients. Where the rounding of large ones might eat it
    (core.methods.anls.rounding), the loss of the rounded ones must fall too, or the next best is looked at.
    """
    now = np.nan
    k, side, gain = best_candidate(moves)
    while True:
        if k < 0 or not improves(gain, total, scale):
            return -1, 0, gain
        q, largest = moves.place[k, side], largest_strain(gain, scale)
        if not (
            is_strained(points.x, chain.place, chain.start, largest)
            or is_strained_at(points.x, chain.place, k, q, largest)
        ):
            return k, side, gain
        if np.isnan(now):
            now = evaluated_sum(points, Knots(chain.place, chain.start))
        place, start = chain.place.copy(), chain.start.copy()
        place[k] = q
        start[k] += 2 * side - 1
        if evaluated_sum(points, Knots(place, start)) < now:
            return k, side, gain
        k, side, gain = best_below(moves, gain)
