"""One iteration of ANLS+: the moves of ANLS, and neurons that are of little use put where they help most.

ANLS can only push a neuron across one datum at a time and never wakes a dead one,
so it ends with neurons that do nothing while some segment begs for a knot. ANLS+
adds to its moves, in this order:

- *wake*: a dead neuron goes to the gap anywhere in the data where it gains most;
- *relocate*: so does one whose removal costs nothing (the third of a gap, say);
- *replace*: where neither that nor a candidate of ANLS helps, a neuron whose
  removal costs less than a new knot elsewhere gains is taken there;
- *adjust*: where that does not help either, every neuron that is alone between two
  data is put at the best place between them. The pattern stays the same.

Every iteration lowers the least loss, which is a function of the biases alone,
by more than a fixed part of itself, and the run ends where no kind of move does.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...least_squares.chain import Chain, Knots, ascending, least_sum_of, open_chain, open_knots
from ...methods.anls.gains import LEAST_GAIN, choose_candidate, improves, open_candidates
from ...methods.anls.rounding import survives
from ...model.pattern.changes import RELOCATION_REASONS, Change, RelocationReason
from ...portable.sums import weighted_square
from ...problem.data import Points
from ...types import FloatArray
from .adjustment import adjust
from .insertion import best_insertion, removal_costs, replace

MOVED, ADJUSTED, DEAD, REDUNDANT, CHEAP, ADDED, REMOVED, RESTORED, CLEARED = range(9)
"""What an iteration did, the last four with adaptive width alone. DEAD, REDUNDANT and CHEAP are relocations,
told apart by why the neuron was free to go."""
REASON: dict[int, RelocationReason] = {DEAD: "dead", REDUNDANT: "redundant", CHEAP: "cheap", ADDED: "dead"}

REPLACE_GAIN = 1e-6
ADJUST_GAIN = 1e-3
"""Least gain, as a part of the loss, for which a useful neuron is replaced or all of them are adjusted:
both could go on for ever with less and less."""

TRIALS = 16
"""Neurons, cheapest first, for which a replacement is tried in one iteration."""

CHUNK = 500_000
"""Data and neurons looked at, over all passes, after which a call that is not to take long returns: most
iterations make three passes, but one that tries to replace neurons makes up to twenty."""


@dataclass(frozen=True, eq=False)
class Move:
    """What an iteration does."""

    kind: int
    neuron: int
    """-1 where many move"""
    datum: int
    """what is crossed, -1 where no single one is"""
    b: FloatArray
    """the biases after it"""
    passes: int
    """over the data and the neurons, made to find it"""

    def change(self, epoch: float) -> Change:
        """The same for the record; all may be parked, or come back, in one iteration."""
        neuron = max(self.neuron, 0)
        if self.kind in REASON:
            return Change(epoch, neuron, "relocated", -1 - RELOCATION_REASONS.index(REASON[self.kind]))
        return Change(epoch, neuron, "moved", self.datum if self.kind == MOVED else -1)


def replace_cheapest(
    points: Points, chain: Chain, costs: FloatArray, extra: float
) -> tuple[float, int, float]:
    """The best replacement among the cheapest knots: net gain, knot, new position.

    A knot is tried only if it costs less than `extra`, the gain of one more knot.
    """
    best, knot, place = -np.inf, -1, np.nan
    for k in np.argsort(costs, kind="stable")[:TRIALS].tolist():
        if costs[k] >= extra:
            break
        net, q = replace(points, chain, k, float(costs[k]))
        if net > best:
            best, knot, place = net, k, q
    return best, knot, place


def moves_from(points: Points, b: FloatArray, total: float, scale: float, offset: float) -> Iterator[Move]:
    """All kinds of moves that promise a gain, the one to make first; each is worked out when asked for.

    What a neuron that is of no use gains is compared with the best candidate of ANLS, and the lesser of
    the two comes second.
    """
    order = ascending(b)
    chain = open_chain(points, open_knots(points.x, b, order))
    p = len(chain.place)

    passes = 3

    def to(kind: int, neuron: int, datum: int, q: float) -> Move:
        new = b.copy()
        new[neuron] = q
        return Move(kind, neuron, datum, new, passes)

    moves = open_candidates(points, chain, offset)
    k, side, gain = choose_candidate(points, chain, moves, total, scale)
    extra, q = best_insertion(points, chain)
    second = []
    if p < len(b) and improves(extra, total, scale):
        wake = to(DEAD, int(np.min(order[p:])), -1, q)
        if extra >= gain:
            yield wake
        else:
            second.append(wake)
    costs = removal_costs(points, chain)
    i = int(np.argmin(costs)) if p > 0 else -1
    if i >= 0 and costs[i] <= LEAST_GAIN * total:
        passes += 1
        net, q = replace(points, chain, i, float(costs[i]))
        if improves(net, total, scale):
            relocate = to(REDUNDANT, int(order[i]), -1, q)
            if net >= gain:
                yield relocate
            else:
                second.append(relocate)
    if k >= 0:
        yield to(MOVED, int(order[k]), int(chain.start[k]) + side - 1, float(moves.place[k, side]))
    yield from second
    passes += TRIALS
    net, i, q = replace_cheapest(points, chain, costs, extra)
    if net > REPLACE_GAIN * total and improves(net, total, scale):
        yield to(CHEAP, int(order[i]), -1, q)
    if improves(total, total, scale) and adjust(points, chain) > ADJUST_GAIN * total:
        new = b.copy()
        new[order[:p]] = chain.place
        yield Move(ADJUSTED, -1, -1, new, passes + 1)


def condensed(points: Points, b: FloatArray) -> tuple[Knots, float]:
    """The live knots of the biases b, and their least sum of w r^2."""
    knots = open_knots(points.x, b, ascending(b))
    return knots, float(least_sum_of(points, knots))


def anls_plus(
    points: Points, b: FloatArray, offset: float, iterations: int, largest_work: float = np.inf
) -> tuple[bool, list[Move]]:
    """Up to `iterations` iterations; b is overwritten. Returns whether none helps any more, and the moves.

    Each iteration is a function of the biases alone, so the way may be cut anywhere; after
    `largest_work` it is.
    A move is made if the loss really falls: what it promised is subject to rounding.
    """
    made: list[Move] = []
    scale = float(weighted_square(points.w, points.y))
    knots, total = condensed(points, b)
    work = 0
    while len(made) < iterations and work < largest_work:
        for move in moves_from(points, b, total, scale, offset):
            after, then = condensed(points, move.b)
            if then < total and survives(points, knots, after, total - then, scale):
                break
        else:
            return True, made
        b[:], knots, total = move.b, after, then
        made.append(move)
        work += move.passes * (len(points.x) + len(b))
    return False, made
