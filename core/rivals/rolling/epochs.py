"""Descent with memory: Polyak's heavy ball (1964) and Nesterov's accelerated gradient (1983), O(n) an epoch.

Both keep a velocity v for every bias and coefficient, v <- mu v - eta g. The heavy ball steps by v.
Nesterov's takes the gradient at the point to which v would lead; counted from there, as is usual, it is the
gradient at the present point, and the step is mu v - eta g with the new v. Along a slope that goes on both
are 1/(1 - mu) times as fast as gradient descent. Across a valley of curvature lambda the heavy ball is stable
up to eta lambda = 2 (1 + mu), Nesterov's up to 2 (1 + mu)/(1 + 2 mu).

The gradient, the slots and the pins are those of gradient descent. A dead neuron has no gradient, but its
velocity lasts and may bring it back.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from ...methods.stepping.epochs import CROSSING_WORK, TINY, Counts
from ...methods.stepping.gradient import HUGE, follow_hops, smallest_reach, suffix_sums
from ...methods.stepping.pinning import judge_crossings
from ...methods.stepping.slots import (
    HI,
    LO,
    MB,
    MC,
    R0,
    R1,
    B,
    C,
    Network,
    Slots,
    Sums,
    count_live,
    list_pinned,
    load,
    store,
)
from ...model.pattern.hopping import judge_hops, next_rest
from ...types import FloatArray, IntArray


class Memory(NamedTuple):
    """Hyper-parameters of the steps."""

    learning_rate: float
    momentum: float
    """mu, the share of the velocity that is kept in an epoch."""
    ahead: bool
    """Whether the gradient is taken where the velocity leads: Nesterov's."""


@njit(cache=True)
def _step(F: FloatArray, value: int, gradient: int, velocity: int, memory: Memory, rate: float) -> None:
    """One step of row `value` of F; the gradient must lack its factor s, which is in the rate."""
    mu = memory.momentum
    for p in range(F.shape[1]):
        push = rate * F[gradient, p]
        v = mu * F[velocity, p] - push
        # A dead neuron's velocity decays for ever: stop it before it gets denormal, which is slow.
        v = v if abs(v) > TINY else 0.0
        F[velocity, p] = v
        F[value, p] += mu * v - push if memory.ahead else v


@njit(cache=True)
def _roll_until(
    n: int, sums: Sums, slots: Slots, pinned: int, memory: Memory, epochs: int
) -> tuple[int, bool, bool]:
    """Step with n live slots until a bias leaves its home: epochs done, whether one left, finite."""
    F, P, R, order, reach = slots.F, slots.P, slots.R, slots.order, slots.reach
    shift, smallest = sums.middle, smallest_reach(sums.x)
    rate = memory.learning_rate * sums.scale
    done, left = 0, False
    while done < epochs and not left:
        if not suffix_sums(n, shift, F, P, R, pinned) < HUGE:
            return done, False, False
        for p in range(n):
            F[R1, p] -= (F[B, p] - shift) * F[R0, p]
            F[R0, p] = -(F[C, p] * F[R0, p])
        for p in range(n, F.shape[1]):
            F[R0, p] = 0.0
            F[R1, p] = 0.0
        done += 1
        _step(F, B, R0, MB, memory, rate)
        _step(F, C, R1, MC, memory, rate)
        for p in range(F.shape[1]):
            left |= (F[B, p] < F[LO, p]) | (F[B, p] >= F[HI, p])
        if pinned > 0:
            left |= follow_hops(F, P, R, order, reach, smallest, pinned)
    return done, left, True


@njit(cache=True)
def momentum_epochs(
    sums: Sums,
    network: Network,
    velocity: FloatArray,
    memory: Memory,
    before: int,
    epochs: int,
    stop_at_change: bool,
    changes: IntArray,
) -> Counts:
    """Epochs of descent with memory; `velocity` (2, n) is that of b, then of c, and is changed in place."""
    slots = load(sums, network)
    F, n, m = slots.F, network.b.shape[0], sums.x.shape[0]
    for p in range(n):
        F[MB, p], F[MC, p] = velocity[0, network.order[p]], velocity[1, network.order[p]]
    pinned, live = list_pinned(sums, slots), count_live(slots, m)
    earlier = np.empty_like(F[: MC + 1])
    hops = network.hops
    rest = next_rest(sums.x[-1], hops, F[B], slots.slot)
    done, stages, last, count, work = 0, 0, 0, 0, 0
    finite = True
    while done < epochs and work < CROSSING_WORK:
        ahead = min(epochs - done - 1, rest - (before + done))
        if done + 1 == epochs:
            earlier[:] = F[: MC + 1]
            ahead = 1
        went, left, finite = _roll_until(live, sums, slots, pinned, memory, ahead)
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
    still = finite and done == epochs and last < done
    for row in (B, C, MB, MC):
        for p in range(n):
            still = still and earlier[row, p] == F[row, p]
    store(slots, network.b, network.c)
    for p in range(n):
        velocity[0, network.order[p]], velocity[1, network.order[p]] = F[MB, p], F[MC, p]
    return done, stages, last, count, finite, still
