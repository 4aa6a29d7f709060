"""The page /runs: what this browser has run, to find again, to name, to compare.

It is plain HTML: forms that the server answers, no script. Every text that somebody typed is escaped where
the document is written (components.document).
"""

import time
from collections.abc import Callable, Sequence
from re import fullmatch
from typing import Any
from urllib.parse import urlencode

from dash import html
from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from components.comparing import overlay_query
from components.curve_picture import MOST_POINTS, curve_picture
from components.document import document
from components.native import Input
from components.overlay import plain_title
from core.config import RunConfig
from core.run import number
from core.service import (
    ENDED,
    MOST,
    NAME_LENGTH,
    NOTE_LENGTH,
    Logged,
    RunInfo,
    RunService,
    curve_of_run,
    said,
)
from core.service.visitors import Visitors

A_PAGE = 40
SHEETS = ("style.css", "style_classroom.css", "runs.css")
_BUTTON = {"className": "button", "type": "submit"}


def runs_page(
    entries: Sequence[Logged], look: Callable[[str], RunInfo | None], search: str, first: int, error: str
) -> list[Any]:
    """The list from the entry `first` on, and above it the search and the button that compares."""
    matching = [entry for entry in entries if matches(entry, search)]
    found = matching[first : first + A_PAGE]
    older = urlencode({"q": search, "from": first + A_PAGE})
    nothing = "Nothing matches." if entries else "Nothing yet: what you run in the Lab is listed here."
    return [
        html.H1("Your runs"),
        html.P(
            f"What this browser has run: up to {MOST}, what is pinned first, then the newest. Links stay "
            "valid: what the server no longer has, it computes again.",
            className="lead",
        ),
        html.Form(
            [
                Input(
                    type="search",
                    name="q",
                    value=search,
                    maxLength=80,
                    placeholder="Search",
                    **_label("Search"),
                ),
                html.Button("Search", **_BUTTON),
                html.Button(
                    "Compare the ticked runs", form="compare", **{**_BUTTON, "className": "button primary"}
                ),
            ],
            className="runs-tools",
            role="search",
        ),
        html.P(error, className="field-error", role="alert") if error else None,
        html.Form(id="compare", action="/runs/compare"),
        html.Ul([_entry(entry, look(entry.id), search) for entry in found], className="runs-list")
        if found
        else html.P(nothing, className="note"),
        html.P(html.A("Older ones", href=f"/runs?{older}")) if matching[first + A_PAGE :] else None,
    ]


def matches(entry: Logged, search: str) -> bool:
    """Whether every word of a search is somewhere in an entry."""
    if not search.split():
        return True
    told = " ".join((entry.name, entry.note, *entry.tags, entry.query, plain_title(entry.query))).lower()
    return all(word in told for word in search.lower().split())


def _entry(entry: Logged, info: RunInfo | None, search: str) -> html.Li:
    title = entry.name or plain_title(entry.query)
    day = html.Time(time.strftime("%Y-%m-%d %H:%M", time.gmtime(entry.at)) + " UTC")
    told = (
        [f"{info.status}, loss {number(info.loss)}"] if info and info.loss is not None else ["not kept here"]
    )
    return html.Li(
        [
            Input(type="checkbox", name="run", value=entry.id, form="compare", **_label(f"Compare {title}")),
            html.A(
                html.Img(src=f"/runs/{entry.id}.svg", alt="") if info else "",
                href=f"/?{entry.query}",
                className="runs-picture",
                tabIndex=-1,
                **{"aria-hidden": "true"},
            ),
            html.Div(
                [
                    html.A(title, href=f"/?{entry.query}", className="runs-title"),
                    html.Span([html.Span(tag, className="runs-tag") for tag in entry.tags]),
                    html.Span(plain_title(entry.query) if entry.name else "", className="note"),
                    html.Span([told[0], " · ", day], className="note"),
                    html.P(entry.note, className="runs-note") if entry.note else None,
                ],
                className="runs-text",
            ),
            _tools(entry, title, search),
        ],
        className="pinned" if entry.pinned else None,
    )


