"""Which columns are x, y and weight, and the points that they give.

The first guess follows names and values: what ascends, is a date or is called by a time is x; what is called
a value or a target, or comes next, is y. A column that only counts the rows is neither, unless nothing else
is there. A weight is never guessed: people choose it.
"""

import re
from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

import numpy as np

from ...limits import LIMITS, Limits
from ...spelling import FieldError, format_number, shorten
from ...types import FloatArray
from ..csv import LEAST_WEIGHT, canonical_csv, check_points, merge
from ..data import LARGEST_VALUE, Points
from .columns import Column
from .table import Table

ROW_NUMBER = -1
"""In the place of a column: the rows are counted from 1."""
_TIMES = re.compile(
    r"\b(x|t|time|times|date|datum|zeit|jahr|year|years|yr|month|monat|week|woche|day|tag|hour|stunde|minute|second"
    r"|quarter|age|range|distance|depth|dose|speed|wavelength|frequency|position|temperature|temp)\b",
    re.IGNORECASE,
)
_YEARS = ("year", "years", "yr", "jahr")
_CALENDAR = re.compile(r"\W*(year|yr|jahr|month|mon|monat|day|tag|quarter|week|hour)s?\W*", re.IGNORECASE)
_VALUES = re.compile(
    r"\b(y|value|values|wert|target|response|outcome|price|average|mean|count|volume)\b", re.IGNORECASE
)
_INDEX = re.compile(
    r"|unnamed:? ?\d*|index|idx|id|rownames?|row|no\.?|nr\.?|#|number|lfd\.? ?nr\.?", re.IGNORECASE
)


class Choice(NamedTuple):
    """Columns by their place in the table; `ROW_NUMBER` counts the rows, None is no column."""

    x: int
    y: int
    weight: int | None = None


@dataclass(frozen=True, eq=False)
class Import:
    """Points as they are trained on, what they are called, and what was done."""

    points: Points
    x_name: str
    y_name: str
    dates: bool
    """Whether x counts days since 1970."""
    used: int
    rows: int
    notes: tuple[str, ...]

    @property
    def text(self) -> str:
        """The canonical text of the points."""
        return canonical_csv(self.points)


def is_usable(column: Column) -> bool:
    """Whether a column can be x or y: two values at least."""
    return column.kind != "text" and len(column.values) - column.gaps >= 2


def is_index(column: Column) -> bool:
    """Whether a column only counts the rows."""
    count = len(column.values)
    if column.kind != "number" or column.gaps or count < 2:
        return False
    counts = column.values - column.values[0]
    steady = bool((counts == np.arange(count)).all()) and column.values[0] in (0.0, 1.0)
    return steady and _INDEX.fullmatch(column.name.strip()) is not None


def guess(table: Table) -> Choice:
    """A sensible first choice of columns; FieldError where no column holds numbers.

    Parameters
    ----------
    table
        The table as it was read.

    Returns
    -------
    Choice
        The places of x and y, no weight.

    Examples
    --------
    >>> from core.problem.tables import guess, read_table
    >>> guess(read_table("year,flow\\n1871,1120\\n1872,1160\\n"))
    Choice(x=0, y=1, weight=None)
    """
    places = [place for place, column in enumerate(table.columns) if is_usable(column)]
    real = [place for place in places if not is_index(table.columns[place])]
    if not real:
        if not places:
            raise FieldError("data", _nothing(table))
        real = places
    troubles = [column.trouble for column in table.columns if column.trouble]
    if len(real) == 1 and troubles:
        raise FieldError("data", f"{troubles[0]}. Make it one of the two, then open the file again.")
    if len(real) == 1:
        indices = [place for place in places if place not in real]
        return Choice(ROW_NUMBER, real[0]) if not indices else Choice(indices[0], real[0])
    x = max(real, key=lambda place: (_fitness_as_x(table.columns[place], place), -place))
    rest = [place for place in real if place != x]
    y = max(rest, key=lambda place: (_fitness_as_y(table.columns[place], place > x), -place))
    return Choice(x, y)


def _nothing(table: Table) -> str:
    names = ", ".join(
        shorten(column.name or f"column {n}", 20) for n, column in enumerate(table.columns[:4], 1)
    )
    return (
        f"No column holds at least two numbers or dates (found {names or 'nothing'}). "
        "Open a table with a row per measurement."
    )


def _fitness_as_x(column: Column, place: int) -> float:
    finite = column.values[np.isfinite(column.values)]
    steps = np.diff(finite)
    ascending = bool((steps > 0.0).all() or (steps < 0.0).all()) if len(steps) else False
    named = _TIMES.search(column.name.replace("_", " ")) is not None
    valued = _VALUES.search(column.name.replace("_", " ")) is not None
    exact = column.name.strip().lower() in ("x", "t")
    return (
        8.0 * exact
        + 4.0 * (column.kind in ("date", "time"))
        + 2.0 * ascending
        + 1.5 * named
        - 3.0 * valued
        + 0.5 * (place == 0)
        - 2.0 * (_CALENDAR.fullmatch(column.name) is not None and column.name.lower() not in _YEARS)
    )


