"""A step of the integrator as a polynomial in time.

An explicit step is a Taylor series, an implicit one the polynomial through the points of collocation. Both
are sums of terms with weights that depend on theta in [0, 1] alone: powers of theta, or Lagrange
polynomials.

**Bent coordinates.** While slow parameters wander far, the network's values hardly change: b_j and c_j move
along a curve on which c_j (x - b_j) keeps its value. A straight guess of that curve leaves it at second
order, and where c_j is large the stiff directions multiply the mistake, so that Newton's method fails long
before the solution is rough. In place of the change Db of a bias the implicit step then knows

    sigma = Db (1 + Dc / c),

where Dc is the change of its coefficient and c the coefficient at the base: the line's change
Dc (x - b) - (c + Dc) Db is Dc (x - b) - c sigma, linear. Each neuron's `bend` is 1/c or 0, and
sigma = Db (1 + bend Dc).
"""

from typing import NamedTuple

import numpy as np

from ...compiled import compiled_ieee
from ...types import FloatArray
from .collocation import STAGES, weigh_stages
from .system import Base


class Step(NamedTuple):
    """The changes of (b, c) from `base` on."""

    base: Base
    terms: FloatArray
    """(STAGES or the order of the series, 2, n), in bent coordinates."""
    bend: FloatArray
    """(n,) 1/c of the neurons whose bias is given as sigma, else 0."""


@compiled_ieee
def straighten(bent: FloatArray, bend: FloatArray, out: FloatArray) -> bool:
    """(Db, Dc) from (sigma, Dc); whether no coefficient came near to changing its sign."""
    sound = True
    for j in range(bend.size):
        stretch = 1.0 + bend[j] * bent[1, j]
        sound &= stretch > 0.25
        out[0, j] = bent[0, j] / stretch
        out[1, j] = bent[1, j]
    return sound


@compiled_ieee
def weigh_terms(count: int, theta: float, weights: FloatArray) -> None:
    """The factors of the terms at theta: Lagrange polynomials after an implicit step, else powers."""
    if count == STAGES:
        weigh_stages(theta, weights)
        return
    power = 1.0
    for k in range(count):
        power *= theta
        weights[k] = power


@compiled_ieee
def change_at(step: Step, theta: float, out: FloatArray) -> None:
    """The change of (b, c) at theta, into `out` (2, n)."""
    count = step.terms.shape[0]
    weights = np.empty(count)
    weigh_terms(count, theta, weights)
    out[:] = 0.0
    for k in range(count - 1, -1, -1):  # the small ones of a series first
        weight, term = weights[k], step.terms[k]
        for row in range(2):
            for j in range(out.shape[1]):
                out[row, j] += weight * term[row, j]
    straighten(out, step.bend, out)


@compiled_ieee
def bias_change_at(step: Step, theta: float, j: int) -> float:
    """That of one bias, the same bits."""
    count = step.terms.shape[0]
    weights = np.empty(count)
    weigh_terms(count, theta, weights)
    of_b, of_c = 0.0, 0.0
    for k in range(count - 1, -1, -1):
        of_b += weights[k] * step.terms[k, 0, j]
        of_c += weights[k] * step.terms[k, 1, j]
    return of_b / (1.0 + step.bend[j] * of_c)
