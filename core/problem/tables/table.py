"""A table as a person sees it: columns with names, each of numbers, dates, times or words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isfinite, nan

import numpy as np

from ...spelling import FieldError, shorten
from .columns import Column, type_columns
from .dates import days_of, format_days, read_dates, read_times
from .dialect import NAMES, Row, Rows, split_rows
from .encoding import decode
from .numbers import is_gap, stripped, value

LONGEST_NAME = 40
_SAME = {"yr": "year", "jahr": "year", "mon": "month", "monat": "month", "qtr": "quarter", "tag": "day"}
_PARTS = {
    **dict.fromkeys(("year", "yr", "jahr"), (1000, 2999)),
    **dict.fromkeys(("month", "mon", "monat"), (1, 12)),
    **dict.fromkeys(("quarter", "qtr"), (1, 4)),
    **dict.fromkeys(("day", "tag"), (1, 31)),
}
"""Names of columns that are parts of a date, and the numbers that they may hold."""
_UNIT = re.compile(r"[\[(]?[^\W_][\w/^°²³·*%µ .-]{0,11}[\])]?|[\[(%°].{0,12}")


@dataclass(frozen=True, eq=False)
class Table:
    """What was read, and how."""

    columns: tuple[Column, ...]
    rows: int
    head: tuple[tuple[str, ...], ...]
    """The first rows as they stand in the file."""
    delimiter: str
    """In words; `none` of a single column."""
    decimal: str
    encoding: str
    header: bool
    notes: tuple[str, ...] = ()


def read_table(data: bytes | str, *, head: int = 8) -> Table:
    """The table in a file or in pasted text.

    Parameters
    ----------
    data : bytes or str
        The whole file.
    head : int
        How many rows to keep as text, for a preview.

    Returns
    -------
    Table
        Its columns with their values, and what was recognised.

    Raises
    ------
    FieldError
        Where there is no table; its sentence offers a way.

    Examples
    --------
    >>> table = read_table("Jahr;Abfluss\\n1871;1.120,5\\n1872;1.160,0\\n")
    >>> [(column.name, column.kind, column.values.tolist()) for column in table.columns]
    [('Jahr', 'number', [1871.0, 1872.0]), ('Abfluss', 'number', [1120.5, 1160.0])]
    """
    text, encoding = decode(data) if isinstance(data, bytes) else (data.removeprefix("\ufeff"), "")
    found = split_rows(text)
    names, cells, lines, notes = _named(found)
    if not cells:
        raise FieldError("data", "There is a header and no row below it. At least two rows are needed.")
    columns, decimal, more = type_columns(names, cells, lines, found.delimiter)
    kept = [place for place, column in enumerate(columns) if not _is_empty(column, cells, place)]
    plain = [columns[place] for place in kept]
    joined = _joined_dates(plain)
    return Table(
        (*plain, *joined),
        len(cells),
        tuple(
            (
                *(shorten(row[place], 60) for place in kept),
                *(format_days(day) if isfinite(day) else "" for day in (found.values[i] for found in joined)),
            )
            for i, row in enumerate(cells[:head])
        ),
        NAMES.get(found.delimiter, found.delimiter),
        decimal,
        encoding,
        header=any(names),
        notes=(*found.notes, *notes, *more),
    )


def _joined_dates(columns: Sequence[Column]) -> list[Column]:
    """One more column where year and month, or year and quarter, stand apart: the dates that they make."""
    found: dict[str, Column] = {}
    for column in columns:
        part = column.name.strip().lower()
        if part in _PARTS and column.kind == "number":
            low, high = _PARTS[part]
            finite = column.values[np.isfinite(column.values)]
            if len(finite) and ((finite >= low) & (finite <= high) & (finite % 1 == 0)).all():
                found.setdefault(_SAME.get(part, part), column)
    if "year" not in found or not ("month" in found or "quarter" in found):
        return []
    names = [name for name in ("year", "month", "quarter", "day") if name in found]
    if "month" in found and "quarter" in found:
        names.remove("quarter")
    days = []
    for row in zip(*(found[name].values.tolist() for name in names), strict=True):
        known = dict(zip(names, row, strict=True))
        if not all(map(isfinite, row)):
            days.append(nan)
            continue
        month = int(known["month"]) if "month" in known else 3 * int(known["quarter"]) - 2
        days.append(days_of(int(known["year"]), month, int(known.get("day", 1))))
    return [Column(", ".join(found[name].name for name in names), "date", np.array(days))]


def _is_empty(column: Column, cells: Sequence[Row], place: int) -> bool:
    """A column that a delimiter at the end of each line makes, or that holds no value at all."""
    return column.kind == "text" and all(is_gap(row[place]) for row in cells)


def _says_value(cell: str) -> bool:
    return stripped(cell) is not None or read_times([cell]) is not None or read_dates([cell]) is not None


def _named(found: Rows) -> tuple[list[str], list[Row], list[int], list[str]]:
    """The names of the columns, and the rows without them."""
    cells, lines, notes = found.cells, found.lines, list[str]()
    width = len(cells[0])
    names, first = [""] * width, 0
    if _is_header(cells):
        names, first = list(cells[0]), 1
        if len(cells) > 3 and _is_units(cells[1], cells[2:]):
            names = [f"{name} ({unit.strip('()[] ')})" if unit.strip("()[] ") else name
                     for name, unit in zip(cells[0], cells[1], strict=True)]  # fmt: skip
            first = 2
            notes.append(f"line {lines[1]} was read as units")
    elif len(found.remark) == width and not any(map(_says_value, found.remark)):
        names = list(found.remark)
    again = {place for place in range(first, len(cells)) if first and cells[place] == cells[0]}
    if again:
        notes.append(f"{len(again)} repeated header {'line' if len(again) == 1 else 'lines'} left out")
    kept = [place for place in range(first, len(cells)) if place not in again]
    return [_tidy(name) for name in names], [cells[i] for i in kept], [lines[i] for i in kept], notes


def _tidy(name: str) -> str:
    return shorten(" ".join(name.split()).strip("'\""), LONGEST_NAME)


def _is_header(cells: Sequence[Row]) -> bool:
    """Whether the first row names the columns: words over values, or years over other numbers."""
    top, body = cells[0], cells[1:60]
    words = [place for place, cell in enumerate(top) if not is_gap(cell) and not _says_value(cell)]
    if not body:
        return len(words) == len([cell for cell in top if cell]) and bool(words)
    for place in words:
        below = [row[place] for row in body if not is_gap(row[place])]
        if not below or sum(map(_says_value, below)) >= 0.5 * len(below):
            return True
    if words and len(words) == len([cell for cell in top if cell]):
        return True  # words over words: the other columns have no names
    numbers = [stripped(cell) for place, cell in enumerate(top) if place not in words and cell]
    years = [nan if (year := value(cell.body, ".")) is None else year for cell in numbers if cell]
    if words and len(years) >= 3:
        return all(later == earlier + 1.0 for earlier, later in pairwise(years))
    return False


def _is_units(row: Row, body: Sequence[Row]) -> bool:
    """Whether the row under the names holds units: short words over columns of numbers."""
    filled = [place for place, cell in enumerate(row) if cell.strip()]
    if not filled or any(_says_value(row[place]) or not _UNIT.fullmatch(row[place]) for place in filled):
        return False
    for place in filled:
        below = [line[place] for line in body[:60] if not is_gap(line[place])]
        if not below or not all(map(_says_value, below)):
            return False
    return not all(is_gap(cell) for cell in row)
