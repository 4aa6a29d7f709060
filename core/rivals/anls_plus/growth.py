"""ANLS+ that chooses how many neurons it uses: the best one is added, the least useful taken away.

The first iteration parks all neurons right of the data, wherever the start had them. Then, where no move of
ANLS+ helps those in use,

- *remove*: the least useful one is parked, if that makes a better network of the lesser width than
  any found so far;
- *add*: else one more goes to the gap where it gains most;
- *restore*: where one more gains too little, or none is left, the best network of the largest width comes
  back.

This is sequential floating selection (Pudil, Novovicova & Kittler 1994). On its way it tells the least loss
found for every width, and a step back often leads to a better network of the larger width too.
"""

from dataclasses import dataclass

import numpy as np

from ...least_squares.chain import ascending, open_chain, open_knots
from ...methods.anls.gains import improves
from ...methods.anls.rounding import survives
from ...model.pattern import gaps
from ...portable.sums import weighted_square
from ...problem.data import Points
from ...types import FloatArray, IntArray
from .insertion import best_insertion, removal_costs
from .plus import ADDED, CLEARED, REMOVED, RESTORED, Move, anls_plus, condensed

BETTER = 1e-3
"""A neuron is taken away only if the lesser width gains this part of its loss: the way back is long."""


@dataclass(frozen=True, eq=False)
class Growth:
    """Where the search stands. Everything in it is replaced, never changed."""

    b: FloatArray
    losses: FloatArray
    """(n + 1,) the least sum of w r^2 found with so many neurons, inf where none was"""
    kept: FloatArray
    """the biases of the best network of the largest width so far"""


def parking_place(x: FloatArray, width: int) -> float:
    """Where neurons wait that are not in use."""
    return float(x[-1] + (x[-1] - x[0]) / width)


def used(x: FloatArray, b: FloatArray) -> IntArray:
    """The neurons that see data."""
    return np.flatnonzero(gaps(x, b) < len(x)).astype(np.int64)


def with_bias(b: FloatArray, neuron: int, place: float) -> FloatArray:
    """The biases with one changed."""
    new = b.copy()
    new[neuron] = place
    return new


def beginning(b: FloatArray) -> Growth:
    """At a start, with nothing found yet."""
    return Growth(b.copy(), np.full(len(b) + 1, np.inf), b.copy())


def cleared(points: Points, width: int) -> tuple[Growth, Move]:
    """No neuron in use."""
    losses = np.full(width + 1, np.inf)
    losses[0] = weighted_square(points.w, points.y)
    b = np.full(width, parking_place(points.x, width))
    return Growth(b, losses, b), Move(CLEARED, -1, -1, b, 1)


def noted(points: Points, now: Growth, count: int, total: float) -> Growth:
    """The same when a network with so many neurons is written down, if it is the best of its width."""
    if not total < now.losses[count]:
        return now
    losses = now.losses.copy()
    losses[count] = total
    is_widest = count >= len(used(points.x, now.kept))
    return Growth(now.b, losses, now.b if is_widest else now.kept)


def grow(points: Points, now: Growth, offset: float, least_gain: float) -> tuple[Growth, Move | None]:
    """One iteration, and the move that it made: None where nothing is left to do."""
    in_use = used(points.x, now.b)
    count, width = len(in_use), len(now.b)
    if now.losses[0] == np.inf:
        return cleared(points, width)
    if count:
        b = now.b[in_use]
        _, made = anls_plus(points, b, offset, 1)
        if made:
            whole = now.b.copy()
            whole[in_use] = b
            neuron = int(in_use[made[0].neuron]) if made[0].neuron >= 0 else -1
            return Growth(whole, now.losses, now.kept), Move(
                made[0].kind, neuron, made[0].datum, whole, made[0].passes
            )
    scale = float(now.losses[0])
    knots, total = condensed(points, now.b)
    now = noted(points, now, count, total)
    order = ascending(now.b)
    chain = open_chain(points, open_knots(points.x, now.b, order))
    if count > 1:
        costs = removal_costs(points, chain)
        k = int(np.argmin(costs))
        before = float(now.losses[count - 1])
        if improves(before - (total + float(costs[k])) - BETTER * before, before, scale):
            return _to(now, REMOVED, int(order[k]), parking_place(points.x, width))
    if count < width:
        gain, q = best_insertion(points, chain)
        if gain > least_gain * total and improves(gain, total, scale):
            added = _to(now, ADDED, int(np.setdiff1d(np.arange(width), in_use)[0]), q)
            after, then = condensed(points, added[0].b)
            if then < total and survives(points, knots, after, total - then, scale):
                return added
    if total > now.losses[len(used(points.x, now.kept))]:
        return Growth(now.kept, now.losses, now.kept), Move(RESTORED, -1, -1, now.kept, 1)
    return now, None


def _to(now: Growth, kind: int, neuron: int, place: float) -> tuple[Growth, Move]:
    """A neuron goes somewhere."""
    b = with_bias(now.b, neuron, place)
    return Growth(b, now.losses, now.kept), Move(kind, neuron, -1, b, 20)
