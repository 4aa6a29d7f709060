"""The compiled epoch loops.

core.descent.sorted_neurons derives their O(n) gradient, core.descent.pinning says what a crossing means.

Every kernel changes b, c, order, pin, reach, recent (and Adam's moments) in place, in
neuron order, and writes what happened at the last change of the pattern to
`changes`. The epoch loops return

    done      epochs done; fewer than asked after a change (with stop_at_change) or very many crossings
    stages    epochs at which the pattern changed
    last      the last of them, counted from the call
    count     number of rows of `changes` that are valid
    finite    False when the sums overflow: the step is too large
    still     whether the last epoch changed nothing at all (GD only)

and are functions of their arguments alone, so that n epochs in one call and in
any number of calls give the same bits.
"""

import numpy as np
from numba import njit

from core.descent.gradient import FEW, HUGE, descend_few, descend_many, follow_hops, suffix_sums
from core.descent.pinning import settle
from core.descent.sorted_neurons import (
    HI,
    LO,
    MB,
    MC,
    R0,
    R1,
    VB,
    VC,
    B,
    C,
    count_live,
    list_pinned,
    load,
    prefix_sums,
    store,
)
from core.types import FloatArray, IntArray

SETTLED = 400_000
"""Slots looked at beside the epochs themselves, after which a call returns: where every epoch crosses data it
would take many times as long as epochs usually do."""
TINY = 1e-290
"""Moments below this are 0: beside epsilon they are nothing."""


@njit(cache=True)
def gd_epochs(
    x: FloatArray,
    y: FloatArray,
    table: FloatArray,
    shift: float,
    b: FloatArray,
    c: FloatArray,
    order: IntArray,
    pin: IntArray,
    reach: FloatArray,
    recent: IntArray,
    learning_rate: float,
    before: int,
    epochs: int,
    stop_at_change: bool,
    changes: IntArray,
) -> tuple[int, int, int, int, bool, bool]:
    """Gradient descent on the mean squared loss: b += eta s c G, c -= eta s (H - b G)."""
    n, m = b.shape[0], x.shape[0]
    F, gap, slot = load(x, table, b, c, order, pin)
    P, R = np.empty((3, n), dtype=np.int64), np.empty((3, n))
    met = np.empty((n, 3), dtype=np.int64)
    earlier = np.empty((2, n))
    pinned = list_pinned(pin, gap, order, F, P)
    live = count_live(gap, m)
    rate = learning_rate * 2.0 / m
    done, stages, last, count = 0, 0, 0, 0
    settled, finite = 0, True
    while done < epochs and settled < SETTLED:
        ahead = epochs - done - 1
        if ahead == 0:
            earlier[:] = F[:2]
            ahead = 1
        if live <= FEW:
            went, left, finite = descend_few(live, x, y, shift, F, order, P, pinned, R, reach, rate, ahead)
        else:
            went, left, finite = descend_many(live, x, y, shift, F, order, P, pinned, R, reach, rate, ahead)
        done += went
        if not finite:
            break
        if left:
            settled += n
            changed = settle(
                x, y, table, shift, F, gap, order, slot, pin, reach, recent, before + done, P, R, met
            )
            pinned = list_pinned(pin, gap, order, F, P)
            live = count_live(gap, m)
            if changed > 0:
                stages += 1
                last = done
                count = changed
                changes[:count] = met[:count]
                if stop_at_change:
                    break
    still = finite and done == epochs and last < done and bool(np.all(earlier == F[:2]))
    store(F, order, b, c)
    return done, stages, last, count, finite, still


@njit(cache=True, error_model="numpy")  # a check for division by zero would keep the loops from vectorising
def _adam_step(
    F: FloatArray,
    value: int,
    gradient: int,
    first: int,
    second: int,
    beta1: float,
    beta2: float,
    step: float,
    scale: float,
    epsilon: float,
) -> None:
    """Adam on row `value` of F; `step` and `scale` hold the learning rate and the bias corrections."""
    n = F.shape[1]
    for p in range(n):
        mean = beta1 * F[first, p] + (1.0 - beta1) * F[gradient, p]
        # A dead neuron's mean decays for ever: stop it before it gets denormal, which is slow.
        F[first, p] = mean if abs(mean) > TINY else 0.0
    for p in range(n):
        square = beta2 * F[second, p] + (1.0 - beta2) * (F[gradient, p] * F[gradient, p])
        F[second, p] = square if square > TINY else 0.0
    for p in range(n):
        F[value, p] -= step * F[first, p] / (scale * np.sqrt(F[second, p]) + epsilon)


