"""Numbers of many seeds: medians, ranges, and 95 % intervals that have the same bits everywhere.

The interval of a share is Wilson's; that of a median is the percentile bootstrap with RESAMPLES draws from a
generator of fixed seed (PCG64: integer arithmetic), so that a table always gives the same interval.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from math import sqrt

import numpy as np

from core.narrative import number
from core.types import FloatArray, IntArray

Z = 1.959963984540054
"""Quantile of the normal distribution for 95 %."""
RESAMPLES = 2_000
SEED = 20_070_713


@dataclass(frozen=True)
class Spread:
    """Median, its 95 % interval, and the range over seeds. An infinite value is one that was not reached."""

    median: float
    low: float
    high: float
    count: int
    sure_low: float
    """The interval of the median."""
    sure_high: float

    @property
    def text(self) -> str:
        """Such as `2.31·10⁷ [1.9·10⁷, 2.8·10⁷] (8·10⁶ to 9·10⁷, 40 seeds)`."""
        if self.count == 1:
            return number(self.median)
        sure = f"[{number(self.sure_low, 2)}, {number(self.sure_high, 2)}]"
        return (
            f"{number(self.median)} {sure} ({number(self.low, 2)} to {number(self.high, 2)}, "
            f"{self.count} seeds)"
        )


def spread(values: Iterable[float]) -> Spread:
    """Of values, one a seed."""
    found = np.sort(np.array(list(values), dtype=np.float64))
    if not found.size:
        nothing = float("nan")
        return Spread(nothing, nothing, nothing, 0, nothing, nothing)
    low, high = _bootstrap(found)
    return Spread(_middle(found), float(found[0]), float(found[-1]), int(found.size), low, high)


def median(values: Iterable[float]) -> float:
    """The middle value, or the mean of the middle two."""
    return _middle(np.sort(np.array(list(values), dtype=np.float64)))


def _middle(ordered: FloatArray) -> float:
    if not ordered.size:
        return float("nan")
    first, second = float(ordered[(ordered.size - 1) // 2]), float(ordered[ordered.size // 2])
    return first if first == second else 0.5 * (first + second)


def _bootstrap(ordered: FloatArray) -> tuple[float, float]:
    """The interval of the median: quantiles of the medians of samples drawn with repetition."""
    lower, upper = _drawn_middles(ordered.size)
    first, second = ordered[lower], ordered[upper]
    with np.errstate(invalid="ignore"):
        middles = np.sort(np.where(first == second, first, 0.5 * (first + second)))
    cut = RESAMPLES // 40
    return float(middles[cut]), float(middles[-cut - 1])


@cache
def _drawn_middles(n: int) -> tuple[IntArray, IntArray]:
    """Ranks of the middle two values of every sample drawn: the same for all tables of one length."""
    words = np.random.default_rng(SEED).bit_generator.random_raw((RESAMPLES, n))
    drawn = np.sort(words % np.uint64(n), axis=1).astype(np.int64)
    return drawn[:, (n - 1) // 2], drawn[:, n // 2]


def wilson(hits: int, count: int) -> tuple[float, float]:
    """The 95 % interval of a share."""
    if not count:
        return 0.0, 1.0
    share, square = hits / count, Z * Z
    middle = share + square / (2 * count)
    reach = Z * sqrt(share * (1 - share) / count + square / (4 * count * count))
    scale = 1 + square / count
    low, high = (middle - reach) / scale, (middle + reach) / scale
    return (0.0 if hits == 0 else low), (1.0 if hits == count else high)


def share(hits: Iterable[bool]) -> str:
    """Such as `17 of 20 seeds [64, 95 %]`."""
    found = list(hits)
    low, high = wilson(sum(found), len(found))
    return f"{sum(found)} of {len(found)} seeds [{100 * low:.0f}, {100 * high:.0f} %]"
