"""Text to rows of cells: the delimiter, the quotes, and what stands before and after the table.

A first line `sep=` names the delimiter. Without one, every delimiter is tried on the first lines. The right
one gives the same number of cells on every line and cells that are numbers or dates. A tab or a semicolon is
believed before a comma, which stands in numbers too, and a comma before a space, which stands in words. The
rows themselves are read by Python's csv module.
"""

import csv
import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from ...spelling import FieldError
from .dates import read_dates, read_times
from .numbers import evidence, is_gap, stripped

Row = list[str]
_SAMPLE = 200
_LINE_END = re.compile(r"\r\n?|[\u2028\u2029\x85]")
_DECLARED = re.compile(r"sep=(.)\s*", re.IGNORECASE)
_COMMENTS = ("#", "%", "//")
_LONGEST_CELL = 20
"""Lines in one quoted cell, beyond which a quote was only left open."""
_TOTALS = re.compile(
    r"(grand )?(total|sum|mean|average|gesamt|summe|mittelwert|mittel|somme|moyenne)s?:?", re.I
)
_JSON, _HTML = re.compile(r"[\[{]\s*[\[{\"]"), re.compile(r"<(!doctype|html|\?xml|table)", re.IGNORECASE)
NAMES = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", " ": "space", "": "none"}


class Rows(NamedTuple):
    """A text as a table of cells, every row of the same length."""

    cells: list[Row]
    lines: list[int]
    """The line of the file at which each row begins."""
    delimiter: str
    remark: Row
    """The last comment before the table, as cells: it may hold the names of the columns."""
    notes: tuple[str, ...]


def split_rows(text: str) -> Rows:
    """The cells of a text; FieldError where there is no table in it."""
    text = _LINE_END.sub("\n", text)
    if _JSON.match(text.lstrip()) or _HTML.match(text.lstrip()):
        raise FieldError("data", "This is JSON or a web page. Save the table as CSV and open that file.")
    lines = text.split("\n")
    declared = _DECLARED.fullmatch(lines[0]) if lines else None
    if declared:
        lines[0] = ""
    remark = ""
    kept: list[str] = []
    for line in lines:
        if line[:1].isdigit():
            kept.append(line)
        elif line.lstrip().startswith(_COMMENTS) and not line.lstrip().startswith(
            ("#N", "#n", "#,", "#;", "#\t", "#V")
        ):
            remark = line.strip().lstrip("#%/ ") if not any(kept) else remark
            kept.append("")
        else:
            kept.append(line if line.strip(" ,;\t|\ufeff") else "")
    sample = [line for line in kept if line][:_SAMPLE]
    if not sample:
        raise FieldError("data", "This file is empty. A column of numbers is needed, or two.")
    delimiter = declared[1] if declared else _delimiter(sample)
    rows, numbers = _read(kept, delimiter)
    return _squared(rows, numbers, delimiter, _read([remark], delimiter)[0][0] if remark else [])


def _read(lines: Sequence[str], delimiter: str) -> tuple[list[Row], list[int]]:
    """The rows that are not empty, and their lines."""
    if delimiter == " ":
        found = [(number, line.split()) for number, line in enumerate(lines, 1) if line]
        if any('"' in line for line in lines):
            found = [
                (number, [cell.strip('"') for cell in re.findall(r'"[^"]*"|\S+', line)])
                for number, line in enumerate(lines, 1)
                if line
            ]
        return [row for _, row in found], [number for number, _ in found]
    padded = _is_padded(lines, delimiter)
    for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_NONE):
        reader = csv.reader(
            (f"{line}\n" for line in lines),
            delimiter=delimiter or "\x1f",
            quoting=quoting,
            skipinitialspace=True,
        )
        rows, numbers, longest, before = [], [], 0, 0
        try:
            for row in reader:
                if reader.line_num - before > longest:
                    longest = reader.line_num - before
                if padded:
                    row = [_unquoted(cell.strip()) for cell in row]
                if any(row):
                    rows.append(row)
                    numbers.append(before + 1)
                before = reader.line_num
        except csv.Error:
            continue
        if longest <= _LONGEST_CELL or quoting == csv.QUOTE_NONE:
            return rows, numbers
    raise FieldError("data", "A cell of this file is too long. Save the table as CSV once more.")


def _is_padded(lines: Sequence[str], delimiter: str) -> bool:
    """Whether there is anything to take off a cell: a blank or a single quote at its edge. Most files have
    none, and are read in half the time."""
    text = "\n".join(("", *lines, ""))
    pads = {sign for sign in set(text) - {"\n", delimiter} if sign.isspace() or sign == "'"}
    edges = {delimiter, '"', "\n"} - {""}
    return any(pad + edge in text or edge + pad in text for pad in pads for edge in edges)


def _unquoted(cell: str) -> str:
    """Without the single quotes that some programs put around cells."""
    return cell[1:-1].strip() if len(cell) > 1 and cell[0] == cell[-1] == "'" else cell


