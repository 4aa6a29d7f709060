"""Crossings, pins and releases: what a step of the biases does to the activation pattern.

A bias that meets a datum x_k from which the velocity points back on both sides
cannot pass. Discrete descent then hops over the datum for millions of epochs,
which is how it follows Filippov's sliding motion, and the neuron is *pinned*:

    v+ = s c_j G_j without x_k (b_j >= x_k),  v- = v+ + s c_j w_k r_k,  v+ <= 0 <= v-.

This is judged when a step crosses a datum, in the state after the step. Where the
step is near the limit of stability the velocities swing from epoch to epoch and
need not have these signs at that moment: a neuron that comes back over the datum
within 100 epochs is held by it as well. While it is pinned its hops are no change
of the pattern. A hop of length d lands within d of the datum, so a neuron found
more than reach = 2 d from it has drifted there. If the velocities do not hold it
any more it is *released* then; if they do (momentum carried it) the reach doubles.
It is released too by reaching another datum. A neuron that swings over several data is told by
core.model.pattern.hopping.

Judging at the first outward step instead would count noise: near v+ = 0 the hops
of other neurons make v+ change sign every few epochs (25,000 releases in 10^6
epochs on sin 5 pi x). For the same reason the reach shrinks slowly, by 1e-4 a hop,
and doubles when a release is taken back. The price is a delay: v+ that grows like
t / tau takes about 2 sqrt(tau) epochs to carry the bias over its reach, little
beside the tau epochs of a stage.

`reach` (n,) and `recent` (2, n), the datum that each neuron crossed or left last and
the epoch of it, are part of a state.
"""

from ...compiled import compiled
from ...model.pattern.changes import CROSSED, PINNED, RELEASED, crossed_datum, write_change
from ...model.pattern.gaps import gap_near
from ...model.pattern.hopping import TURN
from ...model.pattern.pins import can_hold, is_held
from .gradient import smallest_reach, suffix_sums
from .slots import (
    HI,
    LO,
    R0,
    X0,
    B,
    C,
    S,
    Slots,
    Sums,
    T,
    bound,
    count_live,
    list_pinned,
    move_to_gap,
)


@compiled
def _residual(sums: Sums, slots: Slots, k: int, p: int, pinned: int) -> float:
    """r_k, for a datum k beside slot p; `suffix_sums` must have been called."""
    F, gap, P = slots.F, slots.gap, slots.P
    q = p
    while q + 1 < gap.shape[0] and gap[q + 1] <= k:
        q += 1
    while q >= 0 and gap[q] > k:
        q -= 1
    residual = F[S, q] * (sums.x[k] - sums.middle) - F[T, q] - sums.y[k] if q >= 0 else -sums.y[k]
    for i in range(pinned):
        if P[1, i] == k:
            residual += F[C, P[0, i]] * max(sums.x[k] - F[B, P[0, i]], 0.0)
    return residual


@compiled
def _is_held_at(sums: Sums, slots: Slots, j: int, k: int, pinned: int) -> bool:
    """Filippov's condition for neuron j, which stands beside datum k or is pinned to it."""
    F, p = slots.F, slots.slot[j]
    own = sums.w[k] * _residual(sums, slots, k, p, pinned)
    right = F[R0, p] + F[X0, p]
    if slots.pin[j] == k:
        right -= F[X0, p]  # what a neuron left of its datum sees of it
    elif slots.gap[p] <= k:
        right -= own
    return is_held(F[C, p] * right, F[C, p] * (right + own), 0.0, k, sums.x.shape[0])


@compiled
def _move_leavers(sums: Sums, slots: Slots) -> int:
    """Put every bias that left its home into its new gap; rows (neuron, old pin, datum met), their number."""
    x, F, pin, met = sums.x, slots.F, slots.pin, slots.met
    listed = 0
    for p in range(slots.gap.shape[0]):
        j = slots.order[p]
        if not F[LO, p] <= F[B, p] < F[HI, p] or (pin[j] >= 0 and abs(F[B, p] - x[pin[j]]) > slots.reach[j]):
            met[listed, 0] = j
            listed += 1
    count = 0
    for i in range(listed):
        j = met[i, 0]
        p = slots.slot[j]
        k = pin[j]
        g = slots.gap[p]
        target = gap_near(x, F[B, p], g)
        if k >= 0 and (target == k or target == k + 1):
            datum = k
        elif target == g:
            continue
        else:
            datum = crossed_datum(g, target)
            pin[j] = -1
            bound(x, F, target, -1, move_to_gap(sums, slots, p, target))
        count = write_change(met, count, j, k, datum)  # its old pin for the kind, which is not known yet
    return count


@compiled
def judge_crossings(sums: Sums, slots: Slots, now: int) -> int:
    """Put every bias that left its home where it belongs, and judge it. The number of changes.

    Row i of `met` receives neuron, kind and datum. All biases are put into their new
    gaps before any is judged, and all are judged before any is pinned, so that their
    order does not matter. P is stale afterwards.
    """
    x, F, pin, reach, recent, met = sums.x, slots.F, slots.pin, slots.reach, slots.recent, slots.met
    leavers = _move_leavers(sums, slots)
    if leavers == 0:
        return 0
    pinned = list_pinned(sums, slots)
    suffix_sums(count_live(slots, x.shape[0]), sums.middle, slots.F, slots.P, slots.R, pinned)
    for i in range(leavers):
        slots.R[0, i] = 1.0 * _is_held_at(sums, slots, met[i, 0], met[i, 2], pinned)
    count = 0
    for i in range(leavers):
        j, old, datum = met[i, 0], met[i, 1], met[i, 2]
        p = slots.slot[j]
        near = max(2.0 * abs(F[B, p] - x[datum]), smallest_reach(x))
        held = slots.R[0, i] > 0.0
        if pin[j] == datum:
            if held:
                reach[j] = near
                continue
        else:
            turned = recent[0, j] == datum and now - recent[1, j] <= TURN and can_hold(datum, x.shape[0])
            reach[j] = max(near, 2.0 * reach[j]) if turned else near
            held |= turned
        recent[0, j] = datum
        recent[1, j] = now
        pin[j] = datum if held else -1
        target = datum + 1 if held else gap_near(x, F[B, p], slots.gap[p])
        bound(x, F, target, pin[j], move_to_gap(sums, slots, p, target))
        kind = PINNED if held else (RELEASED if old >= 0 else CROSSED)
        count = write_change(met, count, j, kind, old if old >= 0 and not held else datum)
    return count
