"""Own data as text: CSV files in, one canonical text out, named by its content.

The canonical text has one line `x,y` a point, or `x,y,w` where the weight is not 1,
x ascending, every number in its canonical spelling. Its hash is the name under
which an upload can be linked to. The inline form in a link is the same text with
`:` and `;` for comma and newline.

Data that share an x become one datum with their mean and their weight; so do data
that the span of all of them cannot tell apart (core.problem.data.RESOLUTION).
"""

import re
from hashlib import sha256
from math import fsum
from typing import NamedTuple

import numpy as np

from ..limits import LIMITS, Limits
from ..spelling import FieldError, format_number, read_number, shorten
from .data import LARGEST_VALUE, RESOLUTION, Points, resolution

DATASET_ID = re.compile(r"[0-9a-f]{32}", re.ASCII)
_LINE_END = re.compile(r"\r\n|\n|\r")

LEAST_WEIGHT = 1e-9

Measurement = tuple[float, float, float]
"""x, y, w."""


class PointSet(NamedTuple):
    """A data set as it was read."""

    points: Points
    notes: tuple[str, ...]
    """What was done to it, for people to read."""


def parse_csv(text: str, limits: Limits = LIMITS) -> PointSet:
    """Data from two columns of text, or three with weights; a ValueError names the line that is wrong.

    The columns are separated by semicolon, tab, comma or space, whichever the
    first line has, in this order: `1,5;2,5` has decimal commas, not four columns.
    """
    size = len(text.encode(errors="surrogatepass"))
    if size > limits.upload_bytes:
        raise FieldError("data", f"{size} bytes, at most {limits.upload_bytes} are allowed")
    lines = [
        (number, line.strip(" "))
        for number, line in enumerate(_LINE_END.split(text.removeprefix("\ufeff")), start=1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    if not lines:
        raise FieldError("data", "the text is empty; two columns of numbers are needed")
    separator = next((mark for mark in ";\t," if mark in lines[0][1]), None)
    rows = [(number, _columns(line, separator)) for number, line in lines]
    notes: list[str] = []
    if not any(_reads_as_number(column) for column in rows[0][1]):
        notes.append(f"line {rows[0][0]} was read as a header")
        rows = rows[1:]
    values = [_row(number, columns, separator) for number, columns in rows]
    points, merged = merge(values)
    check_points(len(points.x), limits)
    return PointSet(points, (*notes, *merged))


def _columns(line: str, separator: str | None) -> list[str]:
    return [column.strip().strip('"').strip() for column in line.split(separator)]


def _reads_as_number(text: str) -> bool:
    """Whether Python would take it for a number, nan and inf included: such a line is no header."""
    try:
        float(text.replace(",", "."))
    except ValueError:
        return False
    return True


def _row(number: int, columns: list[str], separator: str | None) -> Measurement:
    if len(columns) not in (2, 3):
        found = "only one column" if len(columns) == 1 else f"{len(columns)} columns"
        raise FieldError("data", f"line {number} has {found}. Give x and y, or x, y and a weight")
    values = [_value(number, column, decimal_comma=separator in (";", "\t")) for column in columns]
    return _weighed(values, f"line {number}")


def _weighed(values: list[float], where: str) -> Measurement:
    """A row of two or three numbers, as x, y and weight."""
    x, y, w = (*values, 1.0)[:3]
    if w < LEAST_WEIGHT:
        least = format_number(LEAST_WEIGHT)
        raise FieldError(
            "data", f"{where}: the weight {format_number(w)} is not allowed; {least} is the least"
        )
    return x, y, w


def _value(number: int, text: str, *, decimal_comma: bool) -> float:
    try:
        value = read_number(text.replace(",", ".") if decimal_comma else text)
    except ValueError as error:
        raise FieldError("data", f"line {number}: {error}") from None
    if abs(value) > LARGEST_VALUE:
        raise FieldError("data", f"line {number}: {shorten(text)} is beyond ±{format_number(LARGEST_VALUE)}")
    return value


def merge(rows: list[Measurement]) -> tuple[Points, tuple[str, ...]]:
    """Ascending data, those that belong together taken together, and what was done.

    A group stands at its leftmost x, so that groups are further apart than the
    resolution and reading the outcome again changes nothing. It has the mean of its
    y, which is all that the loss sees of them up to a constant, and the sum of its
    weights. The sums are exact, so that the order of the rows makes no difference.
    """
    ascending = sorted(rows)
    least = resolution(ascending[0][0], ascending[-1][0]) if rows else 0.0
    x, y, w = np.array(ascending, dtype=np.float64).reshape(-1, 3).T
    if (np.diff(x) > least).all():
        return Points(x.copy(), w * y / w + 0.0, w.copy()), ()
    groups: list[list[Measurement]] = []
    for row in ascending:
        if groups and (row[0] == groups[-1][0][0] or row[0] - groups[-1][0][0] <= least):
            groups[-1].append(row)
        else:
            groups.append([row])
    weights = [fsum(w for _, _, w in group) for group in groups]
    means = [
        fsum(w * y for _, y, w in group) / weight + 0.0 for group, weight in zip(groups, weights, strict=True)
    ]
    equal = len(rows) - len({x for x, _, _ in rows})
    near = len(rows) - len(groups) - equal
    notes = []
    if equal:
        notes.append(f"{equal} duplicate x averaged, with their weight")
    if near:
        notes.append(f"{near} x within {format_number(RESOLUTION)} of the span of another, taken together")
    return Points(np.array([group[0][0] for group in groups]), np.array(means), np.array(weights)), tuple(
        notes
    )


def check_points(count: int, limits: Limits) -> None:
    """Refuse data sets that are too small or too large."""
    if not 2 <= count <= limits.points:
        raise FieldError("data", f"{count} distinct x; allowed are 2 to {limits.points}")


def canonical_csv(points: Points) -> str:
    """The one text of a data set."""
    rows = zip(*(column.tolist() for column in points), strict=True)
    return "".join(",".join(map(format_number, row if row[2] != 1.0 else row[:2])) + "\n" for row in rows)


def read_canonical(text: str) -> Points:
    """The arrays behind a canonical text.

    Parameters
    ----------
    text
        Lines of x, y and maybe a weight, as `canonical_csv` writes them.

    Returns
    -------
    Points
        x, y and weights, 1 where none is given.

    Examples
    --------
    >>> from core.problem import read_canonical
    >>> read_canonical("0.0,1.0\\n1.0,3.0").y.tolist()
    [1.0, 3.0]
    """
    rows = [(*map(float, line.split(",")), 1.0)[:3] for line in text.splitlines()]
    return Points(*np.array(rows, dtype=np.float64).T)


def dataset_id(text: str) -> str:
    """The name of a canonical text: 32 hexadecimal digits of its SHA-256."""
    return sha256(text.encode()).hexdigest()[:32]


def encode_inline(text: str) -> str:
    """Canonical text as it stands in a link: `x:y;x:y`."""
    return text.rstrip("\n").replace(",", ":").replace("\n", ";")


def decode_inline(text: str, limits: Limits = LIMITS) -> PointSet:
    """Data from `x:y;x:y:w;…`; a ValueError names the point that is wrong."""
    rows: list[Measurement] = []
    for position, point in enumerate(text.removesuffix(";").split(";"), start=1):
        parts = point.split(":")
        if len(parts) not in (2, 3):
            raise FieldError(
                "data", f"point {position}, {shorten(point)!r}, is not of the form x:y or x:y:weight"
            )
        try:
            values = [read_number(part) for part in parts]
        except ValueError as error:
            raise FieldError("data", f"point {position}: {error}") from None
        if max(map(abs, values)) > LARGEST_VALUE:
            bound = format_number(LARGEST_VALUE)
            raise FieldError("data", f"point {position}: {shorten(point)} is beyond ±{bound}")
        rows.append(_weighed(values, f"point {position}"))
    points, notes = merge(rows)
    check_points(len(points.x), limits)
    return PointSet(points, notes)
