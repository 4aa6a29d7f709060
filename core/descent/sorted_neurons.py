"""Neurons kept in slots sorted by gap: the data structure under the gradient methods.

Sort the neurons by gap. The data that see exactly the first l of them, U_l, are
one run of the sorted data, and on it the network is the line S_l x - T_l with
S_l = sum of c_i and T_l = sum of c_i b_i over i <= l. The gradient

    dL/db_j = -s c_j G_j,   dL/dc_j = s (H_j - b_j G_j),   s = 2/m,

needs only G_j = sum of r_k and H_j = sum of r_k x_k over x_k > b_j, and these are
suffix sums of R0_l = S_l Sx - T_l u_l - Sy and R1_l = S_l Sxx - T_l Sx - Sxy: five
sums per segment, one pass forward, one pass back, whatever m is. A bias that
leaves its gap changes two segments. Neurons of one gap may stand in any order
(the segments between them are empty), so the one that leaves is first swapped to
the near end of its gap: a crossing costs O(1) and nothing is ever shifted.

A *pinned* neuron hops over its datum x_k all the time (see core.descent.pinning). It stands
in the slots as if its bias were exactly on the datum, gap k + 1, and stays there.
What the hops do is exact and local: with d = sum of c_j (x_k - b_j)_+ over the
neurons pinned to x_k, the residual r_k is d more than the line left of the datum
says, and the ones that are left of the datum see r_k besides. So chatter, up to 22
crossings per epoch on sin 5 pi x, costs no repair at all.

Three choices keep the iterates those of naive full-batch training. Segment sums
are differences of prefix sums stored as double-double pairs (`prefix_sums`), so
a small segment among 10^4 data loses no digits. All x and b enter relative to
the middle of the data, so that a domain far from 0 does not cancel. And segment
sums are functions of the gaps alone, never updated in place, so that no error
accumulates over 10^8 epochs and a resumed run is bit-identical.

`F` has a row per float quantity (the constants below) and a column per slot;
`gap[p]`, `order[p]` are the gap and the neuron of slot p, `slot` inverts `order`.
`P` (3, n) lists the pinned neurons in slot order: slot, datum, last slot left of
the datum (-1 if none). `R` (3, n) holds d, their bias before the step, and
whether it was left of the datum.
"""

from functools import lru_cache

import numpy as np
from numba import njit

from core.problem.data import TrainingData
from core.types import FloatArray, IntArray

B, C, LO, HI, MB, VB, MC, VC, COUNT, SX, SXX, SY, SXY, Y0, Y1, S, T, R0, R1, X0, X1 = range(21)
ROWS = 21
OWN_ROWS = 8
"""The first rows belong to the neuron and move with it; the others belong to the slot."""


@lru_cache(maxsize=16)
def sums_of(data: TrainingData) -> tuple[FloatArray, float]:
    """`prefix_sums` of a data set, computed once."""
    return prefix_sums(data.x, data.y)


def prefix_sums(x: FloatArray, y: FloatArray) -> tuple[FloatArray, float]:
    """Prefix sums of x, x^2, y, xy (x from the middle of the data), and that middle.

    Row k holds the sums over the first k data: four high parts, then four low
    parts. hi_b - hi_a is rounded once relative to itself, so adding lo_b - lo_a
    gives the segment's sum to about one unit in the last place.
    """
    shift = 0.5 * float(x[0] + x[-1])
    z = x - shift
    return _prefix(np.stack((z, z * z, y, z * y), axis=1)), shift


@njit(cache=True)
def _prefix(terms: FloatArray) -> FloatArray:
    m = terms.shape[0]
    table = np.zeros((m + 1, 8))
    for k in range(m):
        for i in range(4):
            # Knuth's two-sum: total + error is exactly old + term.
            old, term = table[k, i], terms[k, i]
            total = old + term
            part = total - old
            error = (old - (total - part)) + (term - part)
            low = table[k, 4 + i] + error
            table[k + 1, i] = total + low
            table[k + 1, 4 + i] = low - (table[k + 1, i] - total)
    return table


