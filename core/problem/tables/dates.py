"""Cells to dates, as days since 1 January 1970, and to times, as hours.

What one cell leaves open the column decides: 03/04/2020 is in March or in April, and all cells of a column
are written in one way. A day beyond 12 tells; else the order in which the dates ascend; else months come
first, as in the United States, and the reading says so.
"""

import re
from collections.abc import Sequence
from datetime import date, datetime
from itertools import pairwise
from math import isfinite, nan
from typing import NamedTuple

CENTURY_TURN = 30
"""A year of two digits up to this one is of the 21st century."""
_EPOCH = date(1970, 1, 1).toordinal()

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "jan january januar janvier enero gennaio", "feb february februar fév février febrero febbraio",
            "mar march mär märz mrz mars marzo", "apr april avr avril abril aprile",
            "may mai mayo maggio", "jun june juni juin junio giugno",
            "jul july juli juil juillet julio luglio", "aug august août agosto",
            "sep sept september septembre septiembre settembre",
            "oct october okt oktober octobre octubre ottobre",
            "nov november novembre noviembre", "dec december dez dezember déc décembre diciembre dicembre",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_TIME = r"(?:[T ,]+(?P<h>\d{1,2}):(?P<mi>\d{2})(?::(?P<s>\d{2}(?:[.,]\d+)?))?\s*(?P<ap>[AaPp]\.?[Mm]\.?)?)?"
_ZONE = r"\s*(?P<z>Z|UTC|GMT|[+-]\d{2}:?\d{2})?"
_DAY = r"[^\W\d_]{2,9}\.?,?"
_WORD = r"(?P<w>[^\W\d_]{3,10})\.?"
_FORMS = tuple(
    (name, re.compile(pattern + _TIME + _ZONE, re.ASCII if name not in ("dwy", "wdy", "wy", "yw") else 0))
    for name, pattern in (
        ("ymd", r"(?P<y>\d{4})(?P<sep>[-/.])(?P<m>\d{1,2})(?P=sep)(?P<d>\d{1,2})"),
        ("xxy", r"(?P<a>\d{1,2})(?P<sep>[-/.])(?P<b>\d{1,2})(?P=sep)(?P<y>\d{4}|\d{2})"),
        (
            "dwy",
            rf"(?:[^\W\d_]{{2,9}}\.?,?\s+)?(?P<d>\d{{1,2}})\.?[-\s/]*{_WORD}[-,\s/]*(?P<y>\d{{4}}|\d{{2}})",
        ),
        ("wdy", rf"{_WORD}\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y>\d{{4}})"),
        ("ym", r"(?P<y>\d{4})[-/Mm](?P<m>\d{1,2})"),
        ("my", r"(?P<m>\d{1,2})[-/](?P<y>\d{4})"),
        ("yq", r"(?P<y>\d{4})[-\s:]?[Qq](?P<q>[1-4])"),
        ("qy", r"[Qq](?P<q>[1-4])[-\s/]?(?P<y>\d{4})"),
        ("yweek", r"(?P<y>\d{4})-?W(?P<wk>\d{2})(?:-?(?P<wd>[1-7]))?"),
        ("wy", rf"{_WORD}[-,\s/]+(?P<y>\d{{4}}|\d{{2}})"),
        ("yw", rf"(?P<y>\d{{4}})[-,\s/]+{_WORD}"),
    )
)
_CLOCK = re.compile(r"(-?\d{1,3}):(\d{2})(?::(\d{2}(?:[.,]\d+)?))?\s*([AaPp]\.?[Mm]\.?)?", re.ASCII)
_COMPACT = re.compile(r"(1[5-9]|20|21)\d{2}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])", re.ASCII)
_NAMED = re.compile(r"date|time|day|stamp|epoch|unix|datum|zeit|tag|when|^t$", re.IGNORECASE)


class Dates(NamedTuple):
    """A column of dates: nan where a cell is none."""

    days: list[float]
    note: str
    """How the order of day and month was settled, where no cell tells."""


def read_dates(cells: Sequence[str], name: str = "", day_first: bool | None = None) -> Dates | None:
    """Days since 1970 of every cell; None where fewer than nine in ten are dates."""
    if cells and all(cell.isdigit() for cell in cells):
        return _compact(cells, name)
    quick = _iso_days(cells)
    if quick is not None:
        return Dates(quick, "")
    known: dict[str, re.Match[str] | None] = {}
    forms: dict[str, str] = {}
    for cell in cells:
        if cell not in known:
            known[cell] = None
            text = cell.strip()
            for form, pattern in _FORMS:
                if found := pattern.fullmatch(text):
                    known[cell], forms[cell] = found, form
                    break
    dated = [cell for cell in cells if known[cell] is not None]
    if len(dated) < 0.9 * len(cells) or not dated:
        return _compact(cells, name)
    note, first = "", day_first
    unsettled = [found for cell in dated if forms[cell] == "xxy" and (found := known[cell])]
    if first is None and unsettled:
        first, note = _day_first(unsettled)
    read = {cell: _days(forms[cell], found, bool(first)) if found else nan for cell, found in known.items()}
    if sum(isfinite(day) for day in read.values()) < 0.9 * len(read):
        return None
    return Dates([read[cell] for cell in cells], note)


