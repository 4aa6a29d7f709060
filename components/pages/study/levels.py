"""Losses that one may ask about, from the data: how many runs have got there, and when.

A row says when a loss of a fixed list was reached, to the epoch. For any other loss its curve says by which
epoch of the grid it was: eight per decade.
"""

from collections.abc import Sequence
from math import ceil, floor, log10

from components.pages.study.axes import is_number
from components.pages.study.table import StudyTable
from core.spelling import format_number
from core.study import GRID, quantile

_MANTISSAS = (1, 2, 5)
_FEW_DECADES = 8
"""Up to so many decades of losses, numbers between the powers of ten are offered too."""


def levels(table: StudyTable) -> list[str]:
    """Round losses between what the best run came to and what the runs began with, the largest first."""
    ends = [row["loss"] for row in table.rows if is_number(row["loss"]) and row["loss"] > 0]
    begins = [float(curve[0]) for curve in table.curves if len(curve) and is_number(float(curve[0]))]
    if not ends or not begins:
        return []
    low, high = min(ends), max(*ends, quantile(sorted(begins), 0.5))
    decades = range(floor(log10(low)), ceil(log10(high)) + 1)
    mantissas = _MANTISSAS if len(decades) <= _FEW_DECADES + 1 else (1,)
    found = [float(f"{mantissa}e{decade}") for decade in decades for mantissa in mantissas]
    return [format_number(level) for level in reversed(found) if low <= level <= high]


def usual_level(table: StudyTable) -> str:
    """The least of them that half of all runs have reached; the largest where they have not."""
    ends = sorted(row["loss"] for row in table.rows if is_number(row["loss"]))
    offered = levels(table)
    if not offered:
        return "0.001"
    middle = quantile(ends, 0.5)
    return next((level for level in reversed(offered) if float(level) >= middle), offered[0])


def epochs_to(table: StudyTable, places: Sequence[int], level: str) -> list[float | None]:
    """When each of these runs had a loss; None where it never had."""
    column = f"epochs_to_{level}"
    if all(column in table.rows[place] for place in places):
        return [table.rows[place][column] for place in places]
    found: list[float | None] = []
    for place in places:
        there = (table.curves[place] <= float(level)).nonzero()[0]
        end = table.rows[place]["epochs"]
        found.append(min(GRID[there[0]], end) if len(there) else None)
    return found
