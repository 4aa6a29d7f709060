"""What the Study page says and draws; plain functions of the service, without a browser."""

from collections.abc import Sequence
from typing import Any

from components.study.figures import MOST_GROUPS, Figure, colours_of, lab_link, picture, scatter
from components.study.table import StudyTable, StudyTables, grouped
from components.view import split_query
from core.methods import METHODS
from core.service import Studies, StudyInfo

_MANY = 2_000
"""Above so many rows the page looks every third second."""


def asked(search: str) -> str:
    """The query of a link to the page; keys of the Lab's view have no part in it."""
    try:
        return split_query(search.removeprefix("?"))[0]
    except ValueError:
        return search.removeprefix("?")


def foreseen(studies: Studies, query: str) -> dict[str, Any]:
    """What a query would be as a study: a sentence, and whether it may be run."""
    try:
        plan = studies.plan(query)
    except ValueError as error:
        return {"note": str(error), "may_run": False, "id": None, "query": query}
    number = len(plan.runs)
    runs = "1 run" if number == 1 else f"{number:,} runs"
    known = studies.info(plan.id)
    took = "" if known and known.status == "finished" else f", {about(studies.seconds(plan))}"
    differ = f" that differ in {', '.join(plan.runs.differing)}" if plan.runs.differing else ""
    return {
        "note": f"{runs}{differ}{took}.",
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
    tables: StudyTables, info: StudyInfo, name: str, group: str, chosen: Sequence[str], theme: str
) -> Figure:
    """One picture; what is chosen for it are the two columns of the scatter, or the loss to be reached."""
    table = tables.table(info)
    if name == "scatter":
        return scatter(table, group, chosen[0], chosen[1], theme)
    return picture(table, name, group, chosen[0] if chosen else "", theme)


def legend(table: StudyTable, key: str, theme: str) -> list[tuple[str, str]]:
    """What the groups of all pictures are called, and their colours; nothing where there is one. What is left
    out is told at the end, without a colour."""
    groups = grouped(table, key)
    if len(groups) < 2:
        return []
    shown = list(groups)[:MOST_GROUPS]
    colours = colours_of(key, shown, theme)
    rest = len(groups) - len(shown)
    more = [(f"and {rest} more that are not drawn", "")] if rest else []
    return [(_called(key, name), colours[name]) for name in shown] + more


def _called(key: str, name: str) -> str:
    if key == "method":
        return METHODS[name].title if name in METHODS else name
    return f"{key.replace('_', ' ')} {name}"


def pause(info: StudyInfo) -> int:
    """Milliseconds between two looks."""
    return 1_000 if info.done < _MANY else 3_000


def chosen_run(row: dict[str, Any]) -> tuple[str, str]:
    """What a chosen run is called, and where it opens."""
    return f"{row['method']}, seed {row['seed']}, width {row['width']}", lab_link(row)
