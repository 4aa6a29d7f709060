"""Numbers of many seeds as a reader wants them: median, range, how many."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from core.run import number


@dataclass(frozen=True)
class Spread:
    """Median and range over seeds. An infinite value is one that was not reached."""

    median: float
    low: float
    high: float
    count: int

    @property
    def text(self) -> str:
        """Such as `2.31·10⁷ (8·10⁶ to 9·10⁷, 20 seeds)`."""
        if self.count == 1:
            return number(self.median)
        return f"{number(self.median)} ({number(self.low, 2)} to {number(self.high, 2)}, {self.count} seeds)"


def spread(values: Iterable[float]) -> Spread:
    """Of values, one a seed; the median of an even number of them is the lower of the middle two."""
    found = np.sort(np.array(list(values), dtype=np.float64))
    middle = float(np.quantile(found, 0.5, method="lower"))
    return Spread(middle, float(found[0]), float(found[-1]), int(found.size))


def share(hits: Iterable[bool]) -> str:
    """Such as `17 of 20 seeds`."""
    found = list(hits)
    return f"{sum(found)} of {len(found)} seeds"
