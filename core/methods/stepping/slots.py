"""Neurons kept in slots sorted by gap: the data structure under the gradient methods.

Sort the neurons by gap. The data that see exactly the first l of them, U_l, are
one run of the sorted data, and on it the network is the line S_l x - T_l with
S_l = sum of c_i and T_l = sum of c_i b_i over i <= l. The gradient

    dL/db_j = -s c_j G_j,   dL/dc_j = s (H_j - b_j G_j),   s = 2/W for the mean loss,

needs only G_j = sum of w_k r_k and H_j = sum of w_k r_k x_k over x_k > b_j, and these are
suffix sums of R0_l = S_l Sx - T_l u_l - Sy and R1_l = S_l Sxx - T_l Sx - Sxy: five
sums per segment, one pass forward, one pass back, whatever m is. A bias that
leaves its gap changes two segments. Neurons of one gap may stand in any order
(the segments between them are empty), so the one that leaves is first swapped to
the near end of its gap: a crossing costs O(1) and nothing is ever shifted.

A *pinned* neuron hops over its datum x_k all the time (see core.methods.stepping.pinning). It stands
in the slots as if its bias were exactly on the datum, gap k + 1, and stays there.
What the hops do is exact and local: with d = sum of c_j (x_k - b_j)_+ over the
neurons pinned to x_k, the residual r_k is d more than the line left of the datum
says, and the ones that are left of the datum see r_k besides. So chatter, up to 22
crossings per epoch on sin 5 pi x, costs no repair at all.

Three choices keep the iterates those of naive full-batch training. Segment sums
are differences of prefix sums stored as double-double pairs (`Sums`), so
a small segment among 10^4 data loses no digits. All x and b enter relative to
the middle of the data, so that a domain far from 0 does not cancel. And segment
sums are functions of the gaps alone, never updated in place, so that no error
accumulates over 10^8 epochs and a resumed run is bit-identical.

All sums are weighted: u_l, Sx, ... are sums of w_k, w_k x_k, ...; where all weights
are 1 no bit differs from the sums without.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ...compiled import compiled, compiled_inline
from ...model.pattern.gaps import gap_near
from ...problem.data import TrainingData
from ...types import FloatArray, IntArray

B, C, LO, HI, MB, VB, MC, VC, COUNT, SX, SXX, SY, SXY, Y0, Y1, S, T, R0, R1, X0, X1 = range(21)
SLOT_ROWS = 21
OWN_ROWS = 8
"""The first rows belong to the neuron and move with it; the others belong to the slot."""
MEMORY = MB
"""First of the four rows in which a method remembers something of each neuron."""


class Sums(NamedTuple):
    """The data, and the prefix sums that give the moments of any segment in O(1)."""

    x: FloatArray
    y: FloatArray
    w: FloatArray
    table: FloatArray
    """(m + 1, 10) row k: sums of w, w z, w z^2, w y, w z y over the first k data, z = x - middle; five high
    parts, then five low parts. hi_b - hi_a is rounded once relative to itself, so adding lo_b - lo_a gives a
    segment's sum to about one unit in the last place."""
    middle: float
    """Of the data; x and b count from here."""
    scale: float
    """s (`data.s`): 2/W for the mean loss."""


class Slots(NamedTuple):
    """The neurons of a network, sorted by gap."""

    F: FloatArray
    """(SLOT_ROWS, n) a row per float quantity (the constants above), a column per slot."""
    gap: IntArray
    """(n,) gap of each slot."""
    order: IntArray
    """(n,) neuron of each slot."""
    slot: IntArray
    """(n,) slot of each neuron."""
    pin: IntArray
    """(n,) datum that each neuron is pinned to, -1 when free."""
    reach: FloatArray
    """(n,) how far each pinned neuron may be from its datum (core.methods.stepping.pinning)."""
    recent: IntArray
    """(2, n) the datum that each neuron crossed or left last, and the epoch of it."""
    P: IntArray
    """(3, n) the pinned neurons in slot order: slot, datum, last slot left of the datum (-1 if none)."""
    R: FloatArray
    """(7, n) of the same: d, bias before the step, whether it was left of the datum (these anew in every
    epoch); its datum's x, x - middle, y and w."""
    met: IntArray
    """(n, 3) what happened at the last change: neuron, kind, datum."""


class Network(NamedTuple):
    """A network in neuron order, with what tells its pins from passages (core.methods.stepping.pinning)."""

    b: FloatArray
    c: FloatArray
    order: IntArray
    pin: IntArray
    reach: FloatArray
    recent: IntArray
    hops: IntArray
    """(5, n) who hops (core.model.pattern.hopping)"""


@lru_cache(maxsize=16)
def sums_of(data: TrainingData) -> Sums:
    """The prefix sums of a data set, computed once."""
    middle = 0.5 * float(data.x[0] + data.x[-1])
    z = data.x - middle
    wz = data.w * z
    terms = np.stack((data.w, wz, wz * z, data.w * data.y, wz * data.y), axis=1)
    return Sums(data.x, data.y, data.w, _prefix(terms), middle, data.s)