@njit(cache=True)
def load(
    x: FloatArray, table: FloatArray, b: FloatArray, c: FloatArray, order: IntArray, pin: IntArray
) -> tuple[FloatArray, IntArray, IntArray]:
    """Fill the slots from arrays in neuron order; `order` must sort the gaps."""
    n = b.shape[0]
    F = np.zeros((ROWS, n))
    gap = np.empty(n, dtype=np.int64)
    slot = np.empty(n, dtype=np.int64)
    for p in range(n):
        j = order[p]
        slot[j] = p
        F[B, p] = b[j]
        F[C, p] = c[j]
        gap[p] = pin[j] + 1 if pin[j] >= 0 else np.searchsorted(x, b[j], side="right")
        bound(p, pin[j], x, F, gap)
    for p in range(n):
        _refresh(p, x, table, F, gap)
    return F, gap, slot


@njit(cache=True)
def store(F: FloatArray, order: IntArray, b: FloatArray, c: FloatArray) -> None:
    """Write the slots back to arrays in neuron order."""
    for p in range(order.shape[0]):
        b[order[p]] = F[B, p]
        c[order[p]] = F[C, p]


@njit(cache=True)
def list_pinned(pin: IntArray, gap: IntArray, order: IntArray, F: FloatArray, P: IntArray) -> int:
    """Fill P from scratch (after every change of the slots); the number of pinned neurons."""
    n = gap.shape[0]
    some = False
    for j in range(n):
        F[Y0, j] = F[SY, j]
        F[Y1, j] = F[SXY, j]
        F[X0, j] = 0.0
        F[X1, j] = 0.0
        some |= pin[j] >= 0
    if not some:
        return 0
    count = 0
    start = 0
    for p in range(n):
        if gap[p] != gap[start]:
            start = p
        k = pin[order[p]]
        if k >= 0:
            P[0, count] = p
            P[1, count] = k
            P[2, count] = start - 1
            count += 1
    return count


@njit(cache=True)
def bound(p: int, k: int, x: FloatArray, F: FloatArray, gap: IntArray) -> None:
    """Set [LO, HI), the home of slot p's bias: its gap, or the two gaps beside the datum it is pinned to."""
    g = gap[p]
    low = g - 1 if k < 0 else k - 1
    F[LO, p] = x[low] if low >= 0 else -np.inf
    F[HI, p] = x[g] if g < x.shape[0] else np.inf


@njit(cache=True)
def _refresh(p: int, x: FloatArray, table: FloatArray, F: FloatArray, gap: IntArray) -> None:
    """Recompute the sums of the segment that starts at slot p."""
    g = gap[p]
    end = gap[p + 1] if p + 1 < gap.shape[0] else x.shape[0]
    F[COUNT, p] = end - g
    F[SX, p] = (table[end, 0] - table[g, 0]) + (table[end, 4] - table[g, 4])
    F[SXX, p] = (table[end, 1] - table[g, 1]) + (table[end, 5] - table[g, 5])
    F[SY, p] = (table[end, 2] - table[g, 2]) + (table[end, 6] - table[g, 6])
    F[SXY, p] = (table[end, 3] - table[g, 3]) + (table[end, 7] - table[g, 7])


@njit(cache=True)
def _swap(p: int, q: int, F: FloatArray, order: IntArray, slot: IntArray) -> None:
    """Exchange the neurons of two slots of one gap (their segments stay)."""
    for i in range(OWN_ROWS):
        F[i, p], F[i, q] = F[i, q], F[i, p]
    order[p], order[q] = order[q], order[p]
    slot[order[p]] = p
    slot[order[q]] = q


@njit(cache=True)
def relocate(
    p: int,
    target: int,
    x: FloatArray,
    table: FloatArray,
    F: FloatArray,
    gap: IntArray,
    order: IntArray,
    slot: IntArray,
) -> int:
    """Move the neuron of slot p to the gap `target`, past the neurons between; its new slot."""
    n = gap.shape[0]
    while gap[p] != target:
        g = gap[p]
        q = p
        if target > g:
            while q + 1 < n and gap[q + 1] == g:
                q += 1
            if q != p:
                _swap(p, q, F, order, slot)
            gap[q] = min(target, gap[q + 1]) if q + 1 < n else target
        else:
            while q > 0 and gap[q - 1] == g:
                q -= 1
            if q != p:
                _swap(p, q, F, order, slot)
            gap[q] = max(target, gap[q - 1]) if q > 0 else target
        p = q
        if p > 0:
            _refresh(p - 1, x, table, F, gap)
        _refresh(p, x, table, F, gap)
    return p


@njit(cache=True)
def count_live(gap: IntArray, m: int) -> int:
    """Number of slots, the first ones, whose neuron sees a datum; the rest have no gradient."""
    n = gap.shape[0]
    while n > 0 and gap[n - 1] == m:
        n -= 1
    return n