def _tools(entry: Logged, title: str, search: str) -> html.Div:
    def field(name: str, text: str, value: str, length: int) -> html.Label:
        return html.Label([text, Input(type="text", name=name, value=value, maxLength=length)])

    hidden = Input(type="hidden", name="q", value=search)
    pin = ("unpin", "Unpin") if entry.pinned else ("pin", "Pin")
    return html.Div(
        [
            html.Form(
                [
                    hidden,
                    html.Button(pin[1], name="do", value=pin[0], **_BUTTON, **_label(f"{pin[1]} {title}")),
                    html.Button(
                        "Delete",
                        name="do",
                        value="delete",
                        **_BUTTON,
                        **_label(f"Delete {title} from this list"),
                    ),
                ],
                method="post",
                action=f"/runs/{entry.id}",
                className="runs-buttons",
            ),
            html.Details(
                [
                    html.Summary("Rename", **_label(f"Rename {title}")),
                    html.Form(
                        [
                            hidden,
                            field("name", "Name", entry.name, NAME_LENGTH),
                            field("tags", "Tags, parted by commas", ", ".join(entry.tags), 200),
                            field("note", "Note", entry.note, NOTE_LENGTH),
                            html.Button("Save", name="do", value="save", **_BUTTON),
                        ],
                        method="post",
                        action=f"/runs/{entry.id}",
                        className="runs-form",
                    ),
                ]
            ),
        ],
        className="runs-side",
    )


def _label(text: str) -> dict[str, str]:
    return {"aria-label": text}


def runs_routes(service: RunService, styles: str, asset_url: Callable[[str], str]) -> Blueprint:
    """The page, its forms, its pictures."""
    routes = Blueprint("runs", __name__)
    visitors = Visitors(service)

    def shown(search: str, first: int = 0, error: str = "", status: int = 200) -> Response:
        entries = service.logbook.entries(visitors.current().handle)
        page = document(
            "Your runs",
            runs_page(entries, service.info, search, first, error),
            styles=styles,
            sheets=tuple(map(asset_url, SHEETS)),
            head_script=asset_url("head.js"),
            current="/runs",
        )
        return Response(
            page, status, content_type="text/html; charset=utf-8", headers={"Cache-Control": "no-store"}
        )

    @routes.get("/runs")
    def index() -> Response:
        first = request.args.get("from", "")
        return shown(
            request.args.get("q", "")[:80], int(first) if first.isdecimal() and len(first) < 5 else 0
        )

    @routes.get("/runs/compare")
    def compare() -> AnyResponse:
        chosen = set(request.args.getlist("run"))
        entries = [e for e in service.logbook.entries(visitors.current().handle) if e.id in chosen]
        limits, datasets = service.settings.limits, service.datasets
        if not 1 <= len(entries) <= limits.overlaid_runs:
            text = f"Tick up to {limits.overlaid_runs} runs to compare them."
            return shown("", error=text, status=400)
        try:
            configs = [RunConfig.from_query(e.query, limits=limits, datasets=datasets) for e in entries]
            return redirect(f"/?{overlay_query(configs, limits=limits, datasets=datasets)}")
        except ValueError as error:
            return shown("", error=str(error), status=400)

    @routes.post("/runs/<run_id>")
    def change(run_id: str) -> AnyResponse:
        handle, form = visitors.current().handle, request.form
        wanted = form.get("do")
        if wanted == "delete":
            service.logbook.remove(handle, run_id)
        elif wanted in ("pin", "unpin"):
            service.logbook.change(handle, run_id, pinned=wanted == "pin")
        elif wanted == "save":
            texts = [form.get(name, "") for name in ("name", "tags", "note")]
            service.logbook.change(handle, run_id, **said(*texts))
        search = form.get("q", "")[:80]
        return redirect(f"/runs?{urlencode({'q': search})}" if search else "/runs", 303)

    @routes.get("/runs/<run_id>.svg")
    def picture(run_id: str) -> Response:
        if not fullmatch("[0-9a-f]{32}", run_id):
            return Response("", 404)
        status = service.status(run_id)
        points = curve_of_run(service, run_id, MOST_POINTS) if status is not None else []
        if not points:
            return Response("", 404)
        lasting = "private, max-age=3600" if status in ENDED else "no-store"
        return Response(curve_picture(points), mimetype="image/svg+xml", headers={"Cache-Control": lasting})

    return routes
