"""One iteration of ANLS+: the moves of ANLS, and neurons that are of little use put where they help most.

ANLS can only push a neuron across one datum at a time and never wakes a dead one,
so it ends with neurons that do nothing while some segment begs for a knot. ANLS+
adds to its moves, in this order:

- *relocate*: a dead neuron, or one whose removal costs nothing (the third of a
  gap, say), goes to the gap anywhere in the data where it gains most;
- *replace*: where neither that nor a candidate of ANLS helps, a neuron whose
  removal costs less than a new knot elsewhere gains is taken there;
- *adjust*: where that does not help either, every neuron that is alone between two
  data is put at the best place between them. The pattern stays the same.

Every iteration lowers the least loss, which is a function of the biases alone,
by more than a fixed part of itself, and the run ends where none does.
"""

import numpy as np
from numba import njit

from core.anls.gains import LEAST_GAIN, best_candidate, improves, weigh_all
from core.anls.insertion import best_in_gap, best_insertion, removal_costs, without
from core.squares.quadratics import Sweep, ascending, live_knots, new_sweep, step_right, sum_of_squares
from core.squares.rows import segment
from core.types import FloatArray

SETTLED, MOVED, ADJUSTED, DEAD, REDUNDANT, CHEAP = range(6)
"""What an iteration did. The last three are relocations, told apart by why the neuron was free to go."""

REPLACE_GAIN = 1e-6
ADJUST_GAIN = 1e-3
"""Least gain, as a part of the loss, for which a useful neuron is replaced or all of them are adjusted:
both could go on for ever with less and less."""

TRIALS = 16
"""Neurons, cheapest first, for which a replacement is tried in one iteration."""


def replace(x: FloatArray, y: FloatArray, s: Sweep, k: int, cost: float, apart: float) -> tuple[float, float]:
    """Net gain and new position if the knot k, whose removal costs `cost`, goes where it then gains most."""
    fewer = new_sweep(x, y, *without(s.knot, s.start, k), apart)
    gain, q = best_insertion(x, y, fewer)
    return gain - cost, q


def replace_cheapest(
    x: FloatArray, y: FloatArray, s: Sweep, costs: FloatArray, apart: float, extra: float
) -> tuple[float, int, float]:
    """The best replacement among the cheapest knots: net gain, knot, new position.

    A knot is tried only if it costs less than `extra`, the gain of one more knot.
    """
    best, knot, place = -np.inf, -1, np.nan
    for k in np.argsort(costs, kind="stable")[:TRIALS].tolist():
        if costs[k] >= extra:
            break
        net, q = replace(x, y, s, k, float(costs[k]), apart)
        if net > best:
            best, knot, place = net, k, q
    return best, knot, place


@njit(cache=True)
def adjust(x: FloatArray, y: FloatArray, s: Sweep, apart: float) -> float:
    """Put each knot that is alone between two data at its best place there, from left to right.

    The right quadratics of the knots still to come stay valid meanwhile. Returns
    the gain; s.knot holds the new places.
    """
    p = len(s.knot)
    gained = 0.0
    for k in range(p):
        i = s.start[k]
        alone = i > 0 and i < s.start[k + 1] and (k == 0 or s.start[k - 1] < i)
        if alone:
            gain, q = best_in_gap(x, y, s, k)
            if gain > 0.0 and x[i - 1] < q < x[i]:
                gained += gain
                s.knot[k] = q
                if k > 0:
                    segment(x, y, s.start[k - 1], i, s.knot[k - 1], q, apart, s.row[k - 1])
                after = s.knot[k + 1] if k + 1 < p else np.inf
                segment(x, y, i, s.start[k + 1], q, after, apart, s.row[k])
        if k > 0:
            r, z, residual = step_right(s.left[k - 1, 0], s.left[k - 1, 1], s.row[k - 1])
            s.left[k, 0], s.left[k, 1], s.left[k, 2] = r, z, residual
        if k + 1 < p:
            # best_in_gap reads the residual of the step that leads to the next knot.
            r, z, residual = step_right(s.left[k, 0], s.left[k, 1], s.row[k])
            s.left[k + 1, 0], s.left[k + 1, 1], s.left[k + 1, 2] = r, z, residual
    return gained


def least_total(x: FloatArray, y: FloatArray, b: FloatArray, apart: float) -> float:
    """The least sum of squares for the biases b."""
    return float(sum_of_squares(y, new_sweep(x, y, *live_knots(x, b, ascending(b)), apart)))


def propose(
    x: FloatArray, y: FloatArray, b: FloatArray, apart: float, scale: float
) -> tuple[int, int, int, FloatArray, float]:
    """The next iteration: what it does, neuron, datum crossed, new biases, and the present total."""
    order = ascending(b)
    s = new_sweep(x, y, *live_knots(x, b, order), apart)
    total = float(sum_of_squares(y, s))
    new = b.copy()
    p = len(s.knot)
    weigh_all(x, y, s, apart)
    k, side, gain = best_candidate(s)
    extra, q = best_insertion(x, y, s)
    if p < len(b) and extra >= gain and improves(extra, total, scale):
        j = int(np.min(order[p:]))
        new[j] = q
        return DEAD, j, -1, new, total
    costs = removal_costs(x, y, s, apart)
    i = int(np.argmin(costs)) if p > 0 else -1
    if i >= 0 and costs[i] <= LEAST_GAIN * total:
        net, q = replace(x, y, s, i, float(costs[i]), apart)
        if net >= gain and improves(net, total, scale):
            new[order[i]] = q
            return REDUNDANT, int(order[i]), -1, new, total
    if k >= 0 and improves(gain, total, scale):
        new[order[k]] = s.place[k, side]
        return MOVED, int(order[k]), int(s.start[k]) + side - 1, new, total
    net, i, q = replace_cheapest(x, y, s, costs, apart, extra)
    if net > REPLACE_GAIN * total and improves(net, total, scale):
        new[order[i]] = q
        return CHEAP, int(order[i]), -1, new, total
    if improves(total, total, scale) and adjust(x, y, s, apart) > ADJUST_GAIN * total:
        new[order[:p]] = s.knot
        return ADJUSTED, -1, -1, new, total
    return SETTLED, -1, -1, new, total


def anls_plus(
    x: FloatArray, y: FloatArray, b: FloatArray, apart: float, iterations: int
) -> tuple[int, bool, list[tuple[int, int, int]]]:
    """Up to `iterations` iterations; b is overwritten. Returns how many, whether none helps any more,
    and per iteration what it did, the neuron and the datum.

    Each iteration is a function of the biases alone, so the way may be cut anywhere.
    """
    log: list[tuple[int, int, int]] = []
    scale = float(y @ y)
    while len(log) < iterations:
        kind, neuron, datum, new, total = propose(x, y, b, apart, scale)
        if kind == SETTLED or not least_total(x, y, new, apart) < total:
            return len(log), True, log
        b[:] = new
        log.append((kind, neuron, datum))
    return iterations, False, log
