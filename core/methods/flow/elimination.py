"""Linear systems with the Jacobian of the flow, solved in O(n) whatever the width.

An implicit step of length h needs the solution of (lambda - h J) d = r. The Jacobian J is minus the Hessian
of the loss that steps follow (`data.s`),

    J = -s A'A + E,

where A maps a change d = (db, dc) of the parameters to that of the lines on the segments, and E couples b_j
with its own c_j by s G_j. Divided by lambda the system is the condition of a minimum: with kappa = h s /
lambda,

    minimise  sum_j (1/2 d_j' B_j d_j - r_j' d_j / lambda)  +  kappa/2 sum_g (u_g V_g^2 + Sxx_g S_g^2),

over the changes d_j of all neurons, with B_j = I - (h s G_j / lambda) [[0, 1], [1, 0]] and (S_g, V_g) the
changes of slope and of value at mu_g, which run from group to group: S_g = S_{g-1} + sum dc_j and V_g =
V_{g-1} + (mu_g - mu_{g-1}) S_{g-1} + sum (mu_g - b_j) dc_j - c_j db_j. This is a linear-quadratic control
problem along the groups, and dynamic programming solves it. What all data right of a point ask for is one
cost

    1/2 q (V + e S)^2 + 1/2 w S^2  +  eta (V + e S) + omega S:

they act like a cloud of points of weight q and spread w whose centre lies e to the right. Three things happen
to it on the way from right to left.

    moving on by a stride      e grows by it;
    the segment's own data     two clouds merge, as clouds of points do;
    the neurons of a group     can shift (S, V) at a price, which softens the cloud: with the neurons' joint
                               mobility  a (S + m V)^2 + v V^2  (in the same form, merged likewise) it
                               becomes  1/q~ = 1/q + v + a (m + e)^2 / (1 + a w),  w~ = w / (1 + a w),
                               e~ = e - a w (m + e) / (1 + a w).

For real lambda > 0 every term is a sum of numbers of one sign: nothing cancels. For complex lambda with a
positive real part the matrix has a positive real and a definite imaginary part, so that
elimination without pivoting is stable all the same. B_j is positive where h s |G_j| < |lambda|; elsewhere its
coupling is left out, which only costs an iteration of Newton's method.

The same code serves real and complex numbers: the compiler makes one of each. Complex quotients are written
out (`quotient`), because NumPy multiplies by the reciprocal of the denominator where Python and the compiler
divide by it: interpreted and compiled runs would differ in the last bits.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import types
from numba.extending import overload

from ...compiled import compiled_ieee
from ...types import FloatArray
from .system import R0, R1, G, System

SINGULAR = 1e-8
"""Below it |det B_j|^2 is too small."""

Q, E, W, A, M, ONE_QV, ONE_AW, DENOMINATOR, ARM_OFFSET, Q1, E1, W1 = range(12)
"""Rows of `Factors.cloud`: the cost right of the neurons, a and m of their mobility, 1 + q v, 1 + a w,
1 + a w + a q (m + e)^2 / (1 + q v), m + e~, and the cost left of the neurons."""
CLOUD_ROWS = 12


class Factors(NamedTuple):
    """The factorised matrix lambda - h J, entries of the type of lambda."""

    scale: Any
    """1/lambda."""
    coupling: Any
    """(n,) h s G_j / lambda, or 0."""
    arm: FloatArray
    """(n,) mu_g - b_j."""
    c: FloatArray
    cloud: Any
    """(CLOUD_ROWS, groups)"""
    kappa: Any
    """h s / lambda."""


@compiled_ieee
def complex_quotient(a: complex, b: complex) -> complex:
    """a / b for b != 0, by the larger part of b (Smith 1962)."""
    if abs(b.real) >= abs(b.imag):
        ratio = b.imag / b.real
        divisor = b.real + b.imag * ratio
        return complex((a.real + a.imag * ratio) / divisor, (a.imag - a.real * ratio) / divisor)
    ratio = b.real / b.imag
    divisor = b.real * ratio + b.imag
    return complex((a.real * ratio + a.imag) / divisor, (a.imag * ratio - a.real) / divisor)


def quotient(a: Any, b: Any) -> Any:
    """a / b of real or of complex numbers, with the same bits interpreted and compiled."""
    return complex_quotient(complex(a), complex(b)) if isinstance(b, complex) else a / b


@overload(quotient)
def _compiled_quotient(a: Any, b: Any) -> Any:  # noqa: ARG001
    def of_complex(a: Any, b: Any) -> Any:
        return complex_quotient(complex(a), b)

    def of_real(a: Any, b: Any) -> Any:
        return a / b

    return of_complex if isinstance(b, types.Complex) else of_real


@compiled_ieee
def squared_size(value: Any) -> float:
    """|value|^2."""
    return value.real * value.real + value.imag * value.imag


@compiled_ieee
def factorise(
    system: System, b: FloatArray, c: FloatArray, sums: FloatArray, h: float, shift: Any
) -> Factors:
    """Factors of shift - h J at (b, c), where the sums are `sums`."""
    scale = quotient(1.0, shift)
    row = np.zeros(1) * scale
    coupling = np.zeros(system.free.size, dtype=row.dtype)
    cloud = np.zeros((CLOUD_ROWS, system.weight.size), dtype=row.dtype)
    arm = np.empty(system.free.size)
    hs = h * system.s
    kappa = hs * scale
    q, e, w = 0.0 * scale, 0.0 * scale, 0.0 * scale
    for g in range(system.weight.size - 1, -1, -1):
        a, m, v = 0.0 * scale, 0.0 * scale, 0.0 * scale
        for j in range(system.bounds[g], system.bounds[g + 1]):
            arm[j] = system.mean[g] - b[j]
            epsilon = (hs * sums[G, g] * system.free[j]) * scale
            if squared_size(1.0 - epsilon * epsilon) < SINGULAR:
                epsilon = 0.9 * epsilon
            coupling[j] = epsilon
            one = quotient(1.0, 1.0 - epsilon * epsilon)
            place = arm[j] - c[j] * epsilon
            apart = m - place
            v = v + system.free[j] * (c[j] * c[j]) + quotient(a * one, a + one) * (apart * apart)
            m = quotient(a * m + one * place, a + one)
            a = a + one
        own = kappa * system.weight[g]
        both = q + own
        w = w + kappa * system.sxx[g] + quotient(q * own, both) * (e * e)
        e = e * quotient(q, both)
        q = both
        f = m + e
        one_qv = 1.0 + q * v
        one_aw = 1.0 + a * w
        softened = quotient(q, one_qv)
        denominator = one_aw + a * softened * (f * f)
        cloud[Q, g], cloud[E, g], cloud[W, g] = q, e, w
        cloud[A, g], cloud[M, g] = a, m
        cloud[ONE_QV, g], cloud[ONE_AW, g], cloud[DENOMINATOR, g] = one_qv, one_aw, denominator
        cloud[ARM_OFFSET, g] = quotient(f, one_aw)
        q, e = softened * quotient(one_aw, denominator), e - f * quotient(a * w, one_aw)
        w = quotient(w, one_aw)
        cloud[Q1, g], cloud[E1, g], cloud[W1, g] = q, e, w
        e = e + system.stride[g]
    return Factors(scale, coupling, arm, c, cloud, kappa)


@compiled_ieee
def solve_factored(system: System, factors: Factors, r: Any, lines: FloatArray, out: Any) -> None:
    """The solution d (2, n) for the right-hand side r - h s A' lines.

    r (2, n) pushes the parameters, `lines` (2, groups) the lines: it holds sums R0 and R1 as a residual
    does. Given as such, a residual keeps its exact place in the range of A', which as a part of r it would
    lose to rounding.
    """
    scale, coupling, arm, c, cloud, kappa = factors
    linear = np.empty((2, system.weight.size), dtype=cloud.dtype)
    eta, omega = 0.0 * scale, 0.0 * scale
    e_right = 0.0 * scale
    for g in range(system.weight.size - 1, -1, -1):
        push_s, push_v = 0.0 * scale, 0.0 * scale
        for j in range(system.bounds[g], system.bounds[g + 1]):
            epsilon = coupling[j]
            one = quotient(scale, 1.0 - epsilon * epsilon)
            rb, rc = system.free[j] * r[0, j], r[1, j]
            db, dc = one * (rb + epsilon * rc), one * (epsilon * rb + rc)
            push_s += dc
            push_v += arm[j] * dc - (c[j] * system.free[j]) * db
        q, e, w, a = cloud[Q, g], cloud[E, g], cloud[W, g], cloud[A, g]
        omega = omega + eta * (e_right - e) + w * push_s + kappa * (lines[R1, g] - e * lines[R0, g])
        eta = quotient(eta + kappa * lines[R0, g] + q * (push_v + e * push_s), cloud[ONE_QV, g])
        pull = (a * quotient(q, cloud[ONE_QV, g])) * (cloud[M, g] + e)
        eta = quotient(eta * cloud[ONE_AW, g] - pull * omega, cloud[DENOMINATOR, g])
        omega = quotient(omega, cloud[ONE_AW, g])
        linear[0, g], linear[1, g] = eta, omega
        e_right = cloud[E1, g] + system.stride[g]
    slope, value = 0.0 * scale, 0.0 * scale
    for g in range(system.weight.size):
        value = value + slope * system.stride[g]
        e = cloud[E1, g]
        force_v = linear[0, g] + cloud[Q1, g] * (value + e * slope)
        force_s = linear[1, g] + cloud[W1, g] * slope
        for j in range(system.bounds[g], system.bounds[g + 1]):
            epsilon = coupling[j]
            one = quotient(1.0, 1.0 - epsilon * epsilon)
            distance = (arm[j] - cloud[M, g]) + cloud[ARM_OFFSET, g]
            rb = system.free[j] * (scale * r[0, j] + c[j] * force_v)
            rc = (scale * r[1, j] - force_s) - distance * force_v
            db, dc = system.free[j] * (one * (rb + epsilon * rc)), one * (epsilon * rb + rc)
            out[0, j], out[1, j] = db, dc
            slope += dc
            value += arm[j] * dc - c[j] * db
