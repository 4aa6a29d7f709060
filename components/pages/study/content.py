"""What the Study page says and draws; plain functions of the service, without a browser."""

from collections.abc import Sequence
from typing import Any

from components.pages.study.axes import Figure
from components.pages.study.captions import caption
from components.pages.study.endings import widths_of
from components.pages.study.figures import picture, scatter
from components.pages.study.groups import MOST_GROUPS, Group, alone, groups_of
from components.pages.study.levels import epochs_to, levels, usual_level
from components.pages.study.table import StudyTable, StudyTables, columns_of, grouped
from components.pages.study.view import is_level
from components.pages.study.words import column_title
from core.narrative import number
from core.service import Studies, StudyInfo, before_it_begins

_FEW = 5.0
"""Below so many seconds nobody counts them."""
_LEAST = 2.0
"""Below so many seconds the near end of a range is not said: it would jump between 1 and 3."""
_MOST_NAMED = 4
"""With more groups than these a headline names the first and the last."""
_MANY = 2_000
"""Above so many rows the page looks every third second."""


def planned(studies: Studies, query: str) -> dict[str, Any]:
    """What a query would be as a study: a sentence, and whether it may be run."""
    try:
        plan = studies.plan(query)
    except ValueError as error:
        return {"note": str(error), "may_run": False, "id": None, "query": query}
    number = len(plan.runs)
    runs = "1 run" if number == 1 else f"{number:,} runs"
    known = studies.info(plan.id)
    # Of one that is known, the progress says what is left.
    took = "" if known else f", {about_range(*before_it_begins(studies.seconds(plan)))}"
    keys = [column_title(key) for key in plan.runs.differing]
    differ = f" that differ in {' and '.join(filter(None, (', '.join(keys[:-1]), keys[-1])))}" if keys else ""
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
    begins = "" if info.done else "Starting. "
    return f"{begins}{done}; {about_range(*info.remaining)} left."


def about_range(low: float, high: float) -> str:
    """A duration between two ends."""
    if high < _FEW:
        return "a few seconds"
    first, last = about(low), about(high)
    if first == last:
        return last
    if low < _LEAST:
        return f"up to {last.removeprefix('about ')}"
    unit = last.rpartition(" ")[2]
    start = first.removesuffix(f" {unit}") if first.endswith(f" {unit}") else first
    return f"{start} to {last.removeprefix('about ')}"


def about(seconds: float) -> str:
    """A duration, roughly."""
    if seconds < 90:
        return f"about {seconds:.0f} s"
    return f"about {seconds / 60:.0f} min" if seconds < 5_400 else f"about {seconds / 3_600:.1f} h"


def group_options(info: StudyInfo) -> list[str]:
    """What runs can be grouped by: all that tells them apart but the seed, parts of it, each key alone."""
    keys = _keys(info)
    together = [",".join(keys[:most]) for most in range(len(keys), 1, -1)]
    return list(dict.fromkeys([*together, *keys, "method"]))


def usual_group(studies: Studies, info: StudyInfo) -> str:
    """What tells groups apart where nobody has chosen: all that varies but the seed, so that no two methods
    or widths are taken together; less of it where there would be more groups than can be drawn."""
    runs = studies.plan(info.query).runs
    sizes = {key: len(values) for key, values in runs.lists.items()}
    sizes["method"] = len({method.name for method, _ in runs.variants})
    keys, number = list[str](), 1
    for key in _keys(info):
        number *= sizes[key]
        if keys and number > MOST_GROUPS:
            break
        keys.append(key)
    return ",".join(keys) or "method"


def _keys(info: StudyInfo) -> list[str]:
    """The keys that tell runs apart but the seed; the method and the width come first."""
    differing = [key for key in info.differing if key != "seed"]
    first = [key for key in ("method", "width") if key in differing]
    return list(dict.fromkeys([*first, *differing]))


def drawn(
    tables: StudyTables, info: StudyInfo, name: str, group: str, chosen: Sequence[str], theme: str, only: str
) -> tuple[Figure, str]:
    """One picture and what stands below it; what is chosen for it are the two columns of the scatter, or the
    loss to be reached. All groups are faint but the `only` one that was asked for."""
    table = tables.table(info)
    if name == "scatter":
        figure = scatter(table, group, chosen[0], chosen[1], theme)
    else:
        level = chosen[0] if chosen and is_level(chosen[0]) else usual_level(table)
        figure = picture(table, name, group, level, theme)
    groups = min(MOST_GROUPS, len(grouped(table, group)))
    return alone(figure, only), caption(name, groups, len(widths_of(table)), len(table.rows))


def headline(table: StudyTable, key: str, level: str) -> str:
    """Which groups reach a loss, the most successful first: what a study comes to, in one sentence."""
    level = level if is_level(level) else usual_level(table)
    groups = groups_of(table, key, "light")
    if len(groups) > _MOST_NAMED and "method" in columns_of(key):
        groups = groups_of(table, "method", "light")
    counts = []
    for group in groups:
        times = epochs_to(table, group.places, level)
        counts.append((sum(time is not None for time in times), len(times), group.title))
    counts.sort(key=lambda entry: -entry[0] / max(1, entry[1]))
    if not counts or not counts[0][0]:
        return f"No run reaches {number(float(level))}." if counts else ""
    hits, runs, title = counts[0]
    first = f"{title} reaches {number(float(level))} in {hits} of {runs} runs"
    if len(counts) > _MOST_NAMED:
        hits, runs, title = counts[-1]
        return f"{first}. {title} is last of {len(counts)}: {hits or 'none'} of {runs}."
    alike = len({each[1] for each in counts}) == 1
    others = [
        f"{title} in {hits or 'none'}" + ("" if alike else f" of {runs}") for hits, runs, title in counts[1:]
    ]
    return f"{', '.join([first, *others])}."


def level_entries(table: StudyTable) -> list[tuple[str, str]]:
    """The losses that one may ask about, and what each is called; first what is shown if nobody asks."""
    usual = f"{number(float(usual_level(table)))}, half of the runs"
    return [("", usual), *((level, number(float(level))) for level in levels(table))]


def legend(table: StudyTable, key: str, theme: str) -> tuple[list[Group], str]:
    """The groups of all pictures, none where there is one, and what is to be said of those left out."""
    groups = groups_of(table, key, theme)
    rest = len(grouped(table, key)) - len(groups)
    return groups if len(groups) > 1 else [], f"and {rest} more that are not drawn" if rest else ""


def pause(info: StudyInfo) -> int:
    """Milliseconds between two looks."""
    return 1_000 if info.done < _MANY else 3_000


def chosen_run(row: dict[str, Any]) -> tuple[str, str]:
    """What a run that is chosen in the grid is called, and where it opens: a row as the grid was told it."""
    name, link = f"{row['method']}, seed {row['seed']}, width {row['width']}", str(row["lab"])
    return name, link if link.startswith("/?") else "/"
