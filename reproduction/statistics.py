"""Numbers of many seeds: medians, ranges, and intervals that have the same bits everywhere.

The interval of a share is Wilson's. That of a median is from one order statistic to another, which needs
no assumption: of n values, the one of rank k lies above the median with the chance that a fair coin
shows fewer than k heads in n throws. Where several intervals shall hold together, each is given a part
of the error (Bonferroni).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from math import comb, sqrt
from statistics import NormalDist

import numpy as np

from core.narrative import number
from core.types import FloatArray
from reproduction.criteria import TOGETHER, criteria

MANY = 100_000
"""More seeds than anybody would run."""


def together() -> float:
    """The error of each interval where those of all claims shall hold at once."""
    return TOGETHER / len(criteria().claims)


@dataclass(frozen=True)
class Spread:
    """Median, its interval, and the range over seeds. An infinite value is one that was not reached."""

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
        return f"{self.short} ({number(self.low, 2)} to {number(self.high, 2)}, {self.count} seeds)"

    @property
    def short(self) -> str:
        """The median and its interval."""
        return f"{number(self.median)} [{number(self.sure_low, 2)}, {number(self.sure_high, 2)}]"


def spread(values: Iterable[float], error: float | None = None) -> Spread:
    """Of values, one per seed."""
    found = np.sort(np.array(list(values), dtype=np.float64))
    if not found.size:
        nothing = float("nan")
        return Spread(nothing, nothing, nothing, 0, nothing, nothing)
    rank = _rank(found.size, together() if error is None else error)
    low, high = float(found[rank - 1]), float(found[-rank])
    return Spread(_middle(found), float(found[0]), float(found[-1]), int(found.size), low, high)


@cache
def _rank(count: int, error: float) -> int:
    """Of the lower end of the interval of a median; 1, the whole range, where few values allow no better."""
    rank, below = 1, 1
    while 2 * rank < count and 2.0 * (below + comb(count, rank)) <= error * 2.0**count:
        below += comb(count, rank)
        rank += 1
    return rank


def median(values: Iterable[float]) -> float:
    """The middle value, or the mean of the middle two."""
    return _middle(np.sort(np.array(list(values), dtype=np.float64)))


def _middle(ordered: FloatArray) -> float:
    if not ordered.size:
        return float("nan")
    first, second = float(ordered[(ordered.size - 1) // 2]), float(ordered[ordered.size // 2])
    return first if first == second else 0.5 * (first + second)


def wilson(hits: int, count: int, error: float) -> tuple[float, float]:
    """The interval of a share."""
    if not count:
        return 0.0, 1.0
    z = NormalDist().inv_cdf(1.0 - error / 2.0)
    share, square = hits / count, z * z
    middle = share + square / (2 * count)
    reach = z * sqrt(share * (1 - share) / count + square / (4 * count * count))
    scale = 1 + square / count
    low, high = (middle - reach) / scale, (middle + reach) / scale
    return (0.0 if hits == 0 else low), (1.0 if hits == count else high)


def seeds_to_tell(part: float, threshold: float, error: float) -> int:
    """So many seeds with the same share of hits would put its interval on one side of a threshold."""
    count = 1
    while count < MANY:
        low, high = wilson(round(part * count), count, error)
        if low > threshold or high < threshold:
            return count
        count += max(1, count // 50)
    return MANY


def share(hits: Iterable[bool], error: float | None = None) -> str:
    """Such as `17 of 20 seeds [51, 98 %]`."""
    found = list(hits)
    low, high = wilson(sum(found), len(found), together() if error is None else error)
    return f"{sum(found)} of {len(found)} seeds [{100 * low:.0f}, {100 * high:.0f} %]"
