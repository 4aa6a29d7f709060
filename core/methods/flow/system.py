"""The equations of the gradient flow inside one stage, in changes from a base.

Within a stage the pattern is fixed, so the n live neurons fall into groups, one for each distinct gap, and
the data into the segments between them. On the segment of group g the network is a line. With
mu_g the segment's mean abscissa, u_g its weight and Sxx_g its spread, all that the flow needs of the residual
there are two moments,

    R0_g = sum w r,        R1_g = sum w r (x - mu_g),

and with G_g the sum of w r over all data right of group g, K_g the same sum of w r (x - mu_g),

    db_j/dt = s c_j G_g,        dc_j/dt = -s (K_g + G_g (mu_g - b_j)),        s = 2/W   (mean loss).

**Changes, not values.** A line's value is a sum of terms c_j (mu_g - b_j) that may be a million times as
large as the residual that is left of it. Formed anew at each evaluation the residual would carry the rounding
of those terms, as noise that a stiff equation multiplies by its rate. So the residual is formed once, at the
base (b, c), and then only its *change* is computed, from the changes D of b and c:

    change of the slope on g   DS_g = sum of Dc_j,
    change of the value at mu  DV_g = sum of Dc_j (mu_g - b_j) - (c_j + Dc_j) Db_j,     both over j up to g,

so that R0 changes by u DV and R1 by Sxx DS. Relative to the change this is exact to rounding: the right-hand
side is as smooth as the numbers allow, however far left a bias stands and however close the network is to
rest.

DV runs forward and (G, K) backward through the groups, each from its neighbour's value: O(n) whatever m is,
and without moments about zero, which would cancel. Biases are counted from the middle of the data (the flow
knows no other zero). Pinned biases stand still, and dead neurons do not appear.
"""

from typing import NamedTuple

import numpy as np

from ...compiled import compiled_ieee
from ...model.regression import regression
from ...problem.data import Points
from ...types import FloatArray, IntArray

UNREACHABLE = 1e300
"""Stands for the left end of the gap left of all data; finite, so that differences of watches are numbers."""

G, K, BEFORE, AFTER = range(4)
"""Rows of the sums: the pulls, and the residuals at the data just left and just right of a group's gap."""
R0, R1 = range(2)
"""Rows of a base's residual; the rows BEFORE and AFTER are the same."""


class System(NamedTuple):
    """What the equations need to know of a pattern: n live neurons in the order of their gaps."""

    free: FloatArray
    """(n,) 1 where the bias may move, 0 where it is pinned."""
    group: IntArray
    """(n,) group of each neuron."""
    bounds: IntArray
    """(groups + 1,) first neuron of each group."""
    weight: FloatArray
    """(groups,) u of the segment right of each group."""
    mean: FloatArray
    """mu, from the middle of the data."""
    sxx: FloatArray
    stride: FloatArray
    """mu_g - mu_{g-1}."""
    edge: FloatArray
    """(2, groups) from mu_{g-1} to the datum just left of the gap; from mu_g to the one just right of it."""
    edge_weight: FloatArray
    """(2, groups) weights of those two data; 0 where there is none."""
    tails: FloatArray
    """(3, groups) weight, mean and spread of all data right of a group."""
    ends: FloatArray
    """(2, n) the data at the ends of each neuron's gap."""
    targets: FloatArray
    """(4, groups) mean y and Sxy of the segment, y at the two data beside the gap."""
    s: float
    """The factor of every gradient: 2/W for the mean loss."""
    total: float
    """W."""
    constant: float
    """Part of the mean loss that no line on the segments can remove."""


class Base(NamedTuple):
    """A point of the flow from which changes are counted."""

    b: FloatArray
    c: FloatArray
    residual: FloatArray
    """(4, groups) rows R0, R1, and the residuals at the data just left and just right of the gap."""


