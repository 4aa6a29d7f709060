"""The implicit step: collocation at the Radau points, by simplified Newton iterations.

Where the fast directions have died away and the slow ones move the network over thousands of times their
rate, an explicit method is held up by decays that are long over. The Radau IIA method with seven stages
(core.flow.collocation; Hairer and Wanner, Solving Ordinary Differential Equations II, section IV.8) is limited by
the smoothness of the solution alone. Its equations A^-1 Z = h f(Z) are solved by Newton's method with the Jacobian of
the step's start, split by the eigenvectors of A^-1 into four systems of the size of one Euler step, each solved
in O(n) (core.flow.elimination).

The error is judged by the defect of the collocation polynomial where it was not asked to satisfy the
equation, at the start:

    (lambda_0 - h J)^-1 (h f(base) - h p'(0)),

the filter in front damping what the stiff directions would add. It is of order 8 and bounds the error of the
polynomial in the whole step; at the end of the step the method is far more accurate.
"""

import numpy as np
from numba import njit

from core.flow.collocation import (
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
    weigh_stages,
)
from core.flow.elimination import Factors, factorise, solve
from core.flow.system import Base, System, find_velocity
from core.flow.tolerance import Tolerance
from core.types import FloatArray

ITERATIONS = 10
ENOUGH = 0.02
"""Newton's method stops when its error is this part of the tolerance."""
FAILED = 1e300
"""Error of a step whose equations were not solved."""


@njit(cache=True, error_model="numpy")
def measure(system: System, base: Base, change: FloatArray, tolerance: Tolerance) -> float:
    """Size of a small change of the parameters, in units of what is allowed: 1 is just allowed."""
    largest = 0.0
    slope, value = 0.0, 0.0
    for g in range(system.weight.size):
        value += slope * system.stride[g]
        for j in range(system.bounds[g], system.bounds[g + 1]):
            db, dc = change[0, j], change[1, j]
            slope += dc
            value += dc * (system.mean[g] - base.b[j]) - base.c[j] * db
            of_b = abs(db) / (tolerance.b + tolerance.relative * abs(base.b[j]))
            of_c = abs(dc) / (tolerance.c + tolerance.relative * abs(base.c[j]))
            largest = max(largest, of_b, of_c)
        ends = max(abs(value), abs(value + slope * system.edge[1, g]))
        largest = max(largest, ends / tolerance.line)
    return largest if largest == largest else np.inf


@njit(cache=True, error_model="numpy")
def iterate(
    system: System, base: Base, h: float, real: Factors, pairs: list[Factors], tolerance: Tolerance, z: FloatArray
) -> tuple[bool, int]:
    """Solve A^-1 Z = h f(Z) from the guess in `z` (7, 2, n), in place; whether it converged, and how soon."""
    n = system.free.size
    sums = np.empty_like(base.residual)
    speed = np.empty((STAGES, 2, n))
    defect = np.empty((STAGES, 2, n))
    update = np.empty((STAGES, 2, n))
    one, one_out = np.empty((2, n)), np.empty((2, n))
    two, two_out = np.empty((2, n), dtype=np.complex128), np.empty((2, n), dtype=np.complex128)
    before, rate = 0.0, 1.0
    for iteration in range(ITERATIONS):
        for i in range(STAGES):
            find_velocity(system, base, z[i], sums, speed[i])
        for i in range(STAGES):
            for row in range(2):
                for j in range(n):
                    defect[i, row, j] = h * speed[i, row, j]
            for k in range(STAGES):
                for row in range(2):
                    for j in range(n):
                        defect[i, row, j] -= INVERSE[i, k] * z[k, row, j]
        one[:] = 0.0
        for i in range(STAGES):
            for row in range(2):
                for j in range(n):
                    one[row, j] += REAL_DUAL[i] * defect[i, row, j]
        solve(system, real, one, one_out)
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
            solve(system, pairs[k], two, two_out)
            for i in range(STAGES):
                re, im = 2.0 * VECTORS[k, i].real, 2.0 * VECTORS[k, i].imag
                for row in range(2):
                    for j in range(n):
                        update[i, row, j] += re * two_out[row, j].real - im * two_out[row, j].imag
        size = 0.0
        for i in range(STAGES):
            size = max(size, measure(system, base, update[i], tolerance))
            for row in range(2):
                for j in range(n):
                    z[i, row, j] += update[i, row, j]
        if not size < FAILED:
            return False, iteration + 1
        if iteration > 0:
            rate = size / before
            if rate >= 1.0:
                return size <= ENOUGH, iteration + 1
            ahead = size * rate / (1.0 - rate)
            if ahead <= ENOUGH:
                return True, iteration + 1
            for _ in range(ITERATIONS - 2 - iteration):
                ahead *= rate
            if ahead > ENOUGH:
                return False, iteration + 1
        elif size <= 1e-3 * ENOUGH:
            return True, iteration + 1
        before = size
    return False, ITERATIONS


@njit(cache=True, error_model="numpy")
def step_by_collocation(
    system: System, base: Base, h: float, tolerance: Tolerance, z: FloatArray
) -> tuple[float, int]:
    """A step of length h; the changes at the c_i into `z` (7, 2, n), which holds a guess.

    Returns its error, 1 if just allowed, and the right-hand sides spent.
    """
    n, groups = system.free.size, system.weight.size
    sums, speed = np.empty_like(base.residual), np.empty((2, n))
    still = np.zeros((2, n))
    find_velocity(system, base, still, sums, speed)
    empty = Factors(1.0, np.empty(n), np.empty(n), base.c, np.empty((11, groups)))
    real = factorise(system, base.b, base.c, sums, h, REAL_SHIFT, empty)
    pairs = [
        factorise(
            system,
            base.b,
            base.c,
            sums,
            h,
            SHIFTS[k],
            Factors(
                SHIFTS[k],
                np.empty(n, dtype=np.complex128),
                np.empty(n),
                base.c,
                np.empty((11, groups), dtype=np.complex128),
            ),
        )
        for k in range(SHIFTS.size)
    ]
    converged, iterations = iterate(system, base, h, real, pairs, tolerance, z)
    spent = 1 + STAGES * iterations
    if not converged:
        return FAILED, spent
    gap, error = np.empty((2, n)), np.empty((2, n))
    for row in range(2):
        for j in range(n):
            slope = 0.0
            for i in range(STAGES):
                slope += START_SLOPE[i] * z[i, row, j]
            gap[row, j] = h * speed[row, j] - slope
    solve(system, real, gap, error)
    size = measure(system, base, error, tolerance)
    if size > 1.0:  # judged once more where the stiff part of the first guess is gone
        find_velocity(system, base, error, sums, still)
        for row in range(2):
            for j in range(n):
                gap[row, j] += h * (still[row, j] - speed[row, j])
        solve(system, real, gap, error)
        size = min(size, measure(system, base, error, tolerance))
        spent += 1
    return (size if size < FAILED else FAILED), spent


@njit(cache=True, error_model="numpy")
def extrapolate(z: FloatArray, ratio: float, guess: FloatArray) -> None:
    """The guess for a step `ratio` times as long as the one with the changes z: its polynomial, continued."""
    weights = np.empty(STAGES)
    n = z.shape[2]
    for i in range(STAGES):
        weigh_stages(1.0 + ratio * NODES[i], weights)
        for row in range(2):
            for j in range(n):
                total = 0.0
                for k in range(STAGES):
                    total += weights[k] * z[k, row, j]
                guess[i, row, j] = total - z[STAGES - 1, row, j]