@compiled
def _prefix(terms: FloatArray) -> FloatArray:
    m, count = terms.shape
    table = np.zeros((m + 1, 2 * count))
    for k in range(m):
        for i in range(count):
            # Knuth's two-sum: total + error is exactly old + term.
            old, term = table[k, i], terms[k, i]
            total = old + term
            part = total - old
            error = (old - (total - part)) + (term - part)
            low = table[k, count + i] + error
            table[k + 1, i] = total + low
            table[k + 1, count + i] = low - (table[k + 1, i] - total)
    return table


@compiled
def load(sums: Sums, network: Network) -> Slots:
    """Slots of a network given in neuron order; `order` must sort the gaps, and is kept up to date."""
    b, c, order, pin, reach, recent, _ = network
    n = b.shape[0]
    slots = Slots(
        np.zeros((SLOT_ROWS, n)),
        np.empty(n, dtype=np.int64),
        order,
        np.empty(n, dtype=np.int64),
        pin,
        reach,
        recent,
        np.empty((3, n), dtype=np.int64),
        np.empty((7, n)),
        np.empty((n, 3), dtype=np.int64),
    )
    F, gap, slot, x, table = slots.F, slots.gap, slots.slot, sums.x, sums.table
    for p in range(n):
        j = order[p]
        slot[j] = p
        F[B, p], F[C, p] = b[j], c[j]
        gap[p] = pin[j] + 1 if pin[j] >= 0 else gap_near(x, b[j], gap[p - 1] if p > 0 else 0)
        bound(x, F, gap[p], pin[j], p)
    for p in range(n):
        _refresh(F, gap, table, p)
    return slots


@compiled
def store(slots: Slots, b: FloatArray, c: FloatArray) -> None:
    """Write the slots back to arrays in neuron order."""
    for p in range(slots.order.shape[0]):
        b[slots.order[p]] = slots.F[B, p]
        c[slots.order[p]] = slots.F[C, p]


@compiled
def list_pinned(sums: Sums, slots: Slots) -> int:
    """Fill P and R from scratch (after every change of the slots); the number of pinned neurons."""
    F, gap, order, pin, P, R = slots.F, slots.gap, slots.order, slots.pin, slots.P, slots.R
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
            R[3, count] = sums.x[k]
            R[4, count] = sums.x[k] - sums.middle
            R[5, count] = sums.y[k]
            R[6, count] = sums.w[k]
            count += 1
    return count


@compiled_inline
def bound(x: FloatArray, F: FloatArray, g: int, k: int, p: int) -> None:
    """Set [LO, HI), the home of slot p's bias: its gap g, or the two gaps beside the datum k that pins it."""
    low = g - 1 if k < 0 else k - 1
    F[LO, p] = x[low] if low >= 0 else -np.inf
    F[HI, p] = x[g] if g < x.shape[0] else np.inf


@compiled_inline
def _refresh(F: FloatArray, gap: IntArray, table: FloatArray, p: int) -> None:
    """Recompute the sums of the segment that starts at slot p."""
    g = gap[p]
    end = gap[p + 1] if p + 1 < gap.shape[0] else table.shape[0] - 1
    for i in range(5):
        F[COUNT + i, p] = (table[end, i] - table[g, i]) + (table[end, 5 + i] - table[g, 5 + i])


@compiled
def _swap(slots: Slots, p: int, q: int) -> None:
    """Exchange the neurons of two slots of one gap (their segments stay)."""
    F, order, slot = slots.F, slots.order, slots.slot
    for i in range(OWN_ROWS):
        F[i, p], F[i, q] = F[i, q], F[i, p]
    order[p], order[q] = order[q], order[p]
    slot[order[p]] = p
    slot[order[q]] = q


@compiled
def move_to_gap(sums: Sums, slots: Slots, p: int, target: int) -> int:
    """Move the neuron of slot p to the gap `target`, past the neurons between; its new slot."""
    F, gap, table = slots.F, slots.gap, sums.table
    n = gap.shape[0]
    while gap[p] != target:
        g = gap[p]
        q = p
        if target > g:
            while q + 1 < n and gap[q + 1] == g:
                q += 1
            if q != p:
                _swap(slots, p, q)
            gap[q] = min(target, gap[q + 1]) if q + 1 < n else target
        else:
            while q > 0 and gap[q - 1] == g:
                q -= 1
            if q != p:
                _swap(slots, p, q)
            gap[q] = max(target, gap[q - 1]) if q > 0 else target
        p = q
        if p > 0:
            _refresh(F, gap, table, p - 1)
        _refresh(F, gap, table, p)
    return p


@compiled
def count_live(slots: Slots, m: int) -> int:
    """Number of slots, the first ones, whose neuron sees a datum; the rest have no gradient."""
    n = slots.gap.shape[0]
    while n > 0 and slots.gap[n - 1] == m:
        n -= 1
    return n