@njit(cache=True)
def _adam_until(
    n: int,
    x: FloatArray,
    y: FloatArray,
    shift: float,
    F: FloatArray,
    order: IntArray,
    P: IntArray,
    pinned: int,
    R: FloatArray,
    reach: FloatArray,
    learning_rate: float,
    beta1: float,
    beta2: float,
    epsilon: float,
    before: int,
    epochs: int,
) -> tuple[int, bool, bool]:
    """Adam with n live slots until a bias leaves its home: epochs done, whether one left, finite."""
    s = 2.0 / x.shape[0]
    step, scale = learning_rate, 1.0
    # Beyond this epoch both bias corrections are 1 to the last bit.
    corrected = 42.0 / -np.log(max(beta1, beta2, 1e-300))
    done, left = 0, False
    while done < epochs and not left:
        if not suffix_sums(n, x, y, shift, F, P, pinned, R) < HUGE:
            return done, False, False
        for p in range(n):
            F[R1, p] = s * (F[R1, p] - (F[B, p] - shift) * F[R0, p])
            F[R0, p] = -s * (F[C, p] * F[R0, p])
        for p in range(n, F.shape[1]):  # dead, but momentum may bring it back
            F[R0, p] = 0.0
            F[R1, p] = 0.0
        done += 1
        if before + done <= corrected:
            step = learning_rate / (1.0 - beta1 ** float(before + done))
            scale = 1.0 / np.sqrt(1.0 - beta2 ** float(before + done))
        _adam_step(F, B, R0, MB, VB, beta1, beta2, step, scale, epsilon)
        _adam_step(F, C, R1, MC, VC, beta1, beta2, step, scale, epsilon)
        for p in range(F.shape[1]):
            left |= (F[B, p] < F[LO, p]) | (F[B, p] >= F[HI, p])
        if pinned > 0:
            left |= follow_hops(x, F, order, P, pinned, R, reach)
    return done, left, True


@njit(cache=True)
def adam_epochs(
    x: FloatArray,
    y: FloatArray,
    table: FloatArray,
    shift: float,
    b: FloatArray,
    c: FloatArray,
    order: IntArray,
    pin: IntArray,
    reach: FloatArray,
    recent: IntArray,
    moments: FloatArray,
    learning_rate: float,
    beta1: float,
    beta2: float,
    epsilon: float,
    before: int,
    epochs: int,
    stop_at_change: bool,
    changes: IntArray,
) -> tuple[int, int, int, int, bool]:
    """Adam on (b, c); `moments` (4, n) are first and second of b, then of c."""
    n, m = b.shape[0], x.shape[0]
    F, gap, slot = load(x, table, b, c, order, pin)
    for p in range(n):
        for i in range(4):
            F[MB + i, p] = moments[i, order[p]]
    P, R = np.empty((3, n), dtype=np.int64), np.empty((3, n))
    met = np.empty((n, 3), dtype=np.int64)
    pinned = list_pinned(pin, gap, order, F, P)
    live = count_live(gap, m)
    done, stages, last, count = 0, 0, 0, 0
    settled, finite = 0, True
    while done < epochs and settled < SETTLED:
        went, left, finite = _adam_until(
            *(live, x, y, shift, F, order, P, pinned, R, reach),
            *(learning_rate, beta1, beta2, epsilon, before + done, epochs - done),
        )
        done += went
        if not finite:
            break
        if left:
            settled += n
            changed = settle(
                x, y, table, shift, F, gap, order, slot, pin, reach, recent, before + done, P, R, met
            )
            pinned = list_pinned(pin, gap, order, F, P)
            live = count_live(gap, m)
            if changed > 0:
                stages += 1
                last = done
                count = changed
                changes[:count] = met[:count]
                if stop_at_change:
                    break
    store(F, order, b, c)
    for p in range(n):
        for i in range(4):
            moments[i, order[p]] = F[MB + i, p]
    return done, stages, last, count, finite


def warm() -> None:
    """Compile every kernel (or load it from the cache on disk) before the first run needs it."""
    x, y = np.array([0.0, 1.0]), np.array([0.0, 1.0])
    x.setflags(write=False)  # as in TrainingData: another type to the compiler
    y.setflags(write=False)
    table, shift = prefix_sums(x, y)
    b, c = np.array([-1.0]), np.array([1.0])
    order, pin, reach = np.zeros(1, dtype=np.int64), np.full(1, -1, dtype=np.int64), np.zeros(1)
    changes = np.zeros((1, 3), dtype=np.int64)
    network = (x, y, table, shift, b, c, order, pin, reach, np.zeros((2, 1), dtype=np.int64))
    gd_epochs(*network, 1e-3, 0, 1, False, changes)
    adam_epochs(*network, np.zeros((4, 1)), 1e-3, 0.9, 0.999, 1e-8, 0, 1, False, changes)
