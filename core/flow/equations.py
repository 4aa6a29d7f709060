"""The compiled right-hand side of the gradient flow inside one stage.

Within a stage the pattern is fixed, so the live neurons fall into groups, one for each distinct gap, and the
data into the segments between them. On the segment of group g the network is a line; with S its slope and F
its value at the segment's mean abscissa mu_g, the residual's moments about mu_g are

    R0_g = sum r = u_g (F - mean y),        R1_g = sum r (x - mu_g) = S Sxx_g - Sxy_g,

and with G_g the sum of r over all data right of group g, K_g the same sum of r (x - mu_g),

    db_j/dt = s c_j G_g,        dc_j/dt = -s (K_g + G_g (mu_g - b_j)),        s = 2/m   (mean loss).

F runs forward and (G, K) backward through the groups, each from its neighbour's value: O(n) whatever m is,
and without moments about zero, which would cancel. The unknowns `y` of the integrator are the free biases,
then the coefficients of all live neurons; pinned biases stand still and dead neurons do not appear.

A *watch* is a number that stays positive as long as the stage lasts. A free neuron has the distances to both
ends of its gap; a neuron pinned to x_k has `t - v+` and `t + v-`, where v+ and v- are the velocities that
it would have just right and just left of x_k (v- = v+ + s c_j r_k) and t the size below which a velocity is
noise.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from core.types import FloatArray, IntArray

SMALL = 0.01
"""Below it coefficients have the threshold of this one: it must not vanish where c_j changes sign."""


class Stage(NamedTuple):
    """What the right-hand side needs to know of a pattern; n live neurons in the order of their gaps."""

    slot: IntArray
    """Place of b_j among the unknowns, -1 when pinned."""
    group: IntArray
    """Group of neuron j."""
    segments: FloatArray
    """Rows u, mean x, mean y, Sxx, Sxy of the data between a group and the next."""
    tails: FloatArray
    """Rows count, mean x, Sxx of all data right of a group."""
    last: FloatArray
    """Rows x, y of the datum just left of a group."""
    ends: FloatArray
    """Rows left, right: the data at the ends of neuron j's gap."""
    s: float
    """2/m."""
    constant: float
    """Part of the mean loss that no line on the segments can remove."""
    b: FloatArray
    """Biases: the pinned ones stay, the free ones are overwritten with every evaluation."""
    c: FloatArray
    """Coefficients of the last evaluation."""
    sums: FloatArray
    """Rows G, K, and the residual at `last`, of the last evaluation."""


@njit(cache=True)
def evaluate(stage: Stage, y: FloatArray) -> float:
    """Bring b, c and the sums of `stage` up to date with the unknowns; return the mean loss."""
    slot, group, segments, last = stage.slot, stage.group, stage.segments, stage.last
    sums, b, c = stage.sums, stage.b, stage.c
    n = slot.size
    groups = segments.shape[1]
    first = y.size - n
    slope = 0.0
    value = 0.0
    excess = 0.0
    j = 0
    for g in range(groups):
        u, mean_x, mean_y = segments[0, g], segments[1, g], segments[2, g]
        sxx, sxy = segments[3, g], segments[4, g]
        sums[2, g] = -last[1, g]
        if g > 0:
            sums[2, g] += value + slope * (last[0, g] - segments[1, g - 1])
            value += slope * (mean_x - segments[1, g - 1])
        while j < n and group[j] == g:
            if slot[j] >= 0:
                b[j] = y[slot[j]]
            c[j] = y[first + j]
            slope += c[j]
            value += c[j] * (mean_x - b[j])
            j += 1
        sums[0, g] = u * (value - mean_y)
        sums[1, g] = slope * sxx - sxy
        excess += sums[0, g] * (value - mean_y)
        if sxx > 0.0:
            excess += sums[1, g] * sums[1, g] / sxx
    for g in range(groups - 2, -1, -1):
        sums[1, g] += sums[1, g + 1] + sums[0, g + 1] * (segments[1, g + 1] - segments[1, g])
        sums[0, g] += sums[0, g + 1]
    return stage.constant + 0.5 * stage.s * excess