@compiled_ieee
def count_groups(gap: IntArray) -> int:
    """How many gaps of live neurons, in ascending order, there are."""
    groups = min(gap.size, 1)
    for j in range(1, gap.size):
        groups += gap[j] > gap[j - 1]
    return groups


def lay_out(n: int, groups: int, s: float, total: float) -> System:
    """A system of that size, to be filled."""
    return System(
        np.zeros(n),
        np.zeros(n, dtype=np.int64),
        np.zeros(groups + 1, dtype=np.int64),
        np.zeros(groups),
        np.zeros(groups),
        np.zeros(groups),
        np.zeros(groups),
        np.zeros((2, groups)),
        np.zeros((2, groups)),
        np.zeros((3, groups)),
        np.zeros((2, n)),
        np.zeros((4, groups)),
        s,
        total,
        0.0,
    )


lay_out_compiled = compiled_ieee(lay_out)
"""For kernels, which alone may receive new arrays from a kernel (core.methods.stepping.epochs)."""


@compiled_ieee
def fill_system(points: Points, middle: float, gap: IntArray, pinned: IntArray, system: System) -> float:
    """Write what `lay_out` laid out; its `constant`."""
    x, y, w = points
    n, m = gap.size, x.size
    group, bounds, free, ends = system.group, system.bounds, system.free, system.ends
    for j in range(1, n):
        group[j] = group[j - 1] + (gap[j] > gap[j - 1])
    groups = system.weight.size
    for j in range(n):
        bounds[group[j] + 1] = j + 1
    for j in range(n):
        free[j] = 0.0 if pinned[j] else 1.0
        ends[0, j] = x[gap[j] - 1] - middle if gap[j] > 0 else -UNREACHABLE
        ends[1, j] = x[gap[j]] - middle
    weight, mean, sxx, stride = system.weight, system.mean, system.sxx, system.stride
    edge, edge_weight, tails, targets = system.edge, system.edge_weight, system.tails, system.targets
    constant = 0.0
    for k in range(gap[0] if n > 0 else m):
        constant += w[k] * (y[k] * y[k])
    x0, offset = 0.0, 0.0
    for g in range(groups):
        low = gap[bounds[g]]
        high = gap[bounds[g + 1]] if g < groups - 1 else m
        line = regression(points, low, high)
        weight[g], sxx[g] = line.weight, line.sxx
        mean[g] = (line.first - middle) + line.offset
        targets[0, g], targets[1, g] = line.mean, line.sxy
        edge[1, g], edge_weight[1, g], targets[3, g] = -line.offset, w[low], y[low]
        if low > 0:
            edge_weight[0, g], targets[2, g] = w[low - 1], y[low - 1]
        if g > 0:
            stride[g] = (line.first - x0) + (line.offset - offset)
            edge[0, g] = (x[low - 1] - x0) - offset
        x0, offset = line.first, line.offset
        constant += line.rss
    for g in range(groups - 1, -1, -1):
        tails[0, g], tails[1, g], tails[2, g] = weight[g], mean[g], sxx[g]
        if g < groups - 1:  # two clouds of points merge into one
            both = weight[g] + tails[0, g + 1]
            shift = tails[1, g + 1] - mean[g]
            tails[2, g] += tails[2, g + 1] + shift * shift * (weight[g] * tails[0, g + 1] / both)
            tails[1, g] += shift * (tails[0, g + 1] / both)
            tails[0, g] = both
    return constant / system.total


@compiled_ieee
def fill_residual(system: System, b: FloatArray, c: FloatArray, residual: FloatArray) -> None:
    """The residual rows at (b, c), here alone as a difference of values."""
    slope, value = 0.0, 0.0
    for g in range(system.weight.size):
        residual[BEFORE, g] = (value + slope * system.edge[0, g]) - system.targets[2, g]
        value += slope * system.stride[g]
        for j in range(system.bounds[g], system.bounds[g + 1]):
            slope += c[j]
            value += c[j] * (system.mean[g] - b[j])
        residual[R0, g] = system.weight[g] * (value - system.targets[0, g])
        residual[R1, g] = slope * system.sxx[g] - system.targets[1, g]
        residual[AFTER, g] = (value + slope * system.edge[1, g]) - system.targets[3, g]