def _fitness_as_y(column: Column, later: bool) -> float:
    finite = column.values[np.isfinite(column.values)]
    constant = bool((finite == finite[0]).all())
    return (
        4.0 * (column.name.strip().lower() == "y")
        + 2.0 * (_VALUES.search(column.name.replace("_", " ")) is not None)
        + 1.0 * later
        - 3.0 * (column.kind in ("date", "time"))
        - 3.0 * (_CALENDAR.fullmatch(column.name) is not None)
        - 3.0 * constant
    )


def choose(table: Table, choice: Choice, limits: Limits = LIMITS) -> Import:
    """The points of the chosen columns; rows without a value are left out and counted.

    Parameters
    ----------
    table, choice
        The table, and which of its columns are x, y and weight.
    limits
        Of which `points` counts: with more of them neighbours become one.

    Returns
    -------
    Import
        The points, what they are called, and what was done.

    Examples
    --------
    >>> from core.problem.tables import choose, guess, read_table
    >>> table = read_table("year,flow\\n1871,1120\\n1872,\\n1873,1160\\n")
    >>> choose(table, guess(table)).points.y.tolist()
    [1120.0, 1160.0]
    """
    x_column = _column(table, choice.x, "x")
    y_column = _column(table, choice.y, "y")
    if choice.x == choice.y:
        raise FieldError("data", "x and y are the same column. Choose another one for y.")
    weights = np.ones(table.rows)
    if choice.weight is not None:
        column = _column(table, choice.weight, "weight")
        weights = np.where(column.values >= LEAST_WEIGHT, column.values, np.nan)
    x, x_name, more = _sized(x_column)
    y, y_name, also = _sized(y_column)
    notes = [*more, *also]
    whole = np.isfinite(x) & np.isfinite(y) & np.isfinite(weights)
    used = int(np.count_nonzero(whole))
    if used < 2:
        raise FieldError(
            "data", f"{used} of {table.rows:,} rows have both {x_name} and {y_name}. Choose other columns."
        )
    rows = list(zip(x[whole].tolist(), y[whole].tolist(), weights[whole].tolist(), strict=True))
    points, merged = merge(rows)
    if merged:
        merged = (f"{used:,} rows give {len(points.x):,} points: rows with the same {x_name} are averaged",)
    points, thinned = _thinned(points, limits.points)
    check_points(len(points.x), limits)
    return Import(
        points, x_name, y_name, x_column.kind == "date", used, table.rows,
        (*_skipped(table, choice, whole), *notes, *merged, *thinned),
    )  # fmt: skip


def _column(table: Table, place: int, role: str) -> Column:
    if place == ROW_NUMBER and role == "x":
        return Column("row", "number", np.arange(1.0, table.rows + 1.0))
    if not 0 <= place < len(table.columns):
        raise FieldError("data", f"{role}: there is no column {place + 1}; there are {len(table.columns)}")
    column = table.columns[place]
    if column.kind == "text":
        raise FieldError("data", f"{role}: {column.name or f'column {place + 1}'} holds words, not numbers")
    if column.kind == "date" and role == "weight":
        raise FieldError("data", f"weight: {column.name or f'column {place + 1}'} holds dates, not numbers")
    name = column.name or ("date" if column.kind == "date" else role)
    if column.kind == "time" and "(h)" not in name:
        name = f"{name} (h)"
    return Column(name, column.kind, column.values, column.odd)


def _sized(column: Column) -> tuple[FloatArray, str, list[str]]:
    """Values within what can be computed with: larger ones are counted in thousands, millions, ..."""
    finite = np.abs(column.values[np.isfinite(column.values)])
    largest = float(finite.max()) if len(finite) else 0.0
    if largest <= LARGEST_VALUE:
        return column.values, column.name, []
    power = next((p for p in range(3, 19, 3) if largest <= LARGEST_VALUE * float(f"1e{p}")), None)
    if power is None:
        raise FieldError(
            "data", f"{column.name}: {format_number(largest)} is too large; count it in a larger unit"
        )
    name = f"{column.name} (10^{power})"
    return column.values / float(f"1e{power}"), name, [f"{column.name} is counted in units of 10^{power}"]


def _skipped(table: Table, choice: Choice, whole: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> list[str]:
    """What was left out, with the reason."""
    count = table.rows - int(np.count_nonzero(whole))
    if not count:
        return []
    places = [place for place in (choice.x, choice.y) if place >= 0]
    odd = [entry for place in places for entry in table.columns[place].odd]
    why = "no value"
    if odd:
        line, text = odd[0]
        why = f"no value, or not a number ({text!r} in line {line})"
    return [f"{count:,} of {table.rows:,} rows skipped: {why}"]


def _thinned(points: Points, most: int) -> tuple[Points, list[str]]:
    """More points than may be computed with: neighbours become one point, their mean with their weight."""
    count = len(points.x)
    if count <= most:
        return points, []
    size = ceil(count / most)
    starts = np.arange(0, count, size)
    weight = np.add.reduceat(points.w, starts)
    x = np.add.reduceat(points.w * points.x, starts) / weight
    y = np.add.reduceat(points.w * points.y, starts) / weight
    note = f"{count:,} points are more than {most:,}: each {size} neighbours became one"
    return Points(x, y, weight), [f"{note}, their mean with their weight"]