@njit(cache=True)
def velocity(stage: Stage, y: FloatArray) -> FloatArray:
    """dy/dt."""
    evaluate(stage, y)
    slot, group, sums = stage.slot, stage.group, stage.sums
    out = np.empty_like(y)
    first = y.size - slot.size
    for j in range(slot.size):
        g = group[j]
        if slot[j] >= 0:
            out[slot[j]] = stage.s * stage.c[j] * sums[0, g]
        out[first + j] = -stage.s * (sums[1, g] + sums[0, g] * (stage.segments[1, g] - stage.b[j]))
    return out


@njit(cache=True)
def jacobian(stage: Stage, y: FloatArray) -> FloatArray:
    """Jacobian of `velocity`: minus the Hessian of the mean loss, hence symmetric.

    It is -s A'A, where A has the columns -c_j xi^b_j (free j) and xi^c_j, plus s G_j where b_j meets its
    own c_j. Neurons i and j share the data right of the later of their groups: their number, mean and
    centred second moment are all that A'A needs.
    """
    evaluate(stage, y)
    slot, group, tails, s, b, c = stage.slot, stage.group, stage.tails, stage.s, stage.b, stage.c
    out = np.empty((y.size, y.size))
    first = y.size - slot.size
    for j in range(slot.size):
        for i in range(j + 1):
            g = max(group[i], group[j])
            count = tails[0, g]
            along_i, along_j = tails[1, g] - b[i], tails[1, g] - b[j]
            p, q = slot[j], slot[i]
            if p >= 0 and q >= 0:
                out[p, q] = out[q, p] = -s * c[j] * c[i] * count
            if p >= 0:
                out[p, first + i] = out[first + i, p] = s * c[j] * count * along_i
            if q >= 0:
                out[q, first + j] = out[first + j, q] = s * c[i] * count * along_j
            mixed = -s * (count * along_j * along_i + tails[2, g])
            out[first + j, first + i] = out[first + i, first + j] = mixed
        if slot[j] >= 0:
            out[slot[j], first + j] += s * stage.sums[0, group[j]]
            out[first + j, slot[j]] += s * stage.sums[0, group[j]]
    return out


@njit(cache=True)
def rate_bound(stage: Stage, y: FloatArray) -> float:
    """Trace of the Gauss-Newton matrix s A'A, in O(n): no rate of decay in the stage is larger."""
    evaluate(stage, y)
    total = 0.0
    for j in range(stage.slot.size):
        g = stage.group[j]
        total += stage.tails[0, g] * (stage.tails[1, g] - stage.b[j]) ** 2 + stage.tails[2, g]
        if stage.slot[j] >= 0:
            total += stage.tails[0, g] * stage.c[j] ** 2
    return stage.s * total


@njit(cache=True)
def watch(stage: Stage, y: FloatArray, noise: float) -> tuple[FloatArray, FloatArray]:
    """The two watches of each neuron, and beside the distances of the free ones their rates of change."""
    evaluate(stage, y)
    values = np.empty((2, stage.slot.size))
    rates = np.zeros((2, stage.slot.size))
    for j in range(stage.slot.size):
        g = stage.group[j]
        right = stage.s * stage.c[j] * stage.sums[0, g]
        if stage.slot[j] >= 0:
            values[0, j] = stage.b[j] - stage.ends[0, j]
            values[1, j] = stage.ends[1, j] - stage.b[j]
            rates[0, j] = right
            rates[1, j] = -right
        else:
            threshold = noise * max(abs(stage.c[j]), SMALL)
            values[0, j] = threshold - right
            values[1, j] = threshold + right + stage.s * stage.c[j] * stage.sums[2, g]
    return values, rates


