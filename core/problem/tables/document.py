"""A file as an answer to whoever brings it: what was recognised, which columns are meant, and the data.

The scale of training comes from these data alone (core.problem.units), so that no file is read with the units
of the last one.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ...limits import LIMITS, Limits
from ...spelling import FieldError, shorten
from ..data import TrainingData
from ..units import fitting_units
from .choice import ROW_NUMBER, Choice, Import, choose, guess, is_usable
from .columns import Column
from .table import Table, read_table


def import_document(
    data: bytes, x: str = "", y: str = "", weight: str = "", limits: Limits = LIMITS
) -> dict[str, Any]:
    """All that a preview shows and a link needs, ready for JSON; FieldError for what cannot be read.

    Parameters
    ----------
    data
        The bytes of the file.
    x, y, weight
        Columns as for `import_file`.
    limits
        The largest file, and the most points.

    Returns
    -------
    dict of str to Any
        What was recognised, which columns are meant, and the data as canonical text.

    Examples
    --------
    >>> from core.problem.tables import import_document
    >>> found = import_document(b"year,flow\\n1871,1120\\n1872,1160\\n")
    >>> found["x_name"], found["points"], found["csv"]
    ('year', 2, '1871,1120\\n1872,1160\\n')
    """
    with _without_collection():
        return _document(*import_file(data, x=x, y=y, weight=weight, limits=limits))


def import_file(
    data: bytes | str, *, x: str = "", y: str = "", weight: str = "", limits: Limits = LIMITS
) -> tuple[Table, Choice, Import]:
    """A file as points.

    Parameters
    ----------
    data
        The bytes of a file, or text.
    x, y, weight
        Columns by name or by number from 1; `row` is the row number. What is left out is guessed.
    limits
        The largest file, and the most points.

    Returns
    -------
    tuple of Table, Choice and Import
        The table, which columns are meant, and the points.

    Examples
    --------
    >>> from core.problem.tables import import_file
    >>> table, choice, read = import_file("year,flow\\n1871,1120\\n1872,1160\\n1873,\\n1874,1210\\n")
    >>> read.x_name, read.points.y.tolist(), read.notes
    ('year', [1120.0, 1160.0, 1210.0], ('1 of 4 rows skipped: no value',))
    """
    size = len(data) if isinstance(data, bytes) else len(data.encode(errors="surrogatepass"))
    if size > limits.upload_bytes:
        raise FieldError("data", f"{size:,} bytes, at most {limits.upload_bytes:,} are allowed")
    table = read_table(data)
    choice = choice_of(table, x, y, weight)
    return table, choice, choose(table, choice, limits)


def choice_of(table: Table, x: str = "", y: str = "", weight: str = "") -> Choice:
    """Columns by name or number, as people and links give them."""
    guessed = guess(table)
    named = [_place(table, text) for text in (x, y)]
    chosen_x = guessed.x if named[0] is None else named[0]
    chosen_y = guessed.y if named[1] is None else named[1]
    if chosen_x == chosen_y and (named[0] is None) != (named[1] is None):
        others = (guessed.y, guessed.x) if named[0] is None else (guessed.x, guessed.y)
        if named[0] is None:
            chosen_x = next(place for place in (*others, ROW_NUMBER) if place != chosen_y)
        else:
            chosen_y = next(place for place in others if place not in (chosen_x, ROW_NUMBER))
    return Choice(chosen_x, chosen_y, _place(table, weight))


def _place(table: Table, text: str) -> int | None:
    if not text:
        return None
    for place, column in enumerate(table.columns):
        if column.name == text:
            return place
    if text in ("row", "0"):
        return ROW_NUMBER
    if text.isascii() and text.isdigit() and 1 <= int(text) <= len(table.columns):
        return int(text) - 1
    known = ", ".join(column.name or str(n) for n, column in enumerate(table.columns, 1))
    raise FieldError("data", f"there is no column {shorten(text)!r}; there are {shorten(known, 120)}")


@contextmanager
def _without_collection() -> Iterator[None]:
    """A list per row and no cycle: the collector would look at all of them again and again, in vain."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _nameless(column: Column, place: int) -> str:
    return "date" if column.kind == "date" else f"column {place}"


def _document(table: Table, choice: Choice, found: Import) -> dict[str, Any]:
    points = found.points
    units = fitting_units(TrainingData(points.x, points.y))
    return {
        "columns": [
            {
                "name": column.name or _nameless(column, place),
                "kind": column.kind,
                "usable": is_usable(column),
            }
            for place, column in enumerate(table.columns, 1)
        ],
        "head": [list(row) for row in table.head],
        "rows": table.rows,
        "used": found.used,
        "points": len(points.x),
        "delimiter": table.delimiter,
        "decimal": table.decimal,
        "encoding": table.encoding,
        "header": table.header,
        "x": choice.x + 1,
        "y": choice.y + 1,
        "weight": None if choice.weight is None else choice.weight + 1,
        "x_name": found.x_name,
        "y_name": found.y_name,
        "dates": found.dates,
        "units": list(units),
        "notes": [*table.notes, *found.notes],
        "csv": found.text,
    }
