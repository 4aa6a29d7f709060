"""A column of cells to values: numbers, dates, times, or words."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isfinite, nan
from typing import Literal, NamedTuple

import numpy as np

from ...spelling import format_number, shorten
from ...types import FloatArray
from .dates import read_dates, read_times
from .dialect import Row
from .numbers import (
    SENTINELS,
    decimal_of,
    evidence,
    is_gap,
    plain_floats,
    stripped,
    value,
)

Kind = Literal["number", "date", "time", "text"]
LEAST_SHARE = 0.9
"""A column is one of numbers where at least so many of its cells that say something are numbers."""


@dataclass(frozen=True, eq=False)
class Column:
    """One column: its name, what its cells are, and their values, nan where there is none."""

    name: str
    kind: Kind
    values: FloatArray = field(default_factory=lambda: np.empty(0))
    """Numbers; days since 1970 of dates; hours of times. Empty for words."""
    odd: tuple[tuple[int, str], ...] = ()
    """Line and text of cells that say something else than the rest."""
    trouble: str = ""
    """Why a column that looks like numbers is none."""

    @property
    def gaps(self) -> int:
        """Rows without a value."""
        return int(np.count_nonzero(np.isnan(self.values)))


class _Digits(NamedTuple):
    """A column on its way to numbers: still without its decimal mark."""

    mark: str
    """As core.problem.tables.numbers.decimal_of tells it."""
    unit: str = ""
    bodies: Sequence[str | None] = ()
    quick: list[float] | None = None


def type_columns(
    names: Sequence[str], cells: Sequence[Row], lines: Sequence[int], delimiter: str
) -> tuple[list[Column], str, list[str]]:
    """The columns with their values, the decimal mark of the file, and what there is to say."""
    texts = [list(column) for column in zip(*cells, strict=True)]
    dates = [_dated(name, column) for name, column in zip(names, texts, strict=True)]
    digits = [
        _digits(column) if dated is None else _Digits("") for column, dated in zip(texts, dates, strict=True)
    ]
    decimal = _decimal([entry.mark for entry in digits], delimiter)
    columns, notes = [], list[str]()
    for place, (name, column, dated, entry) in enumerate(zip(names, texts, dates, digits, strict=True)):
        label = _labelled(name, entry.unit)
        if dated is not None:
            columns.append(dated[0])
            notes += dated[1]
        elif entry.quick is not None:
            columns.append(_without_sentinels(Column(label, "number", np.array(entry.quick)), notes))
        else:
            mark = entry.mark if entry.mark in (".", ",") else decimal
            found = _numbers(label or f"column {place + 1}", column, lines, entry, mark, notes)
            columns.append(Column(label, found.kind, found.values, found.odd, found.trouble))
    return columns, decimal, notes


def _digits(column: Sequence[str]) -> _Digits:
    quick = plain_floats(column)
    if quick is not None:
        pointed = any("." in cell for cell in column)
        if not pointed or not _all_in_threes(column):
            return _Digits("." if pointed else "", quick=quick)
        return _Digits("3.", bodies=[cell.strip() for cell in column])
    found = {cell: stripped(cell) for cell in set(column)}
    units = {cell.unit for cell in found.values() if cell and cell.unit}
    return _Digits(
        decimal_of({cell.body for cell in found.values() if cell}),
        units.pop() if len(units) == 1 else "",
        [cell.body if (cell := found[text]) else None for text in column],
    )


def _numbers(
    label: str, column: Sequence[str], lines: Sequence[int], digits: _Digits, mark: str, notes: list[str]
) -> Column:
    """A column of numbers, where it is one; notes are appended."""
    known = {body: value(body, mark) for body in set(digits.bodies) if body is not None}
    found = [known[body] if body is not None else None for body in digits.bodies]
    values = [nan if number is None else number for number in found]
    full = sum(not is_gap(cell) for cell in column)
    numbers = sum(map(isfinite, values))
    if not full or digits.mark == "!" or numbers < max(1.0, LEAST_SHARE * full):
        mixed = full and digits.mark == "!" and None not in digits.bodies
        return Column(label, "text", trouble=f"{label} mixes decimal points and commas" if mixed else "")
    odd = tuple(
        (line, shorten(cell, 20))
        for line, cell, number in zip(lines, column, values, strict=True)
        if not isfinite(number) and not is_gap(cell)
    )
    if digits.mark in ("3.", "3,"):
        sample = next(body for body in digits.bodies if body and digits.mark[1] in body)
        notes.append(f"{sample} was read as {format_number(known[sample] or 0.0)}")
    return _without_sentinels(Column(label, "number", np.array(values), odd), notes)


def _all_in_threes(column: Sequence[str]) -> bool:
    """Whether every point of a column could part thousands as well."""
    pointed = (cell.strip() for cell in column if "." in cell)
    return all(evidence(cell) == "3." for cell in pointed)


def _decimal(marks: Sequence[str], delimiter: str) -> str:
    """The decimal mark of a file: what most columns show; where none does, what the delimiter leaves."""
    points, commas = marks.count("."), marks.count(",")
    if points != commas:
        return "." if points > commas else ","
    return "," if delimiter == ";" and "3," in marks else "."


def _labelled(name: str, unit: str) -> str:
    return name if not unit or unit in name else f"{name} ({unit})" if name else unit


def _dated(name: str, column: Sequence[str]) -> tuple[Column, list[str]] | None:
    """A column of dates or times; None where it is none."""
    first = next((cell for cell in column if not is_gap(cell)), "")
    if not first or not _may_be_dated(first):
        return None
    full = [cell for cell in column if not is_gap(cell)]
    times = read_times(full)
    kind: Kind = "time"
    note = ""
    if times is None:
        dates = read_dates(full, name)
        if dates is None:
            return None
        kind, times, note = "date", dates.days, dates.note
    rest = iter(times)
    whole = len(full) == len(column)
    values = np.array(times if whole else [nan if is_gap(cell) else next(rest) for cell in column])
    return Column(name, kind, values), [note] if note else []


def _may_be_dated(cell: str) -> bool:
    """Whether it is worth a look: most columns are plain numbers."""
    number = stripped(cell)
    return number is None or number.body.count(".") == 2 or number.body.isdigit()


def _without_sentinels(column: Column, notes: list[str]) -> Column:
    """Numbers such as -99.99 among positive ones say that there is no value."""
    finite = column.values[np.isfinite(column.values)]
    low = float(finite.min()) if len(finite) else 0.0
    others = finite[finite != low]
    if low in SENTINELS and len(others) and float(others.min()) >= 0.0:
        count = int(np.count_nonzero(finite == low))
        notes.append(f"{format_number(low)} was read as no value ({count} times)")
        values = np.where(column.values == low, nan, column.values)
        return Column(column.name, column.kind, values, column.odd)
    return column
