"""The implicit step: collocation at the Radau points, by simplified Newton iterations.

Where the fast directions have died away and the slow ones move the network over thousands of times their
rate, an explicit method is held up by decays that are long over. The Radau IIA method with seven stages
(see collocation; Hairer and Wanner, Solving Ordinary Differential Equations II, section IV.8) is
limited by the smoothness of the solution alone. Its equations A^-1 Z = h f(Z) are solved by Newton's method
with the Jacobian of the step's start, split by the eigenvectors of A^-1 into four systems of the size of
one Euler step, each solved in O(n) (see elimination). The explicit step is core.methods.flow.taylor;
core.methods.flow.pace chooses between the two.

The error is judged by the defect of the collocation polynomial where it was not asked to satisfy the
equation, at the start:

    (lambda_0 - h J)^-1 (h f(base) - h p'(0)),

the filter in front damping what the stiff directions would add. It is of order 8 and bounds the error of the
polynomial in the whole step; at the end of the step the method is far more accurate.
"""

import numpy as np

from ...compiled import compiled_ieee
from ...types import FloatArray
from .collocation import (
    DUALS,
    INVERSE,
    NODES,
    REAL_DUAL,
    REAL_SHIFT,
    REAL_VECTOR,
    SHIFTS,
    STAGES,
    START_SLOPE,
    VECTORS,
)
from .elimination import Factors, factorise, solve_factored
from .polynomial import Step, change_at, straighten
from .system import Base, System, find_velocity
from .tolerance import FAILED, Tolerance, measure

ITERATIONS = 12
NEWTON_ACCURACY = 0.02
"""Newton's method stops when its error is this part of the tolerance."""
OVERESTIMATE = 0.03
"""Part of the estimate that the error of the polynomial was seen to reach: a hundredth to a tenth of it."""


@compiled_ieee
def find_bent_velocity(
    system: System, step: Step, i: int, h: float, work: tuple[FloatArray, FloatArray], out: FloatArray
) -> bool:
    """h times the velocity of (sigma, c) at stage i of the step, into `out`; whether the stage is sound.

    sigma = Db (1 + bend Dc) moves with db/dt (1 + bend Dc) + Db bend dc/dt.
    """
    change, sums = work
    sound = straighten(step.terms[i], step.bend, change)
    find_velocity(system, step.base, change, sums, out)
    for j in range(system.free.size):
        bend = step.bend[j]
        out[0, j] = h * (out[0, j] * (1.0 + bend * change[1, j]) + change[0, j] * bend * out[1, j])
        out[1, j] = h * out[1, j]
    return sound


@compiled_ieee
def iterate(
    system: System, step: Step, h: float, real: Factors, pairs: list[Factors], tolerance: Tolerance
) -> tuple[bool, int]:
    """Solve A^-1 Z = h f(Z) from the guess in the step's terms, in place; whether it converged, and
    how soon."""
    n = system.free.size
    z = step.terms
    work = (np.empty((2, n)), np.empty_like(step.base.residual))
    defect = np.empty((STAGES, 2, n))
    update = np.empty((STAGES, 2, n))
    one, one_out = np.empty((2, n)), np.empty((2, n))
    calm = np.zeros_like(step.base.residual)
    two, two_out = np.empty((2, n), dtype=np.complex128), np.empty((2, n), dtype=np.complex128)
    before, earlier = np.inf, np.inf
    for iteration in range(ITERATIONS):
        for i in range(STAGES):
            if not find_bent_velocity(system, step, i, h, work, defect[i]):
                return False, iteration + 1
            for k in range(STAGES):
                for row in range(2):
                    for j in range(n):
                        defect[i, row, j] -= INVERSE[i, k] * z[k, row, j]
        one[:] = 0.0
        for i in range(STAGES):
            for row in range(2):
                for j in range(n):
                    one[row, j] += REAL_DUAL[i] * defect[i, row, j]
        solve_factored(system, real, one, calm, one_out)
        for i in range(STAGES):
            for row in range(2):
                for j in range(n):
                    update[i, row, j] = REAL_VECTOR[i] * one_out[row, j]
        for k in range(SHIFTS.size):
            two[:] = 0.0
            for i in range(STAGES):
                for row in range(2):
                    for j in range(n):
                        two[row, j] += DUALS[k, i] * defect[i, row, j]
            solve_factored(system, pairs[k], two, calm, two_out)
            for i in range(STAGES):
                re, im = 2.0 * VECTORS[k, i].real, 2.0 * VECTORS[k, i].imag
                for row in range(2):
                    for j in range(n):
                        update[i, row, j] += re * two_out[row, j].real - im * two_out[row, j].imag
        size = 0.0
        for i in range(STAGES):
            size = max(size, measure(system, step.base, update[i], tolerance))
            for row in range(2):
                for j in range(n):
                    z[i, row, j] += update[i, row, j]
        if not size < 10.0 * min(before, FAILED):
            return False, iteration + 1
        # directions take turns: a fast gain, then none, so the rate is that of two iterations
        rate = np.sqrt(size / earlier) if iteration > 1 else size / before if iteration > 0 else 1.0
        ahead = size * rate / (1.0 - rate) if rate < 1.0 else np.inf
        if ahead <= NEWTON_ACCURACY or size <= 1e-3 * NEWTON_ACCURACY:
            return True, iteration + 1
        if iteration > 2:
            for _ in range(ITERATIONS - 1 - iteration):
                ahead *= rate
            if ahead > NEWTON_ACCURACY:
                return False, iteration + 1
        before, earlier = size, before
    return False, ITERATIONS


