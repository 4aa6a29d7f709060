"""Loss and gradient of a network by running sums over the data, in memory that is made once: O(m + n).

As core.rivals.slopes, in a form for steps that carry many biases over data, where a pass from bias to bias
guesses wrongly at every one of them how many data follow. Only the gap g_j of each bias is looked for, the
number of data left of or on it, and only where it is another one. Then every neuron is put down at the first
datum that it sees, with its coefficient and its value there; from datum to datum

    S_i = S_(i-1) + sum c_j,    f_i = f_(i-1) + S_(i-1) (x_i - x_(i-1)) + sum c_j (x_i - b_j),    g_j = i,

and back, with P_i the sum of w r from datum i on and K_i that of w r (x - x_i),

    K_i = K_(i+1) + P_(i+1) (x_(i+1) - x_i),    dL/db_j = -s c_j P_g,    dL/dc_j = s (K_g + P_g (x_g - b_j)).

Nothing has to be sorted, and no sum is taken about a distant origin.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from ...portable.lanes import lane_dot, running_sums, running_sums_back
from ...problem.data import Points
from ...types import FloatArray, IntArray


class Workspace(NamedTuple):
    """For three networks row by row, and for what an evaluation needs."""

    v: FloatArray
    """(3, 2n): biases, then coefficients"""
    gradient: FloatArray
    """(3, 2n)"""
    gap: IntArray
    """(3, n): the number of data left of or on each bias"""
    moved: IntArray
    """the neurons whose gap is another; one place more than there are"""
    fence: FloatArray
    """x between two nan, which compare with nothing"""
    met: FloatArray
    """x, and its last once more: where a neuron of gap g begins to act"""
    stride: FloatArray
    """from each x to the next"""
    first: FloatArray
    """one number a datum, and one for the neurons that see none; `second` too"""
    second: FloatArray
    residual: FloatArray


@njit(cache=True)
def make_room(x: FloatArray, n: int) -> Workspace:
    """Room for networks of n neurons."""
    m = len(x)
    fence, met = np.full(m + 2, np.nan), np.full(m + 1, x[m - 1])
    fence[1 : m + 1], met[:m] = x, x
    return Workspace(
        np.empty((3, 2 * n)),
        np.empty((3, 2 * n)),
        np.zeros((3, n), dtype=np.int64),
        np.empty(n + 1, dtype=np.int64),
        fence,
        met,
        x[1:] - x[: m - 1],
        np.empty(m + 1),
        np.empty(m + 1),
        np.empty(m),
    )


@njit(cache=True)
def find_gaps(fence: FloatArray, b: FloatArray, gap: IntArray, moved: IntArray) -> None:
    """Bring the gaps up to date; first, without a guess, who moved. (Unsigned, an index needs no check.)"""
    one = np.uint64(1)
    count = np.uint64(0)
    for j in range(len(gap)):
        g, at = np.uint64(gap[j]), b[j]
        moved[count] = j
        count += np.uint64((fence[g] > at) | (fence[g + one] <= at))
    for k in range(count):
        j = moved[k]
        g, at = np.uint64(gap[j]), b[j]
        while fence[g + one] <= at:
            g += one
        while fence[g] > at:
            g -= one
        gap[j] = g


@njit(cache=True)
def scan_loss(points: Points, s: float, room: Workspace, row: int) -> float:
    """s/2 sum w r^2 of the network in a row, whose gradient and gaps are brought up to date."""
    y, w = points.y, points.w
    gap, met, stride, r = room.gap[row], room.met, room.stride, room.residual
    m, n = len(y), len(gap)
    b, c = room.v[row, :n], room.v[row, n:]
    find_gaps(room.fence, b, gap, room.moved)
    room.first[:], room.second[:] = 0.0, 0.0
    for j in range(n):
        g = np.uint64(gap[j])
        room.first[g] += c[j]
        room.second[g] += c[j] * (met[g] - b[j])
    slope, value = room.first[:m], room.second[:m]
    running_sums(slope, slope)
    later = value[1:]
    for i in range(m - 1):
        later[i] += slope[i] * stride[i]
    running_sums(value, value)
    pull, turn = value, slope
    for i in range(m):
        r[i] = value[i] - y[i]
        pull[i] = w[i] * r[i]
    square = lane_dot(pull, r)
    running_sums_back(pull, pull)
    for i in range(m - 1):
        turn[i] = later[i] * stride[i]
    turn[m - 1] = 0.0
    running_sums_back(turn, turn)
    room.first[m], room.second[m] = 0.0, 0.0
    of_b, of_c = room.gradient[row, :n], room.gradient[row, n:]
    for j in range(n):
        g = np.uint64(gap[j])
        of_b[j] = -s * (c[j] * room.second[g])
        of_c[j] = s * (room.first[g] + room.second[g] * (met[g] - b[j]))
    return 0.5 * s * square
