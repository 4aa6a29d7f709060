"""Adam (section 5), epoch by epoch: `_adam_step` is the update, core.methods.stepping.epochs the loop."""

import numpy as np

from ...compiled import compiled, compiled_ieee
from ...portable.logarithm import portable_log
from ...portable.powers import portable_pow
from ...types import FloatArray, IntArray
from ..parameters import AdamSettings
from ..stepping.epochs import FORGOTTEN, Descended, run_epochs
from ..stepping.gradient import OVERFLOWING, follow_hops, smallest_reach, suffix_sums
from ..stepping.slots import HI, LO, MB, MC, R0, R1, X0, X1, B, C, Network, Slots, Sums


@compiled_ieee  # a check for division by zero would keep the loops from vectorising
def _adam_step(
    F: FloatArray, value: int, gradient: int, first: int, adam: AdamSettings, step: float, scale: float
) -> None:
    """Adam on row `value` of F, its moments in the rows `first` and the next.

    `step` and `scale` hold the learning rate and the bias corrections.
    """
    n = F.shape[1]
    second = first + 1
    for p in range(n):
        mean = adam.beta1 * F[first, p] + (1.0 - adam.beta1) * F[gradient, p]
        # A dead neuron's mean decays for ever: stop it before it gets denormal, which is slow.
        F[first, p] = mean if abs(mean) > FORGOTTEN else 0.0
    for p in range(n):
        square = adam.beta2 * F[second, p] + (1.0 - adam.beta2) * (F[gradient, p] * F[gradient, p])
        F[second, p] = square if square > FORGOTTEN else 0.0
    for p in range(n):
        F[value, p] -= step * F[first, p] / (scale * np.sqrt(F[second, p]) + adam.epsilon)


@compiled
def _last_corrected(adam: AdamSettings) -> float:
    """An epoch beyond which both bias corrections are 1 to the last bit: beta^t is below 2^-60 there."""
    beta = max(adam.beta1, adam.beta2)
    return 42.0 / -portable_log(beta) if beta > 0.0 else 1.0


@compiled
def adam_until(
    adam: AdamSettings, n: int, sums: Sums, slots: Slots, pinned: int, before: int, epochs: int
) -> tuple[int, bool, bool]:
    """Adam with n live slots until a bias leaves its home: epochs done, whether one left, finite."""
    corrected = _last_corrected(adam)
    F, P, R, order, reach = slots.F, slots.P, slots.R, slots.order, slots.reach
    s, shift, smallest = sums.scale, sums.middle, smallest_reach(sums.x)
    step, scale = adam.learning_rate, 1.0
    done, left = 0, False
    while done < epochs and not left:
        if not suffix_sums(n, shift, F, P, R, pinned) < OVERFLOWING:
            return done, False, False
        for p in range(n):
            seen = F[R0, p] + F[X0, p]
            F[R1, p] = s * (F[R1, p] + F[X1, p] - (F[B, p] - shift) * seen)
            F[R0, p] = -s * (F[C, p] * seen)
        for p in range(n, F.shape[1]):  # dead, but momentum may bring it back
            F[R0, p] = 0.0
            F[R1, p] = 0.0
        done += 1
        if before + done <= corrected:
            step = adam.learning_rate / (1.0 - portable_pow(adam.beta1, float(before + done)))
            scale = 1.0 / np.sqrt(1.0 - portable_pow(adam.beta2, float(before + done)))
        _adam_step(F, B, R0, MB, adam, step, scale)
        _adam_step(F, C, R1, MC, adam, step, scale)
        for p in range(F.shape[1]):
            left |= (F[B, p] < F[LO, p]) | (F[B, p] >= F[HI, p])
        if pinned > 0:
            left |= follow_hops(F, P, R, order, reach, smallest, pinned)
    return done, left, True


@compiled
def adam_epochs(
    sums: Sums,
    network: Network,
    moments: FloatArray,
    adam: AdamSettings,
    before: int,
    epochs: int,
    stop_at_change: bool,
    changes: IntArray,
) -> Descended:
    """Epochs of Adam (section 5); `moments` (4, n) are first and second of b, then of c. See `run_epochs`."""
    return run_epochs(adam_until, adam, sums, network, moments, before, epochs, stop_at_change, changes)
