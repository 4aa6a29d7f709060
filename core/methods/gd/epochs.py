"""Gradient descent, epoch by epoch; see core.methods.stepping.epochs for what every loop promises."""

import numpy as np
from numba import njit

from ...model.pattern.hopping import judge_hops, next_rest
from ...portable.powers import portable_pow
from ...types import IntArray
from ..stepping.epochs import CROSSING_WORK, Counts
from ..stepping.gradient import FEW, descend_few, descend_many
from ..stepping.pinning import judge_crossings
from ..stepping.slots import B, Network, Sums, count_live, list_pinned, load, store


@njit(cache=True)
def gd_epochs(
    sums: Sums,
    network: Network,
    learning_rate: float,
    decay: float,
    before: int,
    epochs: int,
    stop_at_change: bool,
    changes: IntArray,
) -> Counts:
    """Gradient descent: b += eta_k s c G, c -= eta_k s (H - b G), with eta_k = eta (1 + k)^-decay."""
    slots = load(sums, network)
    F, n, m = slots.F, network.b.shape[0], sums.x.shape[0]
    earlier = np.empty((2, n))
    pinned, live = list_pinned(sums, slots), count_live(slots, m)
    rate = learning_rate * sums.scale
    hops = network.hops
    rest = next_rest(sums.x[-1], hops, F[B], slots.slot)
    done, stages, last, count, work = 0, 0, 0, 0, 0
    finite = True
    while done < epochs and work < CROSSING_WORK:
        ahead = min(epochs - done - 1, rest - (before + done))
        if done + 1 == epochs:
            earlier[:] = F[:2]
            ahead = 1
        if decay > 0.0:
            ahead = 1
            rate = learning_rate * sums.scale * portable_pow(1.0 + (before + done), -decay)
        if live <= FEW:
            went, left, finite = descend_few(live, sums, slots, pinned, rate, ahead)
        else:
            went, left, finite = descend_many(live, sums, slots, pinned, rate, ahead)
        done += went
        if not finite:
            break
        if left or before + done >= rest:
            work += n
            changed = judge_crossings(sums, slots, before + done) if left else 0
            pinned, live = list_pinned(sums, slots), count_live(slots, m)
            met = slots.met
            changed = judge_hops(sums.x, hops, F[B], slots.slot, slots.pin, met, changed, before + done)
            rest = next_rest(sums.x[-1], hops, F[B], slots.slot)
            if changed > 0:
                stages, last, count = stages + 1, done, changed
                changes[:count] = met[:count]
                if stop_at_change:
                    break
    still = finite and done == epochs and last < done and bool(np.all(earlier == F[:2]))
    store(slots, network.b, network.c)
    return done, stages, last, count, finite, still
