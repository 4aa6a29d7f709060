"""Crossings, pins and releases: what a step of the biases does to the activation pattern.

A bias that meets a datum x_k from which the velocity points back on both sides
cannot pass. Discrete descent then hops over the datum for millions of epochs,
which is how it follows Filippov's sliding motion, and the neuron is *pinned*:

    v+ = s c_j G_j without x_k (b_j >= x_k),  v- = v+ + s c_j r_k,  v+ <= 0 <= v-.

This is judged when a step crosses a datum, in the state after the step. Where the
step is near the limit of stability the velocities swing from epoch to epoch and
need not have these signs at that moment: a neuron that comes back over the datum
within 100 epochs is held by it as well. While it is pinned its hops are no change
of the pattern. A hop of length d lands within d of the datum, so a neuron found
more than reach = 2 d from it has drifted there. If the velocities do not hold it
any more it is *released* then; if they do (momentum carried it) the reach doubles.
It is released too by reaching another datum.

Judging at the first outward step instead would count noise: near v+ = 0 the hops
of other neurons make v+ change sign every few epochs (25,000 releases in 10^6
epochs on sin 5 pi x). For the same reason the reach shrinks slowly, by 1e-4 a hop,
and doubles when a release is taken back. The price is a delay: v+ that grows like
t / tau takes about 2 sqrt(tau) epochs to carry the bias over its reach, little
beside the tau epochs of a stage.

`reach` (n,) and `recent` (2, n), the datum that each neuron crossed or left last and
the epoch of it, are part of a state.
"""

from typing import Literal

from numba import njit

from core.descent.gradient import smallest_reach, suffix_sums
from core.descent.sorted_neurons import HI, LO, R0, X0, B, C, S, T, bound, count_live, list_pinned, relocate
from core.types import FloatArray, IntArray

CROSSED, PINNED, RELEASED = 0, 1, 2
TURN = 100
"""A neuron that crosses a datum again after so many epochs or less has turned round at once."""
KINDS: tuple[Literal["crossed"], Literal["pinned"], Literal["released"]] = ("crossed", "pinned", "released")


@njit(cache=True)
def _is_held(
    j: int,
    k: int,
    x: FloatArray,
    y: FloatArray,
    shift: float,
    F: FloatArray,
    gap: IntArray,
    slot: IntArray,
    pin: IntArray,
    P: IntArray,
    pinned: int,
) -> bool:
    """Filippov's condition v+ <= 0 <= v- for neuron j, which stands beside datum k or is pinned to it.

    `suffix_sums` must have been called. The last datum holds nobody: right of it
    the neuron is dead, v+ is 0, and it has crossed rather than slid.
    """
    if k == x.shape[0] - 1:
        return False
    p = q = slot[j]
    while q + 1 < gap.shape[0] and gap[q + 1] <= k:
        q += 1
    while q >= 0 and gap[q] > k:
        q -= 1
    residual = F[S, q] * (x[k] - shift) - F[T, q] - y[k] if q >= 0 else -y[k]
    for i in range(pinned):
        if P[1, i] == k:
            residual += F[C, P[0, i]] * max(x[k] - F[B, P[0, i]], 0.0)
    right = F[R0, p]
    if pin[j] == k:
        right -= F[X0, p]  # what a neuron left of its datum sees of it
    elif gap[p] <= k:
        right -= residual
    return bool(F[C, p] * right <= 0.0 <= F[C, p] * (right + residual))


@njit(cache=True)
def _gap_of(value: float, g: int, x: FloatArray) -> int:
    """Number of data <= value, looked for beside gap g first."""
    m = x.shape[0]
    if (g == 0 or value >= x[g - 1]) and (g == m or value < x[g]):
        return g
    if g < m and value >= x[g] and (g + 1 == m or value < x[g + 1]):
        return g + 1
    low, high = 0, m
    while low < high:
        middle = (low + high) // 2
        if x[middle] <= value:
            low = middle + 1
        else:
            high = middle
    return low


@njit(cache=True)
def settle(
    x: FloatArray,
    y: FloatArray,
    table: FloatArray,
    shift: float,
    F: FloatArray,
    gap: IntArray,
    order: IntArray,
    slot: IntArray,
    pin: IntArray,
    reach: FloatArray,
    recent: IntArray,
    now: int,
    P: IntArray,
    R: FloatArray,
    changes: IntArray,
) -> int:
    """Put every bias that left its home where it belongs, and judge. The number of changes.

    Row i of `changes` (n, 3) receives neuron, kind and datum. All biases are put
    into their new gaps before any is judged, and all are judged before any is
    pinned, so that their order does not matter. P is stale afterwards.
    """
    listed = 0
    for p in range(gap.shape[0]):
        j = order[p]
        if not F[LO, p] <= F[B, p] < F[HI, p] or (pin[j] >= 0 and abs(F[B, p] - x[pin[j]]) > reach[j]):
            changes[listed, 0] = j
            listed += 1
    met = 0
    for i in range(listed):
        j = changes[i, 0]
        p = slot[j]
        k = pin[j]
        g = gap[p]
        target = _gap_of(F[B, p], g, x)
        if k >= 0 and (target == k or target == k + 1):
            datum = k
        elif target == g:
            continue
        else:
            datum = target - 1 if target > g else target
            pin[j] = -1
            p = relocate(p, target, x, table, F, gap, order, slot)
            bound(p, -1, x, F, gap)
        changes[met, 0] = j
        changes[met, 1] = k
        changes[met, 2] = datum
        met += 1
    if met == 0:
        return 0
    pinned = list_pinned(pin, gap, order, F, P)
    suffix_sums(count_live(gap, x.shape[0]), x, y, shift, F, P, pinned, R)
    for i in range(met):
        j, datum = changes[i, 0], changes[i, 2]
        R[0, i] = 1.0 * _is_held(j, datum, x, y, shift, F, gap, slot, pin, P, pinned)
    count = 0
    for i in range(met):
        j, old, datum = changes[i, 0], changes[i, 1], changes[i, 2]
        p = slot[j]
        near = max(2.0 * abs(F[B, p] - x[datum]), smallest_reach(x))
        held = R[0, i] > 0.0
        if pin[j] == datum:
            if held:
                reach[j] = near
                continue
        else:
            turned = recent[0, j] == datum and now - recent[1, j] <= TURN and datum < x.shape[0] - 1
            reach[j] = max(near, 2.0 * reach[j]) if turned else near
            held |= turned
        recent[0, j] = datum
        recent[1, j] = now
        pin[j] = datum if held else -1
        target = datum + 1 if held else _gap_of(F[B, p], gap[p], x)
        p = relocate(p, target, x, table, F, gap, order, slot)
        bound(p, pin[j], x, F, gap)
        changes[count, 0] = j
        changes[count, 1] = PINNED if held else (RELEASED if old >= 0 else CROSSED)
        changes[count, 2] = old if old >= 0 and not held else datum
        count += 1
    return count