def _delimiter(sample: Sequence[str]) -> str:
    """The delimiter that makes most sense of the first lines; empty where there is one column."""
    best, delimiter = 0.0, ""
    for candidate in ("\t", ";", "|", ",", " "):
        if candidate == " " or any(candidate in line for line in sample):
            score = _score(_read(list(sample), candidate)[0])
            if score > best + 1e-9:
                best, delimiter = score, candidate
    alone = _score_single(sample)
    return delimiter if best > alone else ""


def _score(rows: Sequence[Row]) -> float:
    """The share of lines with as many cells as most, times the share of their cells that mean something."""
    lengths = Counter(len(_trimmed(row)) for row in rows)
    several = [length for length in lengths if length > 1]
    if not several:
        return 0.0
    usual = max(several, key=lambda length: (lengths[length], length))
    fitting = [row for row in rows if len(_trimmed(row)) == usual or len(row) == usual]
    body = fitting[1:] or fitting
    cells = [cell for row in body[:60] for cell in row]
    full = [cell for cell in cells if not is_gap(cell)]
    if not full:
        return 0.0
    meaning = sum(map(_meaning, full)) / len(full)
    return len(fitting) / len(rows) * meaning


def _score_single(sample: Sequence[str]) -> float:
    """The same for a single column: under one name every line is a number, its commas decimal marks."""
    header, *body = (line.strip().strip('"') for line in sample[:61])
    shares = [
        sum(_meaning(line) == 1.0 for line in lines) / len(lines) for lines in (body, [header]) if lines
    ]
    if body and shares[1] < 1.0 and shares[0] >= 0.9 and not re.search(r"[,;\t|]", header):
        return 1.01
    return 0.5 * sum(_meaning(line) == 1.0 and "," not in line for line in [header, *body]) / (1 + len(body))


def _meaning(cell: str) -> float:
    """1 for a number, a date or a gap; less for words; little for what looks like several cells in one."""
    if is_gap(cell):
        return 1.0
    number = stripped(cell)
    if number is not None and evidence(number.body) != "!":
        return 1.0
    if read_times([cell]) is not None or read_dates([cell]) is not None:
        return 1.0
    if re.search(r"[;\t|]|\d,\s*\d|^[-+.\d]+\s+[-+.\d]|,$", cell):
        return 0.1
    return 0.6


def _trimmed(row: Row) -> Row:
    end = len(row)
    while end and not row[end - 1]:
        end -= 1
    return row[:end]


def _squared(rows: list[Row], lines: list[int], delimiter: str, remark: Row) -> Rows:
    """All rows of one length, without what stands before and after the table."""
    notes = []
    counts = Counter(len(row) if row[-1] else len(_trimmed(row)) for row in rows)
    width = max((length for length, count in counts.items() if count > 1), default=max(counts))
    usual = max(counts, key=lambda length: (counts[length], length))
    while width > usual and counts[width] < 0.05 * len(rows):
        width = max(length for length in counts if length < width)
    first = 0
    while first < len(rows) - 1 and width > 1 and len(_trimmed(rows[first])) == 1 and first < 30:
        first += 1
    last = len(rows)
    while last > first + 1 and width > 1 and _is_footer(_trimmed(rows[last - 1])):
        last -= 1
    if first:
        notes.append(f"{first} {'line' if first == 1 else 'lines'} above the table left out")
    if last < len(rows):
        count = len(rows) - last
        notes.append(f"{count} {'line' if count == 1 else 'lines'} below the table left out")
    rows, lines = rows[first:last], lines[first:last]
    header, body = rows[0], rows[1:]
    if len(header) == width - 1 and body and all(len(row) == width for row in body):
        rows = [["", *header], *body]  # R names no column of row names
    if all(len(row) == width for row in rows):
        return Rows(rows, lines, delimiter, remark, tuple(notes))
    kept, numbers, odd = [], [], []
    for row, line in zip(rows, lines, strict=True):
        if len(row) > width and len(_trimmed(row)) > width:
            odd.append(line)
            continue
        kept.append(row if len(row) == width else (row + [""] * width)[:width])
        numbers.append(line)
    if odd:
        where = "line" if len(odd) == 1 else "lines"
        notes.append(
            f"{len(odd)} of {len(rows):,} rows skipped: more than {width} cells ({where} {_few(odd)})"
        )
    return Rows(kept, numbers, delimiter, remark, tuple(notes))


def _is_footer(row: Row) -> bool:
    if not row:
        return True
    if _TOTALS.fullmatch(row[0]):
        return True
    alone = len(row) == 1 and stripped(row[0]) is None and not is_gap(row[0])
    return alone and read_dates([row[0]]) is None and read_times([row[0]]) is None


def _few(lines: Sequence[int]) -> str:
    return ", ".join(map(str, lines[:3])) + (", …" if len(lines) > 3 else "")
