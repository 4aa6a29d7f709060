"""The rows and curves of a study in memory, as far as they have come; read once, then only what is new."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from core.config import split_query
from core.limits import LIMITS
from core.service import Studies, StudyInfo, record_curve, record_row
from core.study import Curve, Row

_KEPT = 4
_BLOCK = 1_000


@dataclass
class StudyTable:
    """What is there of one study."""

    rows: list[Row] = field(default_factory=list)
    curves: list[Curve] = field(default_factory=list)


class StudyTables:
    """The tables that were looked at last."""

    def __init__(self, studies: Studies) -> None:
        self._studies = studies
        self._tables: dict[str, StudyTable] = {}
        self._guard = threading.Lock()

    def table(self, info: StudyInfo) -> StudyTable:
        """The table with all that has come until now; every key that differs is a column."""
        study_id = info.id
        with self._guard:
            table = self._tables.pop(study_id, None) or StudyTable()
            self._tables[study_id] = table
            while len(self._tables) > _KEPT:
                self._tables.pop(next(iter(self._tables)))
            while records := self._studies.records(study_id, len(table.rows), _BLOCK):
                rows: list[Row] = [orjson.loads(record_row(record)) for record in records]
                table.rows += [_with_keys(row, info.differing) for row in rows]
                table.curves += [record_curve(record) for record in records]
            return table


def _with_keys(row: Row, keys: Sequence[str]) -> Row:
    """A row with the keys that tell runs apart; one that its query leaves out has its default."""
    told = [key for key in keys if key not in row]
    given = split_query(row["query"], LIMITS.query_bytes) if told else {}
    return row | {key: given.get(key, "default") for key in told}


Values = tuple[Any, ...]
"""One for each column that runs are grouped by."""


def columns_of(key: str) -> tuple[str, ...]:
    """The columns that runs are grouped by, from how a link says it; none: all runs are one group."""
    return tuple(filter(None, key.split(",")))


def grouped(table: StudyTable, key: str) -> dict[Values, list[int]]:
    """Which rows belong together, by their values of some columns, in ascending order."""
    groups: dict[Values, list[int]] = {}
    columns = columns_of(key)
    for place, row in enumerate(table.rows):
        groups.setdefault(tuple(row.get(column) for column in columns), []).append(place)
    return {values: groups[values] for values in sorted(groups, key=_in_order)}


def _in_order(values: Values) -> list[tuple[bool, bool, Any]]:
    return [(value is None, isinstance(value, str), value or 0) for value in values]
