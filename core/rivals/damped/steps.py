"""The damped Gauss-Newton step, in O(m + n): for (b, c) together, or for b alone.

Within a pattern the residual is linear in small changes d = (db, dc) of the network, r + A d, where A d is a
line on each segment. The step minimises

    s/2 sum w (r + A d)^2 + damping/2 |d|^2,        s = 2/W for the mean loss,

whose normal matrix damping + s A'A is that of an implicit step of the flow without its coupling. So the
flow's elimination (core.methods.flow.elimination) solves it, without a matrix and without cancellation.

For b alone (structure-guided Gauss-Newton, arXiv 2404.05064) A d is a constant V_g on each segment, and the
matrix is D(c) H D(c) with H the mass matrix of step functions, whose inverse is tridiagonal. The elimination
is then scalar: what the data right of a point ask for is q (V - t)^2 / 2, and a group of neurons that shifts
V at the price damping |db|^2 / 2 softens q to q / (1 + q v), v = sum c_j^2 / damping.

In both cases the loss that the linear model promises to lose is damping |d|^2 + s/2 |A d|^2: no difference.
"""

from typing import NamedTuple

import numpy as np

from ...compiled import compiled
from ...methods.flow.elimination import factorise, solve_factored
from ...methods.flow.system import (
    R0,
    Base,
    System,
    bound_rates,
    count_groups,
    fill_residual,
    fill_system,
    lay_out_compiled,
)
from ...problem.data import Points
from ...types import FloatArray, IntArray

LEAST = 1e-14
"""The damping is at least this part of the trace of s A'A: less would be beside rounding."""


class Place(NamedTuple):
    """A network in neuron order, which the iterations change in place; a pinned bias stands on its datum."""

    b: FloatArray
    c: FloatArray
    order: IntArray
    """the neurons sorted by bias"""
    pin: IntArray
    leaving: IntArray
    """1 where a bias stands on a datum that it leaves to the left: the step counts the datum as seen"""


class Proposal(NamedTuple):
    """A step from a place."""

    change: FloatArray
    """(2, n) of b and of c, in neuron order"""
    promised: float
    """by how much the linear model lowers s/2 sum w r^2"""
    damping: float
    """what it was made with: the one asked for, or the least that is allowed"""


@compiled
def sorted_gaps(x: FloatArray, place: Place) -> tuple[IntArray, IntArray]:
    """The live neurons in the order of their gaps, and these: a bias that leaves its datum sees it."""
    m = len(x)
    order, gap = np.empty(len(place.order), dtype=np.int64), np.empty(len(place.order), dtype=np.int64)
    live, g = 0, 0
    for p in range(len(place.order)):
        j = place.order[p]
        while g < m and x[g] <= place.b[j]:
            g += 1
        own = g - place.leaving[j]
        if own == m:
            continue
        q = live
        while q > 0 and gap[q - 1] > own:
            order[q], gap[q] = order[q - 1], gap[q - 1]
            q -= 1
        order[q], gap[q] = j, own
        live += 1
    return order[:live], gap[:live]


@compiled
def system_at(points: Points, s: float, place: Place) -> tuple[System, Base, IntArray]:
    """The segments and their residuals, and the live neurons from left to right."""
    x = points.x
    middle = 0.5 * (x[0] + x[len(x) - 1])
    order, gap = sorted_gaps(x, place)
    live = len(order)
    pinned = np.empty(live, dtype=np.int64)
    b, c = np.empty(live), np.empty(live)
    for p in range(live):
        j = order[p]
        b[p], c[p] = place.b[j] - middle, place.c[j]
        pinned[p] = 1 if place.pin[j] >= 0 else 0
    system = lay_out_compiled(live, count_groups(gap), s, 1.0)
    fill_system(points, middle, gap, pinned, system)  # the constant of the loss is no part of a step
    residual = np.zeros((4, system.weight.size))
    fill_residual(system, b, c, residual)
    return system, Base(b, c, residual), order


@compiled
def shift_biases(system: System, base: Base, damping: float, change: FloatArray) -> None:
    """The step of b alone."""
    groups = system.weight.size
    stiffness, target, mobility = np.zeros(groups), np.zeros(groups), np.zeros(groups)
    q, t = 0.0, 0.0
    for g in range(groups - 1, -1, -1):
        for j in range(system.bounds[g], system.bounds[g + 1]):
            mobility[g] += system.free[j] * (base.c[j] * base.c[j])
        own = system.s * system.weight[g]
        t = (q * t - system.s * base.residual[R0, g]) / (q + own)
        q += own
        stiffness[g], target[g] = q * (mobility[g] / damping), t
        q /= 1.0 + stiffness[g]
    value = 0.0
    for g in range(groups):
        if mobility[g] == 0.0:
            continue
        shift = (target[g] - value) * (stiffness[g] / (1.0 + stiffness[g]))
        value += shift
        for j in range(system.bounds[g], system.bounds[g + 1]):
            change[0, j] = -system.free[j] * (base.c[j] * (shift / mobility[g]))


@compiled
def promise(system: System, base: Base, change: FloatArray, damping: float) -> float:
    """damping |d|^2 + s/2 |A d|^2."""
    length, fit = 0.0, 0.0
    slope, value = 0.0, 0.0
    for g in range(system.weight.size):
        value += slope * system.stride[g]
        for j in range(system.bounds[g], system.bounds[g + 1]):
            db, dc = change[0, j], change[1, j]
            length += db * db + dc * dc
            slope += dc
            value += dc * (system.mean[g] - base.b[j]) - base.c[j] * db
        fit += system.weight[g] * (value * value) + system.sxx[g] * (slope * slope)
    return damping * length + 0.5 * system.s * fit


@compiled
def trace(system: System, base: Base, biases_alone: bool) -> float:
    """Of s A'A: what a damping is measured by."""
    if not biases_alone:
        return bound_rates(system, base.b, base.c)
    total = 0.0
    for j in range(system.free.size):
        total += system.tails[0, system.group[j]] * (system.free[j] * (base.c[j] * base.c[j]))
    return system.s * total


@compiled
def find_step(points: Points, s: float, place: Place, damping: float, biases_alone: bool) -> Proposal:
    """The step with this damping, or with the least that is allowed."""
    system, base, order = system_at(points, s, place)
    live = len(order)
    damping = max(damping, LEAST * trace(system, base, biases_alone))
    sorted_change = np.zeros((2, live))
    if live > 0 and damping > 0.0:
        if biases_alone:
            shift_biases(system, base, damping, sorted_change)
        else:
            none = np.zeros((4, system.weight.size))
            factors = factorise(system, base.b, base.c, none, 1.0, damping)
            solve_factored(system, factors, np.zeros((2, live)), base.residual, sorted_change)
    change = np.zeros((2, len(place.b)))
    for p in range(live):
        change[0, order[p]], change[1, order[p]] = sorted_change[0, p], sorted_change[1, p]
    return Proposal(change, promise(system, base, sorted_change, damping), damping)


@compiled
def trace_at(points: Points, s: float, place: Place, biases_alone: bool) -> float:
    """The trace at a place."""
    system, base, _ = system_at(points, s, place)
    return trace(system, base, biases_alone)
