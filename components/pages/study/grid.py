"""The table of runs: the grid asks for the rows that are on screen, sorted and filtered here."""

from collections.abc import Mapping, Sequence
from typing import Any

import dash_ag_grid

from components.common.callback_guard import mapping
from components.pages.study.figures import lab_link
from components.pages.study.words import OUTCOMES, column_help, column_title, shown
from core.narrative import count, number
from core.study import COLUMNS, Row

SHOWN = tuple(column for column in COLUMNS if column not in ("id", "numerics"))
NUMBERS = tuple(column for column in SHOWN if column not in ("query", "target", "method", "outcome"))
"""Columns that can be drawn."""
_WIDTHS = {"query": 420, "outcome": 160, "method": 150}
_FIRST = ("seed", "method", "width", "outcome", "loss", "epochs", "longest_plateau")


def columns(differing: Sequence[str] = ()) -> list[dict[str, Any]]:
    """The columns of a study's table: first what tells its runs apart and what most ask for."""
    keys = (*(key for key in differing if key not in _FIRST), *_FIRST)
    order = (*keys, *(column for column in SHOWN if column not in (*keys, "query")), "query")
    return [
        {
            "field": column,
            "headerName": column_title(column),
            "headerTooltip": column_help(column),
            "filter": "agNumberColumnFilter" if column in NUMBERS else "agTextColumnFilter",
            "width": _WIDTHS.get(column, max(128, 60 + 8 * len(column_title(column)))),
            **({"tooltipField": "ended"} if column == "outcome" else {}),
        }
        for column in order
    ]


def run_grid() -> dash_ag_grid.AgGrid:
    """The empty grid. It is built without columns and gets them once it stands: two shorter tasks."""
    return dash_ag_grid.AgGrid(
        id="study-grid",
        columnDefs=[],
        defaultColDef={"sortable": True, "resizable": True, "filterParams": {"maxNumConditions": 1}},
        rowModelType="infinite",
        dashGridOptions={
            "theme": "legacy",  # its styles are in assets/vendor
            "rowSelection": {"mode": "singleRow", "checkboxes": False, "enableClickSelection": True},
            "cacheBlockSize": 100,
            "maxBlocksInCache": 10,
            "animateRows": False,
            "tooltipShowDelay": 400,
            "localeText": {"noRowsToShow": "No runs to show yet"},
        },
        getRowId="params.data.id",
        className="study-grid ag-theme-quartz",
        style={"height": "420px"},
    )


def answer_rows(rows: Sequence[Row], request: Mapping[str, Any]) -> dict[str, Any]:
    """The block that the grid asks for, and how many rows there are with its filters."""
    filters, sorts = mapping(request.get("filterModel")), request.get("sortModel")
    found = [row for row in rows if _passes(row, filters)]
    for sort in map(mapping, reversed(sorts if isinstance(sorts, list) else [])):
        column, down = str(sort.get("colId")), sort.get("sort") == "desc"
        there = [row for row in found if row.get(column) is not None]
        there.sort(key=lambda row: shown(row, column), reverse=down)
        # What never happened comes last, whichever way.
        found = there + [row for row in found if row.get(column) is None]
    first, last = (_count(request.get(name), usual) for name, usual in (("startRow", 0), ("endRow", 100)))
    block = [_told(row) for row in found[first : min(last, first + 500)]]
    return {"rowData": block, "rowCount": len(found)}


def _count(told: object, usual: int) -> int:
    return told if isinstance(told, int) and told > 0 else usual


def _told(row: Row) -> Row:
    """A row as it is read, numbers with fewer digits than the file has; where its run opens, and what is to
    be said of its end."""
    told = {column: shown(row, column) for column in row}
    short = {key: _in_short(key, value) if isinstance(value, float) else value for key, value in told.items()}
    ended = OUTCOMES.get(row.get("outcome") or "", ("", ""))[1]
    return short | {"lab": lab_link(row), "ended": ended}


def _in_short(column: str, value: float) -> str:
    """A number as sentences write it; epochs are counted."""
    return count(value) if column.startswith("epochs") else number(value, 4)


def _passes(row: Row, filters: Mapping[str, Any]) -> bool:
    return all(_holds(shown(row, column), mapping(wanted)) for column, wanted in filters.items())


def _holds(value: Any, wanted: Mapping[str, Any]) -> bool:
    kind, other = wanted.get("type"), wanted.get("filter")
    if kind == "blank" or kind == "notBlank":
        return (value is None) == (kind == "blank")
    if isinstance(value, str):
        text, part = value.lower(), str(other).lower()
        answers = {
            "contains": part in text, "notContains": part not in text, "equals": text == part,
            "notEqual": text != part, "startsWith": text.startswith(part), "endsWith": text.endswith(part),
        }  # fmt: skip
        return answers.get(str(kind), True)
    if value is None or not isinstance(other, int | float):
        return False
    high = wanted.get("filterTo")
    answers = {
        "equals": value == other, "notEqual": value != other, "lessThan": value < other,
        "lessThanOrEqual": value <= other, "greaterThan": value > other, "greaterThanOrEqual": value >= other,
        "inRange": isinstance(high, int | float) and other <= value <= high,
    }  # fmt: skip
    return answers.get(str(kind), True)
