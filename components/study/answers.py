"""What the Study page says and draws; plain functions of the service, without a browser."""

from collections.abc import Sequence
from typing import Any

from components.study.axes import Figure
from components.study.captions import caption
from components.study.endings import widths_of
from components.study.figures import lab_link, picture, scatter
from components.study.groups import MOST_GROUPS, Group, alone, groups_of
from components.study.table import StudyTable, StudyTables, grouped
from core.service import Studies, StudyInfo

_MANY = 2_000
"""Above so many rows the page looks every third second."""


def foreseen(studies: Studies, query: str) -> dict[str, Any]:
    """What a query would be as a study: a sentence, and whether it may be run."""
    try:
        plan = studies.plan(query)
    except ValueError as error:
        return {"note": str(error), "may_run": False, "id": None, "query": query}
    number = len(plan.runs)
    runs = "1 run" if number == 1 else f"{number:,} runs"
    known = studies.info(plan.id)
    took = "" if known else f", {about(studies.seconds(plan))}"  # then the progress says what is left
    differ = f" that differ in {', '.join(plan.runs.differing)}" if plan.runs.differing else ""
    press = "" if known else "Press Run: "
    return {
        "note": f"{press}{runs}{differ}{took}.",
        "may_run": known is None,
        "id": plan.id if known else None,
        "query": plan.query,
    }


def progress(info: StudyInfo) -> str:
    """How far a study is, in words."""
    done = f"{info.done:,} of {info.runs:,} runs"
    if info.status == "finished":
        return f"All {info.runs:,} runs are done."
    if info.status == "stopped":
        return f"{done}; stopped."
    return f"{done}; {about(info.remaining)} left."


def about(seconds: float) -> str:
    """A duration, roughly."""
    if seconds < 1.5:
        return "about a second"
    if seconds < 90:
        return f"about {seconds:.0f} s"
    return f"about {seconds / 60:.0f} min" if seconds < 5_400 else f"about {seconds / 3_600:.1f} h"


def group_options(info: StudyInfo) -> list[str]:
    """The columns that runs can be grouped by."""
    return list(dict.fromkeys(["method", *(key for key in info.differing if key != "seed")]))


def usual_group(info: StudyInfo) -> str:
    """What tells groups apart where nobody has chosen: the methods, if there are several."""
    options = group_options(info)
    return "method" if "method" in info.differing or len(options) == 1 else options[1]


def drawn(
    tables: StudyTables, info: StudyInfo, name: str, group: str, chosen: Sequence[str], theme: str, only: str
) -> tuple[Figure, str]:
    """One picture and what stands below it; what is chosen for it are the two columns of the scatter, or the
    loss to be reached. All groups are faint but the `only` one that was asked for."""
    table = tables.table(info)
    if name == "scatter":
        figure = scatter(table, group, chosen[0], chosen[1], theme)
    else:
        figure = picture(table, name, group, chosen[0] if chosen else "", theme)
    groups = min(MOST_GROUPS, len(grouped(table, group)))
    return alone(figure, only), caption(name, groups, len(widths_of(table)), len(table.rows))


def legend(table: StudyTable, key: str, theme: str) -> tuple[list[Group], str]:
    """The groups of all pictures, none where there is one, and what is to be said of those left out."""
    groups = groups_of(table, key, theme)
    rest = len(grouped(table, key)) - len(groups)
    return groups if len(groups) > 1 else [], f"and {rest} more that are not drawn" if rest else ""


def pause(info: StudyInfo) -> int:
    """Milliseconds between two looks."""
    return 1_000 if info.done < _MANY else 3_000


def chosen_run(row: dict[str, Any]) -> tuple[str, str]:
    """What a chosen run is called, and where it opens."""
    return f"{row['method']}, seed {row['seed']}, width {row['width']}", lab_link(row)
