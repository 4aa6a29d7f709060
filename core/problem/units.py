"""Data on another scale: an affine map of x and y, part of the problem and of its link.

The paper's step sizes and starting laws belong to data of size one. With
x = 1950..2009 and y in thousands the loss has curvatures of 10^9, and gradient
descent with the usual step jumps far away and oscillates. The network of the
mapped data is the same function in other coordinates, so nothing is lost by
training there; only the map has to be told.
"""

from dataclasses import dataclass, replace
from math import floor, isfinite
from typing import NamedTuple

import numpy as np

from ..portable.logarithm import portable_log10
from ..types import FloatArray
from .data import TrainingData, Truth

MAX_MIDDLE = 3.0
"""x is on another scale when its middle is further than so many half-spans from 0 ..."""
MAX_HALF, MIN_HALF = 30.0, 1.0 / 30.0
"""... or when its half-span, or the range of y, is beyond these."""


SIZE_ONE = 2.5
"""Data that are typed or drawn are trained on as they are up to this size."""


class Units(NamedTuple):
    """x is counted in units of x_unit from x_origin, y likewise."""

    x_origin: float
    x_unit: float
    y_origin: float
    y_unit: float


@dataclass(frozen=True)
class MappedTruth:
    """The function behind mapped data."""

    truth: Truth
    units: Units

    def __call__(self, x: FloatArray) -> FloatArray:
        return (
            self.truth(self.units.x_origin + self.units.x_unit * x) - self.units.y_origin
        ) / self.units.y_unit


def in_units(data: TrainingData, units: Units) -> TrainingData:
    """The data in these units; people are told of them in their own."""
    low, high = ((end - units.x_origin) / units.x_unit for end in data.domain)
    return replace(
        data,
        x=(data.x - units.x_origin) / units.x_unit,
        y=(data.y - units.y_origin) / units.y_unit,
        truth=MappedTruth(data.truth, units) if data.truth is not None else None,
        domain=(low, high),
        scale=data.scale._replace(**units._asdict()),
    )


def fitting_units(data: TrainingData) -> Units:
    """Units in which somebody's x and y lie in [-1, 1], whatever they were; they stand in the link."""
    x_middle, x_half = _middle_and_half(data.x)
    y_middle, y_half = _middle_and_half(data.y)
    if abs(y_middle) <= 1.05 * y_half or y_half == 0.0:
        y_middle, y_half = 0.0, float(np.max(np.abs(data.y))) or 1.0
    return Units(
        _rounded(x_middle, x_half),
        _rounded(x_half, x_half),
        _rounded(y_middle, y_half),
        _rounded(y_half, y_half),
    )


def needed_units(data: TrainingData) -> Units | None:
    """Units for data that were typed or drawn and are not of size one.

    Parameters
    ----------
    data
        The data as they were given.

    Returns
    -------
    Units or None
        Those of `fitting_units`; None where the data are of size one.

    Examples
    --------
    >>> from core.problem import TrainingData, needed_units
    >>> needed_units(TrainingData([0.0, 1000.0], [0.0, 1.0]))
    Units(x_origin=500.0, x_unit=500.0, y_origin=0.0, y_unit=1.0)
    """
    size = max(float(np.max(np.abs(column))) for column in (data.x, data.y))
    short = float(data.x[-1] - data.x[0]) < 0.1
    return fitting_units(data) if size > SIZE_ONE or short else None


def suggested_units(data: TrainingData) -> Units | None:
    """Units in which x and y lie about in [-1, 1]; None where they are of that size already."""
    x_middle, x_half = _middle_and_half(data.x)
    y_middle, y_half = _middle_and_half(data.y)
    if abs(y_middle) <= y_half or y_half == 0.0:
        y_middle, y_half = 0.0, float(np.max(np.abs(data.y))) or 1.0
    x_fine = abs(x_middle) <= MAX_MIDDLE * x_half and MIN_HALF <= x_half <= MAX_HALF
    y_fine = abs(y_middle) <= MAX_MIDDLE * y_half and MIN_HALF <= y_half <= MAX_HALF
    if x_fine and y_fine:
        return None
    x_units = (0.0, 1.0) if x_fine else (_rounded(x_middle, x_half), _rounded(x_half, x_half))
    y_units = (0.0, 1.0) if y_fine else (_rounded(y_middle, y_half), _rounded(y_half, y_half))
    return Units(*x_units, *y_units)


def _middle_and_half(values: FloatArray) -> tuple[float, float]:
    low, high = float(np.min(values)), float(np.max(values))
    return low + 0.5 * (high - low), 0.5 * (high - low)


def _rounded(value: float, step: float) -> float:
    """A short number near the value, to about a hundredth of the step: it stands in the link."""
    digits = 2 - floor(portable_log10(step)) if step > 0.0 and isfinite(step) else 0
    return float(round(value, digits)) + 0.0
