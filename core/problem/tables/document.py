"""A file as an answer to whoever brings it: what was recognised, which columns are meant, and the data.

The scale of training comes from these data alone (core.problem.units), so that no file is read with the units
of the last one.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ...limits import LIMITS, Limits
from ..data import TrainingData
from ..units import fitting_units
from .choice import Choice, Import, import_file, is_usable
from .columns import Column
from .table import Table


def import_document(
    data: bytes, x: str = "", y: str = "", weight: str = "", limits: Limits = LIMITS
) -> dict[str, Any]:
    """All that a preview shows and a link needs, ready for JSON; FieldError for what cannot be read."""
    with _without_collection():
        return _told(*import_file(data, x=x, y=y, weight=weight, limits=limits))


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


def _told(table: Table, choice: Choice, found: Import) -> dict[str, Any]:
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
