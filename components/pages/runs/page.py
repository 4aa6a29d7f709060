"""The page /runs: what this browser has run, to find again, to name, to compare.

It is plain HTML: forms that the server answers, no script. Every text that somebody typed is escaped where
the document is written (components.common.document).
"""

from collections.abc import Callable, Mapping, Sequence
from re import fullmatch
from typing import Any

from dash import html
from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from components.common.comparison import write_comparison
from components.common.document import document
from components.common.native import Input
from components.common.run_styles import plain_title
from components.figures.thumbnail import MOST_POINTS, curve_picture
from components.pages.runs.entry import BUTTON, TICKS, Place, entry_item, label, matches
from core.config import RunConfig
from core.service import ENDED, MAX_ENTRIES, HistoryEntry, RunInfo, RunService, curve_of_run, entry_fields
from core.service.visitors import Visitors

A_PAGE = 40
SHEETS = ("style.css", "style_icons.css", "style_classroom.css", "runs.css")
_LONGEST_UNDONE = 1_500
_LATEST = 1e10
"""A time that any calendar has, in seconds since 1970."""
_UNDONE = ("query", "name", "tags", "note", "pinned", "at")


def runs_page(
    entries: Sequence[HistoryEntry],
    look: Callable[[str], RunInfo | None],
    place: Place,
    error: str = "",
    gone: Mapping[str, str] | None = None,
) -> list[Any]:
    """The list from the entry `first` on, and above it the search and the button that compares; `gone` is an
    entry that was just deleted."""
    matching = [entry for entry in entries if matches(entry, place.search)]
    first, last = place.first, place.first + A_PAGE
    found = matching[first:last]
    ways = [
        _turn("Newer ones", max(0, min(first, len(matching)) - A_PAGE)) if first else None,
        _turn("Older ones", last) if matching[last:] else None,
    ]
    nothing = "Nothing yet: what you run in the Lab is listed here."
    if entries:
        nothing = "There are no more." if matching else "Nothing matches."
    return [
        html.H1("Your runs"),
        html.P(
            f"What this browser has run: up to {MAX_ENTRIES}, what is pinned first, then the newest. Links "
            "stay valid: what the server no longer has, it computes again.",
            className="lead",
        ),
        _tools(place, [e.id for e in entries if e.id in place.ticked and e not in found]),
        html.P(error, className="runs-error", role="alert") if error else None,
        _undo(gone, place) if gone else None,
        html.Ul([entry_item(entry, look(entry.id), place) for entry in found], className="runs-list")
        if found
        else html.P(nothing, className="note"),
        html.P(ways, className="runs-tools") if any(ways) else None,
    ]


def _tools(place: Place, elsewhere: Sequence[str]) -> html.Form:
    """The form that all ticks belong to, and every button that leads to another list: what is ticked stays
    so. Of several `from` the last one counts, that of the button which was pressed."""
    words = "Search, as in: anls width 10 seed 0"
    return html.Form(
        [
            Input(type="hidden", name="from", value=str(place.first)),
            *(Input(type="hidden", name="run", value=run) for run in elsewhere),
            Input(
                type="search",
                name="q",
                value=place.search,
                maxLength=80,
                placeholder=words,
                **label("Search"),
            ),
            _turn("Search", 0),
            html.Button(
                "Compare the selected runs",
                formAction="/runs/compare",
                **{**BUTTON, "className": "button primary"},
            ),
            html.Span(f"{len(elsewhere)} selected out of sight", className="note") if elsewhere else None,
        ],
        id=TICKS,
        action="/runs",
        className="runs-tools",
        role="search",
    )


def _turn(text: str, first: int) -> html.Button:
    """To the list from there on, with what is ticked here."""
    return html.Button(text, name="from", value=str(first), form=TICKS, **BUTTON)


def _undo(gone: Mapping[str, str], place: Place) -> html.Form:
    title = gone.get("name") or plain_title(gone["query"])
    kept = [Input(type="hidden", name=name, value=gone[name]) for name in _UNDONE if gone.get(name)]
    return html.Form(
        [
            html.Span(f"Deleted from this list: {title}. ", role="status"),
            *place.hidden(),
            *kept,
            html.Button("Undo", name="do", value="restore", **BUTTON),
        ],
        method="post",
        action="/runs/undo",
        className="runs-undo",
    )


