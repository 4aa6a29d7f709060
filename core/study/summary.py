"""What many runs say together: quantiles of the loss, and how many have reached a loss.

Order statistics, which are exact: sorting and the mean of two neighbours, no sum over all runs. It is not
np.quantile, which returns nan between two infinite losses, those of runs that diverged.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..types import FloatArray
from .curve import GRID, ROUND, Curve

ROUND_SECONDS = tuple(float(f"{digit}e{decade}") for decade in range(-6, 6) for digit in ROUND)
"""Eight round seconds a decade, from a millionth to days."""


class Bands(NamedTuple):
    """Quantiles of the loss of a group of runs at the epochs of the grid."""

    epochs: FloatArray
    quantiles: FloatArray
    """one row a share"""


def quantile(ordered: Sequence[float] | FloatArray, share: float) -> float:
    """The quantile of ascending values, between two of them on the line through both.

    Parameters
    ----------
    ordered
        The values; infinite ones come last.
    share
        0 for the least, 1 for the largest.

    Returns
    -------
    float
        The quantile.

    Examples
    --------
    >>> from core.study import quantile
    >>> quantile([1.0, 2.0, 4.0], 0.75)
    3.0
    """
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    low, high = float(ordered[below]), float(ordered[above])
    return low if low == high or place == below else low + (place - below) * (high - low)


def bands(curves: Sequence[Curve], shares: Sequence[float]) -> Bands:
    """Quantiles over runs; a run that has ended keeps the loss that it ended with.

    Parameters
    ----------
    curves
        The losses of each run at the epochs of the grid (`curve_of`).
    shares
        Which quantiles.

    Returns
    -------
    Bands
        The epochs, and a row for each share.

    Examples
    --------
    >>> import numpy as np
    >>> from core.study import bands
    >>> bands([np.float32([4, 2, 1]), np.float32([8, 4])], [0.5]).quantiles.tolist()
    [[6.0, 3.0, 2.5]]
    """
    length = max((len(curve) for curve in curves), default=0)
    epochs = np.array(GRID[:length])
    found = np.empty((len(shares), length))
    if length:
        table = np.array([np.append(curve, np.full(length - len(curve), curve[-1])) for curve in curves])
        table = np.sort(np.where(np.isnan(table), np.inf, table.astype(np.float64)), axis=0)
        for row, share in enumerate(shares):
            found[row] = [quantile(table[:, column], share) for column in range(length)]
    return Bands(epochs, found)


def medians_over_seconds(
    curves: Sequence[Curve], clocks: Sequence[FloatArray]
) -> tuple[FloatArray, FloatArray]:
    """The median loss of runs at round seconds, from when the first of them has moved until all have ended.

    Parameters
    ----------
    curves
        The losses of each run at the epochs of the grid.
    clocks
        The seconds that each run took to these epochs.

    Returns
    -------
    tuple of two arrays
        Seconds and medians.

    Examples
    --------
    >>> import numpy as np
    >>> from core.study import medians_over_seconds
    >>> curves, clocks = [np.float32([4, 2]), np.float32([8, 4])], [np.array([0.0, 1e-3])] * 2
    >>> [part.tolist() for part in medians_over_seconds(curves, clocks)]
    [[0.001], [3.0]]
    """
    ends = [clock[len(curve) - 1] for curve, clock in zip(curves, clocks, strict=True)]
    begins = [clock[min(1, len(curve) - 1)] for curve, clock in zip(curves, clocks, strict=True)]
    moments = np.array(ROUND_SECONDS)
    first, last = np.searchsorted(moments, [min(begins, default=0.0), max(ends, default=0.0)])
    moments = moments[first : last + 1]
    found = np.empty((len(curves), len(moments)))
    for row, (curve, clock) in enumerate(zip(curves, clocks, strict=True)):
        found[row] = curve[np.searchsorted(clock[: len(curve)], moments, side="right") - 1]
    found = np.sort(np.where(np.isnan(found), np.inf, found), axis=0)
    return moments, np.array([quantile(column, 0.5) for column in found.T] if curves else [])


def reached(epochs_to: Sequence[float | None]) -> tuple[list[float], list[float]]:
    """Epochs at which one run more has reached a loss, and the share of all runs that have by then.

    Parameters
    ----------
    epochs_to
        When each run reached it; None for those that did not.

    Returns
    -------
    tuple of two lists
        Ascending epochs, and shares.

    Examples
    --------
    >>> from core.study import reached
    >>> reached([30.0, None, 10.0, 20.0])
    ([10.0, 20.0, 30.0], [0.25, 0.5, 0.75])
    """
    times = sorted(epoch for epoch in epochs_to if epoch is not None)
    return times, [(place + 1) / len(epochs_to) for place in range(len(times))]