@njit(cache=True)
def scan(stage: Stage, samples: FloatArray, armed: NDArray[np.bool_], noise: float, near: float) -> int:
    """The first column of `samples` at which a watch has fired, or -1.

    A bias that has just left a datum stands on it to within the integrator's error, so that its distance
    may be negative for no reason. Such a watch is not armed until the bias has come `near` away: before, it
    fires only if the velocity, too, leads back.
    """
    for i in range(samples.shape[1]):
        values, rates = watch(stage, samples[:, i].copy(), noise)
        for side in range(2):
            for j in range(stage.slot.size):
                if values[side, j] < 0.0 and (armed[side, j] or rates[side, j] < 0.0):
                    return i
        for side in range(2):
            for j in range(stage.slot.size):
                armed[side, j] |= values[side, j] > near
    return -1


@njit(cache=True)
def line_system(stage: Stage, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The matrix A and the residual r of the stage, each segment reduced to its mean and its slope.

    |r|^2 / m is the loss without the part that no line removes; A has a column for each unknown, its effect
    on r.
    """
    evaluate(stage, y)
    slot, group, segments, b, c = stage.slot, stage.group, stage.segments, stage.b, stage.c
    groups = segments.shape[1]
    first = y.size - slot.size
    a = np.zeros((2 * groups, y.size))
    r = np.zeros(2 * groups)
    slope = 0.0
    value = 0.0
    j = 0
    for g in range(groups):
        u, width = np.sqrt(segments[0, g]), np.sqrt(segments[3, g])
        if g > 0:
            value += slope * (segments[1, g] - segments[1, g - 1])
        while j < slot.size and group[j] == g:
            slope += c[j]
            value += c[j] * (segments[1, g] - b[j])
            j += 1
        r[2 * g] = u * (value - segments[2, g])
        r[2 * g + 1] = width * slope - (segments[4, g] / width if width > 0.0 else 0.0)
        for i in range(j):
            if slot[i] >= 0:
                a[2 * g, slot[i]] = -u * c[i]
            a[2 * g, first + i] = u * (segments[1, g] - b[i])
            a[2 * g + 1, first + i] = width
    return a, r


@njit(cache=True)
def moments(
    x: FloatArray, y: FloatArray, starts: IntArray
) -> tuple[FloatArray, FloatArray, FloatArray, float]:
    """`segments`, `tails`, `last` and `constant` of a stage whose groups see the data from `starts` on."""
    m, groups = x.size, starts.size
    segments = np.zeros((5, groups))
    tails = np.zeros((3, groups))
    last = np.zeros((2, groups))
    constant = 0.0
    for k in range(starts[0] if groups else m):
        constant += y[k] * y[k]
    for g in range(groups - 1, -1, -1):
        low = starts[g]
        high = starts[g + 1] if g < groups - 1 else m
        u = high - low
        mean_x, mean_y = x[low:high].mean(), y[low:high].mean()
        sxx, sxy, syy = 0.0, 0.0, 0.0
        for k in range(low, high):
            sxx += (x[k] - mean_x) ** 2
            sxy += (x[k] - mean_x) * (y[k] - mean_y)
            syy += (y[k] - mean_y) ** 2
        constant += max(syy - sxy * sxy / sxx, 0.0) if u > 1 else 0.0
        segments[:, g] = np.array([u, mean_x, mean_y, sxx if u > 1 else 0.0, sxy if u > 1 else 0.0])
        tails[0, g], tails[1, g], tails[2, g] = u, mean_x, segments[3, g]
        if g < groups - 1:  # two clouds of points merge into one
            count = u + tails[0, g + 1]
            shift = tails[1, g + 1] - mean_x
            tails[2, g] += tails[2, g + 1] + shift * shift * u * tails[0, g + 1] / count
            tails[1, g] += shift * tails[0, g + 1] / count
            tails[0, g] = count
        if low > 0:
            last[0, g], last[1, g] = x[low - 1], y[low - 1]
    return segments, tails, last, constant / m
