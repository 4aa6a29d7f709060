"""Which step to take, and how long: explicit where the flow is quick, implicit where it is stiff.

Every event kinks the solution and stirs the fast directions anew. So the segment after it starts with
explicit steps, which are cheap and need no guess of their length. If no event comes within EXPLICIT of them
they are held up by stability. The implicit method then tries 2 WORTH = 8 times their length, and more from
step to step. Should its steps come out too short to be worth their price, the explicit method has another
turn.

Lengths follow from errors of order 8 by three square roots. The choice depends on nothing but the steps
since the start of the segment, so that it is the same in every repetition.
"""

from typing import NamedTuple

import numpy as np

from ...compiled import compiled_ieee
from .polynomial import Step
from .radau import step_by_collocation
from .system import Base, System
from .taylor import ORDER, SAFETY, step_by_series
from .tolerance import FAILED, Tolerance

EXPLICIT = 10
"""Explicit steps in a row: about the price of an implicit one."""
WORTH = 4.0
"""An implicit step must be so many times as long as an explicit one."""
ATTEMPTS = 12
GROWTH = 8.0
SHRINKAGE = 0.1
SLOW = 50
"""More right-hand sides than these for a step say that Newton's method would not bear a longer one."""
FAMILIAR = 2.0
"""Up to this ratio of two lengths the old polynomial is continued as a guess for the new step."""


class Pace(NamedTuple):
    """What the steps so far say about the next one."""

    explicit: int
    """Explicit steps to take before the next implicit one."""
    length: float
    """Length of the next implicit step."""
    quick: float
    """Length of the last explicit step."""
    familiar: float
    """Length of the last step if it was implicit, else 0."""
    spent: int
    """Right-hand sides of all steps so far."""


def first_pace(length: float) -> Pace:
    """At the start of a segment, where an implicit step of this length seems right; 0: nothing is known."""
    return Pace(0 if length > 0.0 else EXPLICIT, length, 0.0, 0.0, 0)


@compiled_ieee
def correct(error: float) -> float:
    """The factor that brings an error of order 8 to just below 1."""
    root = np.sqrt(np.sqrt(np.sqrt(error)))
    return min(GROWTH, SAFETY / root) if root > 0.0 else GROWTH


@compiled_ieee
def take_step(
    system: System, base: Base, pace: Pace, last: Step, tolerance: Tolerance, longest: float
) -> tuple[Pace, float, Step]:
    """The next step after `last`: what it says about the one after, its length, and itself.

    The length is 0 where no step is possible.
    """
    spent = pace.spent
    if pace.explicit == 0:
        length, familiar, rejected = min(pace.length, longest), pace.familiar, False
        for _ in range(ATTEMPTS):
            if length < WORTH * pace.quick and length < longest:
                break
            guess = familiar if length <= FAMILIAR * familiar else 0.0
            error, evaluations, step = step_by_collocation(system, base, length, tolerance, last, guess)
            spent += evaluations
            if error <= 1.0:
                factor = correct(error)
                if rejected or evaluations > SLOW:
                    factor = min(factor, 1.0)
                return Pace(0, length * factor, pace.quick, length, spent), length, step
            length *= 0.25 if error >= FAILED else max(SHRINKAGE, correct(error))
            rejected = True
            if error >= FAILED:
                familiar = 0.0
    length, terms = step_by_series(system, base, tolerance, longest)
    left = pace.explicit - 1 if pace.explicit > 0 else EXPLICIT - 1
    step = Step(base, terms, np.zeros(system.free.size))
    return Pace(left, 2.0 * WORTH * length, length, 0.0, spent + ORDER), length, step
