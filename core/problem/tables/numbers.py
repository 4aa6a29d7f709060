"""Cells to numbers, as people and spreadsheets write them.

Whether a comma or a point is the decimal mark cannot be told from one cell: 1,234 is either. A cell with
both marks, with one of them twice, or with other than three digits behind one tells; what a column does not
tell, the other columns do, and last of all the delimiter: where semicolons part the columns, commas are
free to be decimal marks.
"""

import re
from collections.abc import Iterable, Sequence
from math import isfinite
from typing import NamedTuple

GAPS = frozenset(
    {"", "-", "--", "---", "–", "—", ".", "..", "...", "?", "*", "na", "n/a", "n.a.", "nan", "null", "none"}
    | {"nil", "missing", "nat", "<na>", "(null)", "k.a.", "\\n", "inf", "-inf", "+inf"}
    | {"#n/a", "#value!", "#div/0!", "#ref!", "#num!", "#name?", "#null!"}
)
"""Cells that say that there is no value, in lower case."""
SENTINELS = frozenset(
    (-99.0, -99.9, -99.99, -999.0, -999.9, -999.99, -9999.0, -9999.9, -9999.99, -99999.0, -999999.0)
)
"""Numbers that stand for no value where all others of a column are positive."""

_CURRENCY = "$€£¥₹"
_GROUPED = re.compile(r"(\d{1,3})((?:[ \u00a0\u202f\u2009'’_]\d{3})+)(?![\d ])")
_SHAPE = re.compile(r"[+-]?(?:[\d.,]+)(?:[eEdD][+-]?\d+)?", re.ASCII)
_PLAIN = re.compile(r"[+-]?(?:\d+[.,]?\d*|[.,]\d+)", re.ASCII)
_TAIL = re.compile(r"[eEdD][+-]?\d+$")
_DIGIT, _NO_DIGIT = re.compile(r"\d", re.ASCII), re.compile(r"\D", re.ASCII)


class Cell(NamedTuple):
    """A cell without its trimmings: digits and marks, sign, and the unit that stood beside it."""

    body: str
    unit: str


def is_gap(cell: str) -> bool:
    """Whether a cell says that it has no value."""
    return not cell[:1].isdigit() and cell.strip().lower() in GAPS


def stripped(cell: str) -> Cell | None:
    """The number of a cell, still with its marks; None where it is none."""
    if _PLAIN.fullmatch(cell):
        return Cell(cell, "")
    text = cell.strip().replace("\u2212", "-").replace("\u00a0", " ")
    unit = ""
    if text.startswith("(") and text.endswith(")"):
        text = f"-{text[1:-1].strip()}"
    if text.endswith("%"):
        text, unit = text[:-1].rstrip(), "%"
    sign = text[:1] if text[:1] in "+-" else ""
    rest = text[len(sign) :].strip()
    if rest[:1] and rest[0] in _CURRENCY:
        rest, unit = rest[1:].lstrip(), rest[0]
        if rest[:1] in ("+", "-") and not sign:
            sign, rest = rest[0], rest[1:]
    elif rest[-1:] and rest[-1] in _CURRENCY:
        rest, unit = rest[:-1].rstrip(), rest[-1]
    rest = _GROUPED.sub(lambda found: _NO_DIGIT.sub("", found[0]), rest)
    if not _SHAPE.fullmatch(rest) or not _DIGIT.search(rest):
        return None
    return Cell(sign + rest, unit)


def evidence(body: str) -> str:
    """The decimal mark that a number shows: a point or a comma; `3.` or `3,` where its one mark could part
    thousands as well; `!` where it is no number either way; empty where it has no mark."""
    digits = _TAIL.sub("", body).lstrip("+-")
    points, commas = digits.count("."), digits.count(",")
    if not points and not commas:
        return ""
    if points and commas:
        mark, other = (".", ",") if digits.rfind(".") > digits.rfind(",") else (",", ".")
        whole, _, part = digits.partition(mark)
        return mark if not {mark, other} & set(part) and _grouped(whole, other) else "!"
    mark, other = (".", ",") if points else (",", ".")
    if points + commas > 1:
        return other if _grouped(digits, mark) else "!"
    whole, _, part = digits.partition(mark)
    could_part = len(part) == 3 and 1 <= len(whole) <= 3 and not whole.startswith("0")
    return f"3{mark}" if could_part else mark


def _grouped(digits: str, mark: str) -> bool:
    head, *groups = digits.split(mark)
    return 1 <= len(head) <= 3 and all(len(group) == 3 for group in groups)


def decimal_of(bodies: Iterable[str]) -> str:
    """The decimal mark of a column: a point, a comma, `3.` or `3,` where it may part thousands as well,
    `!` where cells contradict each other, empty where no cell has a mark."""
    seen = {evidence(body) for body in bodies} - {""}
    certain = seen & {".", ","}
    if "!" in seen or len(certain) > 1:
        return "!"
    if certain:
        return certain.pop()
    return "!" if len(seen) > 1 else seen.pop() if seen else ""


def value(body: str, mark: str) -> float | None:
    """The number, its decimal mark known; None where it is none."""
    other = "," if mark == "." else "."
    head, found, tail = body.partition(mark)
    if other in tail or (other in head and not _grouped(head.lstrip("+-"), other)):
        return None
    plain = head.replace(other, "") + ("." + tail if found else "")
    try:
        number = float(plain.replace("d", "e").replace("D", "e"))
    except ValueError:
        return None
    return number + 0.0 if isfinite(number) else None


def plain_floats(cells: Sequence[str]) -> list[float] | None:
    """The quick way, for a column of plain numbers; None where a cell is anything else."""
    try:
        found = list(map(float, cells))
    except ValueError:
        return None
    return found if all(map(isfinite, found)) and not any("_" in cell for cell in cells) else None
