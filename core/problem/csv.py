"""Own data as text: CSV files in, one canonical text out, named by its content.

The canonical text has one line `x,y` a point, x ascending, every number in its
canonical spelling. Its hash is the name under which an upload can be linked to.
The inline form in a link is the same text with `:` and `;` for comma and newline.
"""

import re
from hashlib import sha256
from math import fsum

import numpy as np

from core.limits import LIMITS, Limits
from core.problem.data import LARGEST_VALUE
from core.spelling import format_number, read_number, shorten
from core.types import FloatArray

DATASET_ID = re.compile(r"[0-9a-f]{32}", re.ASCII)
_LINE_END = re.compile(r"\r\n|\n|\r")

Row = tuple[float, float]
Parsed = tuple[FloatArray, FloatArray, tuple[str, ...]]


def parse_csv(text: str, limits: Limits = LIMITS) -> Parsed:
    """x, y and notes from two columns of text; a ValueError names the line that is wrong.

    The columns are separated by semicolon, tab, comma or space, whichever the
    first line has, in this order: `1,5;2,5` has decimal commas, not four columns.
    """
    size = len(text.encode(errors="surrogatepass"))
    if size > limits.upload_bytes:
        raise ValueError(f"data: {size} bytes, at most {limits.upload_bytes} are allowed")
    lines = [
        (number, line.strip(" "))
        for number, line in enumerate(_LINE_END.split(text.removeprefix("\ufeff")), start=1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    if not lines:
        raise ValueError("data: the text is empty; two columns of numbers are needed")
    separator = next((mark for mark in ";\t," if mark in lines[0][1]), None)
    rows = [(number, _columns(line, separator)) for number, line in lines]
    notes: list[str] = []
    if not any(_reads_as_number(column) for column in rows[0][1]):
        notes.append(f"line {rows[0][0]} was read as a header")
        rows = rows[1:]
    values = [_row(number, columns, separator) for number, columns in rows]
    x, y, averaged = average_duplicates(values)
    if averaged:
        notes.append(f"{averaged} duplicate x averaged")
    check_points(len(x), limits)
    return x, y, tuple(notes)


def _columns(line: str, separator: str | None) -> list[str]:
    return [column.strip().strip('"').strip() for column in line.split(separator)]


def _reads_as_number(text: str) -> bool:
    """Whether Python would take it for a number, nan and inf included: such a line is no header."""
    try:
        float(text.replace(",", "."))
    except ValueError:
        return False
    return True


def _row(number: int, columns: list[str], separator: str | None) -> Row:
    if len(columns) != 2:
        raise ValueError(f"data: line {number} has {len(columns)} columns, exactly two are needed")
    x, y = (_value(number, column, decimal_comma=separator in (";", "\t")) for column in columns)
    return x, y


def _value(number: int, text: str, *, decimal_comma: bool) -> float:
    try:
        value = read_number(text.replace(",", ".") if decimal_comma else text)
    except ValueError as error:
        raise ValueError(f"data: line {number}: {error}") from None
    if abs(value) > LARGEST_VALUE:
        raise ValueError(f"data: line {number}: {shorten(text)} is beyond ±{format_number(LARGEST_VALUE)}")
    return value


def average_duplicates(rows: list[Row]) -> tuple[FloatArray, FloatArray, int]:
    """Ascending distinct x with the mean y of each, and how many rows that took away.

    The loss only sees the mean of the y that share an x, up to a constant. The
    sums are exact, so that the order of the rows makes no difference.
    """
    groups: dict[float, list[float]] = {}
    for x, y in rows:
        groups.setdefault(x, []).append(y)
    ascending = sorted(groups)
    means = [fsum(groups[x]) / len(groups[x]) + 0.0 for x in ascending]
    return np.array(ascending), np.array(means), len(rows) - len(ascending)


def check_points(count: int, limits: Limits) -> None:
    """Refuse data sets that are too small or too large."""
    if not 2 <= count <= limits.points:
        raise ValueError(f"data: {count} distinct x; allowed are 2 to {limits.points}")


def canonical_csv(x: FloatArray, y: FloatArray) -> str:
    """The one text of a data set."""
    pairs = zip(x.tolist(), y.tolist(), strict=True)
    return "".join(f"{format_number(a)},{format_number(b)}\n" for a, b in pairs)


def read_canonical(text: str) -> tuple[FloatArray, FloatArray]:
    """The arrays behind a canonical text."""
    values = np.array([line.split(",") for line in text.splitlines()], dtype=np.float64)
    return values[:, 0], values[:, 1]


def dataset_id(text: str) -> str:
    """The name of a canonical text: 32 hexadecimal digits of its SHA-256."""
    return sha256(text.encode()).hexdigest()[:32]


def encode_inline(text: str) -> str:
    """Canonical text as it stands in a link: `x:y;x:y`."""
    return text.rstrip("\n").replace(",", ":").replace("\n", ";")


def decode_inline(text: str, limits: Limits = LIMITS) -> Parsed:
    """x, y and notes from `x:y;x:y;…`; a ValueError names the point that is wrong."""
    rows: list[Row] = []
    for position, point in enumerate(text.removesuffix(";").split(";"), start=1):
        parts = point.split(":")
        if len(parts) != 2:
            raise ValueError(f"data: point {position}, {shorten(point)!r}, is not of the form x:y")
        try:
            x, y = map(read_number, parts)
        except ValueError as error:
            raise ValueError(f"data: point {position}: {error}") from None
        if max(abs(x), abs(y)) > LARGEST_VALUE:
            bound = format_number(LARGEST_VALUE)
            raise ValueError(f"data: point {position}: {shorten(point)} is beyond ±{bound}")
        rows.append((x, y))
    xs, ys, averaged = average_duplicates(rows)
    check_points(len(xs), limits)
    return xs, ys, (f"{averaged} duplicate x averaged",) if averaged else ()