def _iso_days(cells: Sequence[str]) -> list[float] | None:
    """The quick way, for a column of dates as in 2020-01-31 12:30:00; None where a cell is anything else."""
    days = []
    try:
        for cell in cells:
            if cell[4] != "-" or cell[7] != "-":
                return None
            when = datetime.fromisoformat(cell)
            if when.tzinfo is not None:
                return None
            seconds = 3600 * when.hour + 60 * when.minute + when.second + 1e-6 * when.microsecond
            days.append(when.toordinal() - _EPOCH + seconds / 86_400)
    except (ValueError, IndexError):
        return None
    return days


def _day_first(found: Sequence[re.Match[str]]) -> tuple[bool, str]:
    """Whether days come before months, and what to say where no date tells."""
    if any(int(match["a"]) > 12 or match["sep"] == "." for match in found):
        return True, ""
    if any(int(match["b"]) > 12 for match in found):
        return False, ""
    ordered = {first: _is_ordered([_days("xxy", match, first) for match in found]) for first in (False, True)}
    if ordered[True] != ordered[False]:
        return ordered[True], ""
    return False, f"dates were read month first: {found[-1][0].strip()}"


def _is_ordered(days: Sequence[float]) -> bool:
    steps = [later - earlier for earlier, later in pairwise(days)]
    return all(step >= 0 for step in steps) or all(step <= 0 for step in steps)


def _days(form: str, found: re.Match[str], day_first: bool) -> float:
    """Days since 1970; nan for a day that there is not, such as 31 February."""
    year = int(found["y"])
    if len(found["y"]) == 2:
        year += 2000 if year <= CENTURY_TURN else 1900
    if form == "xxy" and found["h"] is None:
        first, second = int(found["a"]), int(found["b"])
        return days_of(year, second, first) if day_first else days_of(year, first, second)
    parts = found.groupdict()
    month, day = 1, 1
    if form == "xxy":
        month, day = (int(parts[key]) for key in ("ba" if day_first else "ab"))
    elif parts.get("w"):
        month, day = _MONTHS.get(parts["w"].lower(), 0), int(parts.get("d") or 1)
    elif parts.get("q"):
        month = 3 * int(parts["q"]) - 2
    elif not parts.get("wk"):
        month, day = int(parts["m"]), int(parts.get("d") or 1)
    if not parts.get("wk"):
        return days_of(year, month, day) + _clock(parts)
    try:
        start = date.fromisocalendar(year, int(parts["wk"]), int(parts["wd"] or 1))
    except ValueError:
        return nan
    return start.toordinal() - _EPOCH + _clock(parts)


def days_of(year: int, month: int, day: int) -> float:
    """Days since 1970; nan for a day that there is not."""
    try:
        return float(date(year, month, day).toordinal() - _EPOCH)
    except ValueError:
        return nan


def _clock(parts: dict[str, str | None]) -> float:
    if not parts.get("h"):
        return 0.0
    hour, minute = int(parts["h"] or 0), int(parts["mi"] or 0)
    if parts.get("ap"):
        hour = hour % 12 + (12 if (parts["ap"] or "")[0] in "pP" else 0)
    second = float((parts.get("s") or "0").replace(",", "."))
    zone = parts.get("z") or ""
    shift = 0
    if zone[:1] in ("+", "-"):
        shift = (60 * int(zone[1:3]) + int(zone[-2:])) * (1 if zone[0] == "+" else -1)
    return (3600 * hour + 60 * (minute - shift) + second) / 86_400


def _compact(cells: Sequence[str], name: str) -> Dates | None:
    """Dates as 19580329, and seconds or milliseconds since 1970, in columns that are called by a time."""
    if not _NAMED.search(name):
        return None
    if all(_COMPACT.fullmatch(cell.strip()) for cell in cells):
        texts = (cell.strip() for cell in cells)
        return read_dates([f"{text[:4]}-{text[4:6]}-{text[6:]}" for text in texts])
    try:
        seconds = [float(cell) for cell in cells]
    except ValueError:
        return None
    for unit in (1.0, 1e3):
        if all(5e8 * unit <= second <= 5e9 * unit for second in seconds):
            return Dates([second / unit / 86_400 for second in seconds], "numbers were read as Unix time")
    return None


def read_times(cells: Sequence[str]) -> list[float] | None:
    """Hours of every cell such as 14:30 or 2:30:15 pm; None where any is something else."""
    hours = []
    for cell in cells:
        found = _CLOCK.fullmatch(cell.strip())
        if found is None:
            return None
        hour, minute, second = int(found[1]), int(found[2]), float((found[3] or "0").replace(",", "."))
        if found[4]:
            hour = hour % 12 + (12 if found[4][0] in "pP" else 0)
        hours.append(hour + minute / 60 + second / 3600)
    return hours


def format_days(days: float, *, time: bool = False) -> str:
    """A date in ISO form, with the time of day where it is wanted."""
    whole, seconds = divmod(round(days * 86_400), 86_400) if time else (int(days // 1), 0)
    text = date.fromordinal(min(max(whole + _EPOCH, 1), date.max.toordinal())).isoformat()
    return f"{text} {seconds // 3600:02}:{seconds % 3600 // 60:02}:{seconds % 60:02}" if time else text