def open_system(
    points: Points, s: float, total: float, middle: float, gap: IntArray, pinned: IntArray
) -> System:
    """The system of live neurons with ascending gaps; `total` is W, pinned[j] whether j may not move."""
    system = lay_out(gap.size, int(count_groups(gap)), s, total)
    return system._replace(constant=float(fill_system(points, middle, gap, pinned, system)))


def form_base(system: System, b: FloatArray, c: FloatArray) -> Base:
    """The base at (b, c)."""
    residual = np.zeros((4, system.weight.size))
    fill_residual(system, b, c, residual)
    return Base(b.copy(), c.copy(), residual)


@compiled_ieee
def change_residual(system: System, base: Base, change: FloatArray, out: FloatArray) -> None:
    """The residual rows at base + change, into `out` (4, groups)."""
    old = base.residual
    slope, value = 0.0, 0.0
    for g in range(system.weight.size):
        out[BEFORE, g] = old[BEFORE, g] + (value + slope * system.edge[0, g])
        value += slope * system.stride[g]
        mean = system.mean[g]
        for j in range(system.bounds[g], system.bounds[g + 1]):
            db, dc = change[0, j], change[1, j]
            slope += dc
            value += dc * (mean - base.b[j]) - (base.c[j] + dc) * db
        out[R0, g] = old[R0, g] + system.weight[g] * value
        out[R1, g] = old[R1, g] + system.sxx[g] * slope
        out[AFTER, g] = old[AFTER, g] + (value + slope * system.edge[1, g])


@compiled_ieee
def add_up(system: System, sums: FloatArray) -> None:
    """Turn the rows R0 and R1 into G and K, in place."""
    for g in range(system.weight.size - 2, -1, -1):
        sums[K, g] += sums[K, g + 1] + sums[G, g + 1] * system.stride[g + 1]
        sums[G, g] += sums[G, g + 1]


@compiled_ieee
def find_velocity(system: System, base: Base, change: FloatArray, sums: FloatArray, out: FloatArray) -> None:
    """db/dt and dc/dt of the flow (section 2, def:grad-flow) at base + change, into `out` (2, n); leaves the
    `sums` (4, groups) there."""
    change_residual(system, base, change, sums)
    add_up(system, sums)
    s = system.s
    for j in range(system.free.size):
        g = system.group[j]
        b, c = base.b[j] + change[0, j], base.c[j] + change[1, j]
        out[0, j] = system.free[j] * (s * c * sums[G, g])
        out[1, j] = -s * (sums[K, g] + sums[G, g] * (system.mean[g] - b))


@compiled_ieee
def move_base(system: System, base: Base, change: FloatArray) -> Base:
    """The base after a change, its residual carried along instead of formed anew."""
    residual = np.empty_like(base.residual)
    change_residual(system, base, change, residual)
    return Base(base.b + change[0], base.c + change[1], residual)


@compiled_ieee
def find_loss(system: System, residual: FloatArray) -> float:
    """The mean loss, from the residual rows of a base."""
    excess = 0.0
    for g in range(system.weight.size):
        excess += residual[R0, g] * (residual[R0, g] / system.weight[g])
        if system.sxx[g] > 0.0:
            excess += residual[R1, g] * (residual[R1, g] / system.sxx[g])
    return system.constant + excess / system.total


@compiled_ieee
def bound_rates(system: System, b: FloatArray, c: FloatArray) -> float:
    """Trace of the Gauss-Newton matrix s A'A, in O(n): no rate of decay in the stage is larger."""
    total = 0.0
    for j in range(system.free.size):
        g = system.group[j]
        along = system.tails[1, g] - b[j]
        total += system.tails[0, g] * (along * along + system.free[j] * (c[j] * c[j])) + system.tails[2, g]
    return system.s * total
