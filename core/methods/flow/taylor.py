"""The explicit step: the Taylor series of the flow.

The equations of a stage are polynomials in b and c, so that the coefficients of the solution's Taylor
series follow from each other: if b = sum B_k t^k and c = sum C_k t^k, products become convolutions, and the
sums over the groups are taken for every k as for k = 0. With order 16 that is 16 passes over the groups and
some 400 multiplications for each neuron. One such step goes as far as some fifty evaluations of a
multi-step method with the same tolerance, needs no start-up after an event, and its polynomial is accurate
everywhere in the step.

An explicit step cannot be much longer than the fastest decay. Where the solution has become slow in
comparison, the implicit step (core.methods.flow.radau) takes over: core.methods.flow.pace decides when.
"""

import numpy as np

from ...compiled import compiled_ieee
from ...types import FloatArray
from .system import R0, R1, Base, G, K, System, bound_rates
from .tolerance import FAILED, Tolerance, measure

ORDER = 16
"""A power of two: the step length is a sixteenth root, four square roots."""
LONGEST = 16.0
"""Largest step, in units of the reciprocal rate bound; stability ends well before."""
SAFETY = 0.9


@compiled_ieee
def expand(system: System, base: Base, unit: float, series: FloatArray, pull: FloatArray) -> None:
    """The coefficients of (b, c) into `series` (ORDER + 1, 2, n), time counted in `unit`.

    Row 0 is the base's c, and 0 in place of b, since only changes of b count. `pull` (ORDER, 2, groups)
    receives the coefficients of G and K.
    """
    n, groups = system.free.size, system.weight.size
    arm, product = np.empty(n), np.empty(n)
    for j in range(n):
        arm[j] = system.mean[system.group[j]] - base.b[j]
        series[0, 0, j], series[0, 1, j] = 0.0, base.c[j]
    by_neuron = np.empty((ORDER, n))
    for k in range(ORDER):
        row = pull[k]
        if k == 0:
            row[0] = base.residual[R0]
            row[1] = base.residual[R1]
        else:
            product[:] = 0.0
            for i in range(1, k + 1):
                for j in range(n):
                    product[j] += series[i, 0, j] * series[k - i, 1, j]
            slope, value = 0.0, 0.0
            for g in range(groups):
                value += slope * system.stride[g]
                for j in range(system.bounds[g], system.bounds[g + 1]):
                    slope += series[k, 1, j]
                    value += series[k, 1, j] * arm[j] - product[j]
                row[R0, g] = system.weight[g] * value
                row[R1, g] = system.sxx[g] * slope
        for g in range(groups - 2, -1, -1):
            row[K, g] += row[K, g + 1] + row[G, g + 1] * system.stride[g + 1]
            row[G, g] += row[G, g + 1]
        scale = unit * system.s / (k + 1)
        b_next, c_next = series[k + 1, 0], series[k + 1, 1]
        for j in range(n):
            g = system.group[j]
            by_neuron[k, j] = row[G, g]
            b_next[j] = 0.0
            c_next[j] = row[K, g] + row[G, g] * arm[j]
        for i in range(k + 1):
            for j in range(n):
                b_next[j] += series[i, 1, j] * by_neuron[k - i, j]
                c_next[j] -= series[i, 0, j] * by_neuron[k - i, j]
        for j in range(n):
            b_next[j] *= system.free[j] * scale
            c_next[j] *= -scale


@compiled_ieee
def step_by_series(
    system: System, base: Base, tolerance: Tolerance, longest: float
) -> tuple[float, FloatArray]:
    """The step's length h and its terms (ORDER, 2, n): the change after theta h is sum theta^k terms[k - 1].

    The last two terms are within the tolerance, so the rest of the series is, too. The length is 0 where
    the series has no finite terms.
    """
    n, groups = system.free.size, system.weight.size
    series, pull = np.empty((ORDER + 1, 2, n)), np.empty((ORDER, 2, groups))
    strongest, total = 0.0, 0.0
    for g in range(groups - 1, -1, -1):
        total += base.residual[R0, g]
        strongest = max(strongest, abs(total))
    unit = 1.0 / (bound_rates(system, base.b, base.c) + system.s * strongest)
    expand(system, base, unit, series, pull)
    last = measure(system, base, series[ORDER], tolerance)
    before = measure(system, base, series[ORDER - 1], tolerance)
    if not max(last, before) < FAILED or not 0.0 < unit < np.inf:
        return 0.0, series[1:]
    length = min(LONGEST, longest / unit)
    if last > 0.0:
        length = min(length, SAFETY / np.sqrt(np.sqrt(np.sqrt(np.sqrt(last)))))
    while before * power_of(length, ORDER - 1) > 1.0:
        length *= 0.8
    terms = series[1:].copy()
    for k in range(ORDER):
        factor = power_of(length, k + 1)
        for row in range(2):
            for j in range(n):
                terms[k, row, j] *= factor
    return length * unit, terms


@compiled_ieee
def power_of(base: float, exponent: int) -> float:
    """An integer power by repeated multiplication: the same bits everywhere."""
    product = 1.0
    for _ in range(exponent):
        product *= base
    return product
