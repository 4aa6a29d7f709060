"""The list on the Runs page, and what stands there while it is empty."""

from collections.abc import Callable, Collection, Sequence
from math import ceil, log10
from typing import Any

from dash import html

from components.pages.runs.entry import entry_item
from core.narrative import number
from core.service import HistoryEntry, RunInfo

A_PAGE = 40
SCALE = "All pictures share one scale: {} epochs across, the loss down to 1/10,000 of its start."


def run_list(
    entries: Sequence[HistoryEntry],
    look: Callable[[str], RunInfo | None],
    selected: Collection[str],
    edited: str = "",
    owner: str = "",
) -> list[Any]:
    """One page of entries; what its owner has started can be stopped."""
    infos = {entry.id: look(entry.id) for entry in entries}
    longest = max((info.epoch for info in infos.values() if info), default=0.0)
    decades = max(1, ceil(log10(1.0 + longest)))
    items = [
        entry_item(
            entry,
            infos[entry.id],
            decades=decades,
            is_selected=entry.id in selected,
            is_edited=entry.id == edited,
            can_stop=_can_stop(infos[entry.id], owner),
        )
        for entry in entries
    ]
    scale = SCALE.format(number(10.0**decades))
    return [html.Ul(items, className="runs-list"), html.P(scale, className="note")]


def _can_stop(info: RunInfo | None, owner: str) -> bool:
    return info is not None and info.status in ("queued", "running") and info.starter == owner


def no_runs(search: str, *, is_past_the_end: bool) -> html.Div:
    """What to do where there is nothing to list."""
    if is_past_the_end:
        return html.Div([html.P("There are no more runs.")], className="nothing-yet")
    if search:
        return html.Div(
            [
                html.P(f"No run matches “{search}”."),
                html.P("Search for a method, a target, or a setting such as width 10.", className="note"),
            ],
            className="nothing-yet",
        )
    return html.Div(
        [
            html.P("You have not started a run yet."),
            html.P(
                "Runs that you start, and runs that you open by a link, are listed here. The example on "
                "the Lab's first screen does not count.",
                className="note",
            ),
            html.A("Open the Lab", href="/", className="button primary"),
        ],
        className="nothing-yet",
    )
