"""The best network of a width, proven: least squares by a linear spline with free knots, on few data.

In the optimum a bias is inside a gap of the data, alone or with another one, or it stands on a datum. Alone
inside a gap it is stationary only if the lines on its two sides are each as good as if there were no joint
(a *free* joint, possible where the two lines meet in that gap); a pair lets the network *jump*; on a datum
the lines are *tied*. So the optimum is one of finitely many configurations of joints, from left to right,
and given the configuration it is a convex problem, solved along the way: what the data left of a tied
joint cost is one quadratic a (u - b)^2 + c of the value u there.

A depth-first search goes through the configurations. What the data right of a joint will cost is at least
what the best lines without any joint cost, by dynamic programming over their first data and the knots that
are left (Bellman 1961); a branch that is no better than the best network so far is cut. The first one is
the best of some runs of ANLS+.

Two free joints beside one datum leave a line that turns about it. Whether its neighbours can be met is
decided for one such line; where two follow each other the search says so, if that matters.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from core.anls.plus import anls_plus
from core.anls.rules import OFFSET
from core.model.regression import regression
from core.portable.random import uniform
from core.problem.data import Points, TrainingData, stream
from core.squares.solve import least_loss
from core.theory.knot_lines import FREE, JUMP, TIED, Quadratic, add, beside, between, is_possible
from core.types import FloatArray, IntArray

STARTS = 8
"""Runs of ANLS+ for the first bound."""
LARGEST = 200_000_000
"""Branches after which the search gives up."""


class Optimum(NamedTuple):
    """The least loss of a width."""

    loss: float
    proven: bool
    """whether no network of this width is better; else it is the best one found"""


class Tables(NamedTuple):
    """Costs of single lines."""

    zero: FloatArray
    """(m + 1,) the sum of w y^2 of the first k data"""
    line: FloatArray
    """(m + 1, m + 1) what the data i..j-1 cost under their own line"""
    bound: FloatArray
    """(knots + 1, m + 1) at least what the data from i on cost with so many further joints"""


@njit(cache=True)
def tables_of(points: Points, knots: int) -> Tables:
    """In O(m^3)."""
    m = len(points.x)
    zero, line, bound = np.zeros(m + 1), np.zeros((m + 1, m + 1)), np.zeros((knots + 1, m + 1))
    for k in range(m):
        zero[k + 1] = zero[k] + points.w[k] * (points.y[k] * points.y[k])
        for j in range(k + 1, m + 1):
            line[k, j] = regression(points, k, j).rss
    for i in range(m):
        bound[0, i] = line[i, m]
    for k in range(1, knots + 1):
        for i in range(m):
            bound[k, i] = bound[0, i]
            for j in range(i + 1, m):
                bound[k, i] = min(bound[k, i], line[i, j] + bound[k - 1, j])
    return Tables(zero, line, bound)


@njit(cache=True)
def explore(
    points: Points,
    tables: Tables,
    joints: IntArray,
    count: int,
    at: int,
    left: Quadratic,
    found: FloatArray,
) -> None:
    """Go on from a joint: at datum `at` where the last one is tied, else before it.

    `found` holds the least cost so far, the least cost of what could not be decided, and the branches.
    """
    m, most = len(points.x), len(joints)
    found[2] += 1.0
    used = 0
    for k in range(count):
        used += 2 if joints[k, 0] == JUMP else 1
    tied = joints[count - 1, 0] == TIED
    begin = at + 1 if tied else at
    whole = left.c + tables.line[begin, m]
    if tied:
        whole = add(left, beside(points, begin, m, at)[0]).c
    if whole < found[0]:
        possible = is_possible(points, joints, count)
        if possible == 1:
            found[0] = whole
        elif possible == -1:
            found[1] = min(found[1], whole)
    if used == most or found[2] > LARGEST:
        return
    for j in range(begin + 1, m):
        cost = left.c + tables.line[begin, j]
        if not cost + tables.bound[most - used - 1, j] < found[0]:
            continue
        if tied:
            cost = add(left, beside(points, begin, j, at)[0]).c
        for kind in (FREE, JUMP):
            price = 1 + kind
            if used + price <= most and cost + tables.bound[most - used - price, j] < found[0]:
                joints[count, 0], joints[count, 1] = kind, j
                explore(points, tables, joints, count + 1, j, Quadratic(0.0, 0.0, cost), found)
    for t in range(begin if tied else begin + 1, m - 1):
        if tied:
            after = between(points, left, at, t)[0]
        else:
            after = add(Quadratic(0.0, 0.0, left.c), beside(points, begin, t + 1, t)[0])
        if after.c + tables.bound[most - used - 1, t + 1] < found[0]:
            joints[count, 0], joints[count, 1] = TIED, t
            explore(points, tables, joints, count + 1, t, after, found)


@njit(cache=True)
def search(points: Points, knots: int, known: float) -> FloatArray:
    """`found` of `explore` for the best network that is better than the cost `known`."""
    m = len(points.x)
    tables = tables_of(points, knots)
    joints = np.zeros((knots, 2), dtype=np.int64)
    found = np.array([min(known, tables.zero[m]), np.inf, 0.0])
    for j in range(m):
        for kind in (FREE, JUMP):
            price, cost = 1 + kind, tables.zero[j]
            if price <= knots and cost + tables.bound[knots - price, j] < found[0]:
                joints[0, 0], joints[0, 1] = kind, j
                explore(points, tables, joints, 1, j, Quadratic(0.0, 0.0, cost), found)
        cost = tables.zero[j + 1]
        if j < m - 1 and cost + tables.bound[knots - 1, j + 1] < found[0]:
            joints[0, 0], joints[0, 1] = TIED, j
            explore(points, tables, joints, 1, j, Quadratic(np.inf, 0.0, cost), found)
    return found


def free_knot_optimum(data: TrainingData, width: int) -> Optimum:
    """The least mean squared loss of a network with so many neurons; for tens of data and a few neurons."""
    span = float(data.x[-1] - data.x[0])
    known = np.inf
    for i in range(STARTS):
        b = uniform(stream(1, i), float(data.x[0]) - span / width, float(data.x[-1]), width)
        if i == 0:
            b[:] = data.x[-1] + span
        anls_plus(data.points, b, OFFSET, 1_000)
        known = min(known, least_loss(data, b))
    best, undecided, branches = search(data.points, width, known * data.weight * (1.0 + 1e-12)).tolist()
    proven = branches <= LARGEST and undecided >= best
    return Optimum(min(best / data.weight, known), proven)
