"""Descent with momentum: Polyak's heavy ball (1964) and Nesterov's gradient (1983), O(n) an epoch.

Both keep a velocity v for every bias and coefficient, v <- mu v - eta g. The heavy ball steps by v.
Nesterov's takes the gradient at the point to which v would lead; counted from there, as is usual, it is the
gradient at the present point, and the step is mu v - eta g with the new v. Along a slope that goes on both
are 1/(1 - mu) times as fast as gradient descent. Across a valley of curvature lambda the heavy ball is stable
up to eta lambda = 2 (1 + mu), Nesterov's up to 2 (1 + mu)/(1 + 2 mu).

The gradient, the slots and the pins are those of gradient descent. A dead neuron has no gradient, but its
velocity lasts and may bring it back.
"""

from typing import NamedTuple

from ...compiled import compiled
from ...methods.stepping.epochs import FORGOTTEN, Descended, run_epochs
from ...methods.stepping.gradient import OVERFLOWING, follow_hops, smallest_reach, suffix_sums
from ...methods.stepping.slots import HI, LO, MEMORY, R0, R1, X0, X1, B, C, Network, Slots, Sums
from ...types import FloatArray, IntArray


class MomentumRule(NamedTuple):
    """Hyper-parameters of the steps."""

    learning_rate: float
    momentum: float
    """mu, the share of the velocity that is kept in an epoch."""
    ahead: bool
    """Whether the gradient is taken where the velocity leads: Nesterov's."""


@compiled
def _step(F: FloatArray, value: int, gradient: int, velocity: int, rule: MomentumRule, rate: float) -> None:
    """One step of row `value` of F; the gradient must lack its factor s, which is in the rate."""
    mu = rule.momentum
    for p in range(F.shape[1]):
        push = rate * F[gradient, p]
        v = mu * F[velocity, p] - push
        # A dead neuron's velocity decays for ever: stop it before it gets denormal, which is slow.
        v = v if abs(v) > FORGOTTEN else 0.0
        F[velocity, p] = v
        F[value, p] += mu * v - push if rule.ahead else v


@compiled
def momentum_until(
    rule: MomentumRule,
    n: int,
    sums: Sums,
    slots: Slots,
    pinned: int,
    before: int,  # noqa: ARG001
    epochs: int,
) -> tuple[int, bool, bool]:
    """Step with n live slots until a bias leaves its home: epochs done, whether one left, finite."""
    F, P, R, order, reach = slots.F, slots.P, slots.R, slots.order, slots.reach
    shift, smallest = sums.middle, smallest_reach(sums.x)
    rate = rule.learning_rate * sums.scale
    done, left = 0, False
    while done < epochs and not left:
        if not suffix_sums(n, shift, F, P, R, pinned) < OVERFLOWING:
            return done, False, False
        for p in range(n):
            seen = F[R0, p] + F[X0, p]
            F[R1, p] = F[R1, p] + F[X1, p] - (F[B, p] - shift) * seen
            F[R0, p] = -(F[C, p] * seen)
        for p in range(n, F.shape[1]):
            F[R0, p] = 0.0
            F[R1, p] = 0.0
        done += 1
        _step(F, B, R0, MEMORY, rule, rate)
        _step(F, C, R1, MEMORY + 1, rule, rate)
        for p in range(F.shape[1]):
            left |= (F[B, p] < F[LO, p]) | (F[B, p] >= F[HI, p])
        if pinned > 0:
            left |= follow_hops(F, P, R, order, reach, smallest, pinned)
    return done, left, True


@compiled
def momentum_epochs(
    sums: Sums,
    network: Network,
    velocity: FloatArray,
    rule: MomentumRule,
    before: int,
    epochs: int,
    stop_at_change: bool,
    changes: IntArray,
) -> Descended:
    """Epochs of descent with momentum; `velocity` (2, n) is that of b, then of c. See `run_epochs`."""
    return run_epochs(momentum_until, rule, sums, network, velocity, before, epochs, stop_at_change, changes)