class _OwnRuns:
    """What the routes do, for one browser at a time."""

    def __init__(self, service: RunService) -> None:
        self._service, self._visitors = service, Visitors(service)

    def entries(self) -> list[HistoryEntry]:
        return self._service.history.entries(self._visitors.current().handle)

    def comparison(self, place: Place) -> str:
        """Where the selected runs are shown together, and no others; a ValueError says why they cannot be."""
        limits, datasets = self._service.settings.limits, self._service.datasets
        chosen = [entry for entry in self.entries() if entry.id in place.ticked]
        if len(chosen) < 2:
            raise ValueError("Select two runs or more to compare them.")
        if len(chosen) > limits.overlaid_runs:
            raise ValueError(
                f"{len(chosen)} runs are selected; up to {limits.overlaid_runs} can be shown together."
            )
        configs = [RunConfig.from_query(e.query, limits=limits, datasets=datasets) for e in chosen]
        return f"/?{write_comparison(configs, limits=limits, datasets=datasets)}"

    def change(self, run_id: str, form: Mapping[str, str], place: Place) -> str:
        """Do what a form says; the way back, to the entry or to what then stands in its place."""
        history, handle = self._service.history, self._visitors.current().handle
        before, wanted = self._listed(place.search), form.get("do")
        if wanted == "delete":
            entry = next((entry for entry in self.entries() if entry.id == run_id), None)
            history.remove(handle, run_id)
            index = before.index(run_id) if run_id in before else 0
            beside = (before[index + 1 :] or before[:index][-1:] or [""])[0]
            return self._at(beside, place, **(_told(entry) if entry else {}))
        if wanted in ("pin", "unpin"):
            history.change(handle, run_id, pinned=wanted == "pin")
        elif wanted == "save":
            history.change(
                handle, run_id, **entry_fields(*(form.get(name, "") for name in ("name", "tags", "note")))
            )
        return self._at(run_id, place)

    def restore(self, form: Mapping[str, str], place: Place) -> str:
        """Put back an entry that was deleted."""
        history, handle = self._service.history, self._visitors.current().handle
        limits, datasets = self._service.settings.limits, self._service.datasets
        try:
            config = RunConfig.from_query(form.get("query", ""), limits=limits, datasets=datasets)
            at = float(form.get("at", ""))
        except ValueError:
            return place.link()
        if not 0.0 <= at <= _LATEST:
            return place.link()
        texts = [form.get(name, "") for name in ("name", "tags", "note")]
        history.add(handle, config.run_id, config.to_query(limits=limits))
        history.change(handle, config.run_id, at=at, pinned=form.get("pinned") == "1", **entry_fields(*texts))
        return self._at(config.run_id, place)

    def _listed(self, search: str) -> list[str]:
        return [entry.id for entry in self.entries() if matches(entry, search)]

    def _at(self, run_id: str, place: Place, **more: str) -> str:
        """The page of the list that an entry is on by now, at the entry."""
        listed = self._listed(place.search)
        if run_id not in listed:
            return place.link(**more)
        return place._replace(first=listed.index(run_id) // A_PAGE * A_PAGE).link(run_id, **more)


def _told(entry: HistoryEntry) -> dict[str, str]:
    """An entry as a part of the link that can undo its deletion; nothing where it would be too long."""
    told = {"query": entry.query, "name": entry.name, "tags": ",".join(entry.tags), "note": entry.note}
    long = len("".join(told.values())) > _LONGEST_UNDONE
    return {} if long else told | {"pinned": "1" if entry.pinned else "", "at": repr(entry.at)}


def _place(given: Any) -> Place:
    """Where a request comes from."""
    first = (given.getlist("from") or [""])[-1]
    number = int(first) if first.isascii() and first.isdecimal() and len(first) < 5 else 0
    return Place(given.get("q", "")[:80], number, frozenset(given.getlist("run")[:MAX_ENTRIES]))


def runs_routes(service: RunService, styles: str, asset_url: Callable[[str], str]) -> Blueprint:
    """The page, its forms, its pictures."""
    routes, own = Blueprint("runs", __name__), _OwnRuns(service)

    def page(title: str, body: list[Any], status: int = 200) -> Response:
        sheets, script = tuple(map(asset_url, SHEETS)), asset_url("head.js")
        text = document(title, body, styles=styles, sheets=sheets, head_script=script, current="/runs")
        kept = {"Cache-Control": "no-store"}
        return Response(text, status, content_type="text/html; charset=utf-8", headers=kept)

    @routes.get("/runs")
    def index() -> Response:
        gone = {name: request.args.get(name, "")[:_LONGEST_UNDONE] for name in _UNDONE}
        body = runs_page(
            own.entries(), service.info, _place(request.args), gone=gone if gone["query"] else None
        )
        return page("Your runs", body)

    @routes.get("/runs/compare")
    def compare() -> AnyResponse:
        place = _place(request.args)
        try:
            return redirect(own.comparison(place))
        except ValueError as error:
            return page("Your runs", runs_page(own.entries(), service.info, place, str(error)), 400)

    @routes.post("/runs/undo")
    def undo() -> AnyResponse:
        return redirect(own.restore(request.form, _place(request.form)), 303)

    @routes.post("/runs/<run_id>")
    def change(run_id: str) -> AnyResponse:
        return redirect(own.change(run_id, request.form, _place(request.form)), 303)

    @routes.get("/runs/<run_id>.svg")
    def picture(run_id: str) -> Response:
        """The curve; an empty picture where there is none."""
        if not fullmatch("[0-9a-f]{32}", run_id):
            return Response("", 404)
        status = service.status(run_id)
        points = curve_of_run(service, run_id, MOST_POINTS) if status is not None else []
        lasting = "private, max-age=3600" if status in ENDED and points else "no-store"
        return Response(curve_picture(points), mimetype="image/svg+xml", headers={"Cache-Control": lasting})

    return routes
