"""Theorem convergence: a stage that lasts for ever ends at its regression lines; so some stages must end.

If a pattern never changes any more and no coefficient vanishes, the gradient flow
converges to a stationary point: the residual becomes orthogonal to W (core.theory.floor),
and on every U_l the network becomes the line of the best fit P_W y. A free neuron that
is alone in its gap is the kink between the lines on its two sides, so its bias has to
come to where the two lines meet. If that place lies outside its gap, the stage
cannot last: one of its biases will meet a datum, or a pinned one be released. This
is a certificate without solving anything; who ends the stage, and when, it does not say.
"""

from typing import NamedTuple

import numpy as np

from core.model.pattern import Pattern
from core.problem.data import TrainingData
from core.theory.floor import best_fit
from core.types import FloatArray

MARGIN = 1e-9
"""A kink outside its gap by less than this part of the span of the data may be rounding."""
PARALLEL = 1e-12
"""Lines whose slopes differ by less than this part of the larger have no place to meet."""


class Exit(NamedTuple):
    """A reason why a stage must end: the neuron whose kink would have to be where it cannot."""

    neuron: int
    kink: float
    """Where the two lines meet."""


def must_end(data: TrainingData, pattern: Pattern) -> tuple[Exit, ...]:
    """The neurons that cannot stay in their gaps; none where the pattern may last for all that is known."""
    fit = best_fit(data, pattern)
    order = np.argsort(pattern.gap, kind="stable")
    starts = np.unique(pattern.gap[pattern.gap < data.m])
    margin = MARGIN * float(data.x[-1] - data.x[0])
    exits = []
    for neuron in order.tolist():
        gap = int(pattern.gap[neuron])
        alone = int(np.count_nonzero(pattern.gap == gap)) == 1
        if gap == data.m or pattern.pin[neuron] >= 0 or not alone:
            continue
        begin = int(starts[starts < gap].max(initial=0)) if (starts < gap).any() else -1
        end = int(starts[starts > gap].min(initial=data.m))
        left = (0.0, 0.0) if begin < 0 else _line(data, fit, begin, gap)
        right = _line(data, fit, gap, end)
        if left is None or right is None:
            continue
        kink = _meeting(left, right)
        low = float(data.x[gap - 1]) if gap > 0 else -np.inf
        if kink is not None and not low - margin <= kink <= float(data.x[gap]) + margin:
            exits.append(Exit(neuron, kink))
    return tuple(exits)


def _line(data: TrainingData, fit: FloatArray, begin: int, end: int) -> tuple[float, float] | None:
    """Value at 0 and slope of the fit over the data begin..end-1; None where it is open."""
    if end - begin < 2:
        return None
    slope = float((fit[end - 1] - fit[begin]) / (data.x[end - 1] - data.x[begin]))
    return float(fit[begin]) - slope * float(data.x[begin]), slope


def _meeting(left: tuple[float, float], right: tuple[float, float]) -> float | None:
    turn = right[1] - left[1]
    if abs(turn) <= PARALLEL * max(abs(left[1]), abs(right[1])) or turn == 0.0:
        return None
    return -(right[0] - left[0]) / turn
