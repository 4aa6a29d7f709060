"""The page /admin, for whoever looks after the server: what goes on, and a button beside each to end it.

Behind the admin token, as the password of any name or as a bearer. The link that the server prints when it
starts carries the token too. It is exchanged for a cookie, so that the address can be shown and copied.
"""

from collections.abc import Callable
from typing import Any

from dash import html
from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from components.common.document import document
from components.common.native import Input
from core.service import Overview, RunService, overview
from core.service.web import ADMIN_COOKIE, admin_cookie, ask_for_token, is_admin, is_token

SHEETS = ("style.css", "style_icons.css", "style_classroom.css", "runs.css")
ENDS = ("run", "study", "room")


def admin_page(seen: Overview) -> list[Any]:
    """Everything on one page."""
    taken = "not added up yet" if seen.bytes is None else f"{seen.bytes / 1e6:.0f}"
    room = f"{taken} of {seen.bound / 1e6:.0f} MB in {seen.stored} runs"
    free = f"; {seen.free / 1e9:.1f} GB free" if seen.free is not None else ""
    figures = ", ".join(f"{name} {value:g}" for name, value in seen.queries.items())
    return [
        html.H1("The server"),
        html.P(f"{seen.workers} workers are ready. Disk: {room}{free}. Background queries: {figures}."),
        html.H2("Runs under way and waiting"),
        _table(
            ["Run", "Status", "Whose", "Epoch", "Viewers", ""],
            [
                [
                    html.A(info.query, href=f"/?{info.query}"),
                    info.status if info.position is None else f"{info.status}, {info.position} go first",
                    info.starter[:8],
                    f"{info.epoch:g} of {info.epochs:g}",
                    info.watching,
                    _button("run", info.id, "Stop"),
                ]
                for info in seen.runs
            ],
        ),
        html.H2("Studies under way"),
        _table(
            ["Study", "Done", ""],
            [
                [study.query, f"{study.done} of {study.runs}", _button("study", study.id, "Stop")]
                for study in seen.studies
            ],
        ),
        html.H2("Presentations"),
        _table(
            ["Presenter", ""], [[name[:8], _button("room", name, "Close")] for name in seen.presentations]
        ),
    ]


def admin_routes(service: RunService, styles: str, asset_url: Callable[[str], str]) -> Blueprint:
    """The page and its buttons."""
    routes = Blueprint("admin", __name__)
    token = service.settings.admin_token

    @routes.before_request
    def ask() -> AnyResponse | None:
        if is_token(request.args.get("token", ""), token):
            opened = redirect("/admin", 303)
            opened.set_cookie(
                ADMIN_COOKIE,
                admin_cookie(token),
                path="/admin",
                secure=request.is_secure,
                httponly=True,
                samesite="Strict",
            )
            return opened
        return None if is_admin(token) else ask_for_token()

    @routes.get("/admin")
    def show() -> Response:
        page = document(
            "The server",
            admin_page(overview(service)),
            styles=styles,
            sheets=tuple(map(asset_url, SHEETS)),
            head_script=asset_url("head.js"),
            current="/admin",
        )
        return Response(page, content_type="text/html; charset=utf-8", headers={"Cache-Control": "no-store"})

    @routes.post("/admin")
    def end() -> AnyResponse:
        kind, name = request.form.get("kind", ""), request.form.get("name", "")
        if kind == "run":
            found: object = service.stop(name, None) if len(name) == 32 else None
        elif kind == "study":
            found = service.studies.stop(name, None)
        elif kind == "room" and name in service.presentations():
            found = True
            service.publish(name, "")
        else:
            found = None
        if found is None:
            return Response(f"There is no such {kind if kind in ENDS else 'thing'} here.", 404)
        return redirect("/admin", 303)

    return routes


def _table(head: list[str], rows: list[list[Any]]) -> Any:
    if not rows:
        return html.P("None.")
    top = html.Thead(html.Tr([html.Th(text) for text in head]))
    return html.Table([top, html.Tbody([html.Tr([html.Td(cell) for cell in row]) for row in rows])])


def _button(kind: str, name: str, text: str) -> Any:
    return html.Form(
        [
            Input(type="hidden", name="kind", value=kind),
            Input(type="hidden", name="name", value=name),
            html.Button(text, className="button", type="submit"),
        ],
        method="post",
        action="/admin",
    )
