"""How exactly the flow is integrated, in the units of the problem.

Data of size Y on an interval of size X have biases of size X and coefficients of size Y/X. Absolute
tolerances and thresholds are multiples of these, so that a problem in other units is the same problem.
Besides the parameters the *lines* count: two neurons far left of the data may hold each other with
coefficients a million times larger than their joint effect, and an error that is small beside each of them
would be large in the residual.
"""

from typing import NamedTuple

import numpy as np

from ...compiled import compiled_ieee
from ...portable.sums import weighted_square
from ...problem.data import TrainingData
from ...types import FloatArray
from .system import Base, System, find_loss

RELATIVE, ABSOLUTE = 1e-11, 1e-13
"""Error of a step, relative to a parameter and to its unit."""
NOISE = 2e-10
"""Threshold of a velocity over rms(y) |c_j|: twenty times what RELATIVE leaves in the residual."""
SMALL = 0.01
"""Below so many units coefficients have the threshold of this one: it must not vanish where c_j
changes sign."""
NEAR = 1e-9
"""A bias this far from a datum (over X) has left it."""
TIE = 1e-12
"""Biases this close to a datum (over X) at the time of an event arrive together."""
LINE_ROUNDING = 100.0 * 2.0**-52
"""What rounding leaves of a line's value, relative to the terms that it is the sum of."""


FAILED = 1e300
"""Error of a step that could not be taken."""


class Tolerance(NamedTuple):
    """Allowed errors of a step."""

    relative: float
    b: float
    c: float
    line: float
    """Of the values of the network at the data."""


class Sizes(NamedTuple):
    """The sizes of a problem."""

    middle: float
    """Middle of the data."""
    x: float
    """Largest distance of a datum from there."""
    y: float
    """rms(y); 1 if all y are 0."""
    c: float
    """y/x, the size of a slope."""


def sizes_of(data: TrainingData) -> Sizes:
    """The sizes of the data."""
    low, high = float(data.x[0]), float(data.x[-1])
    mean_square = weighted_square(data.w, data.y) / data.weight
    x, y = 0.5 * (high - low), float(np.sqrt(mean_square)) or 1.0
    return Sizes(0.5 * (low + high), x, y, y / x)


@compiled_ieee
def sum_terms(system: System, b: FloatArray, c: FloatArray, middle: float) -> float:
    """The size of what cancels in a line's value: sum of |c_j| |x - b_j|, with b_j and x as far as they are
    from 0."""
    last = system.mean.size - 1
    total = 0.0
    for j in range(system.free.size):
        total += abs(c[j]) * (abs(system.mean[last] - b[j]) + abs(middle))
    return total


@compiled_ieee
def set_tolerance(system: System, base: Base, sizes: Sizes) -> Tolerance:
    """The tolerance of a step from `base`."""
    rms = np.sqrt(find_loss(system, base.residual))
    line = RELATIVE * max(sizes.y, rms) + LINE_ROUNDING * sum_terms(system, base.b, base.c, sizes.middle)
    return Tolerance(RELATIVE, ABSOLUTE * sizes.x, ABSOLUTE * sizes.c, line)


@compiled_ieee
def measure(system: System, base: Base, change: FloatArray, tolerance: Tolerance) -> float:
    """Size of a small change of the parameters, in units of what is allowed: 1 is just allowed."""
    largest, total = 0.0, 0.0
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
            total += of_b + of_c  # not a number, unlike the largest, if one of them is not
        ends = max(abs(value), abs(value + slope * system.edge[1, g]))
        largest = max(largest, ends / tolerance.line)
    return largest if total < FAILED else FAILED