@compiled_ieee
def step_by_collocation(
    system: System, base: Base, h: float, tolerance: Tolerance, last: Step, familiar: float
) -> tuple[float, int, Step]:
    """A step of length h: its error, 1 if just allowed, the right-hand sides spent, and the step itself.

    `familiar` is the length of the `last` step if its polynomial is to be continued as a guess, else 0.
    """
    n = system.free.size
    sums, speed = np.empty_like(base.residual), np.empty((2, n))
    find_velocity(system, base, np.zeros((2, n)), sums, speed)
    step = Step(base, np.zeros((STAGES, 2, n)), choose_bend(system, base, speed, h))
    if familiar > 0.0:
        extrapolate(last, h / familiar, step)
    real = factorise(system, base.b, base.c, sums, h, REAL_SHIFT)
    pairs = [factorise(system, base.b, base.c, sums, h, SHIFTS[k]) for k in range(SHIFTS.size)]
    converged, iterations = iterate(system, step, h, real, pairs, tolerance)
    spent = 1 + STAGES * iterations
    if not converged:
        return FAILED, spent, step
    gap, error = np.empty((2, n)), np.empty((2, n))
    for row in range(2):
        for j in range(n):
            slope = 0.0
            for i in range(STAGES):
                slope += START_SLOPE[i] * step.terms[i, row, j]
            gap[row, j] = h * speed[row, j] - slope
    solve_factored(system, real, gap, np.zeros_like(sums), error)
    size = OVERESTIMATE * measure(system, base, error, tolerance)
    return (size if size < FAILED else FAILED), spent, step


@compiled_ieee
def choose_bend(system: System, base: Base, speed: FloatArray, h: float) -> FloatArray:
    """1/c where the coefficient is far from changing its sign within h, else 0."""
    bend = np.zeros(base.c.size)
    for j in range(base.c.size):
        arm = abs(system.tails[1, system.group[j]] - base.b[j])
        if abs(base.c[j]) > max(4.0 * h * abs(speed[1, j]), arm):
            bend[j] = 1.0 / base.c[j]
    return bend


@compiled_ieee
def extrapolate(last: Step, ratio: float, step: Step) -> None:
    """A guess for a step `ratio` times as long as the last one: its polynomial, continued."""
    n = step.bend.size
    end, change = np.empty((2, n)), np.empty((2, n))
    change_at(last, 1.0, end)
    for i in range(STAGES):
        change_at(last, 1.0 + ratio * NODES[i], change)
        for j in range(n):
            db, dc = change[0, j] - end[0, j], change[1, j] - end[1, j]
            step.terms[i, 0, j] = db * (1.0 + step.bend[j] * dc)
            step.terms[i, 1, j] = dc
