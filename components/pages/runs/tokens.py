"""Tokens for scripts, on the page /runs: a list, a form that makes one, buttons that revoke.

A token is shown once, on the page that answers the form: what the server keeps cannot be turned back into it.
"""

import time
from collections.abc import Callable, Sequence
from typing import Any

from dash import dcc, html
from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from components.common.document import document
from core.service import RunService, ScriptToken
from core.service.visitors import Visitors

BUTTON = {"className": "button", "type": "submit"}
WHAT = (
    "With a token a script acts for this browser: it starts, lists and stops runs and studies as you do. "
    "So can anybody who has the token, until you revoke it. "
)
EXAMPLE = """from plateau_lab.client import LabClient   # in the repository: core.client

lab = LabClient({url!r}, token={token!r})
for run in lab.runs():
    print(run["query"], run["status"])"""


def token_section(tokens: Sequence[ScriptToken]) -> html.Section:
    """The part of the page."""
    return html.Section(
        [
            html.H2("Tokens for scripts"),
            html.P([WHAT, html.A("How to use one", href="/docs/reference/http.html")], className="note"),
            html.Ul([_item(token) for token in tokens], className="token-list") if tokens else None,
            html.Form(
                [
                    html.Label("What it is for", htmlFor="token-name"),
                    dcc.Input(
                        id="token-name",
                        type="text",
                        name="name",
                        maxLength=60,
                        placeholder="my notebook",
                    ),
                    html.Button("Make a token", **BUTTON),
                ],
                method="post",
                action="/runs/tokens",
                className="runs-tools",
            ),
        ],
        id="tokens",
    )


def _item(token: ScriptToken) -> html.Li:
    used = f"last used {_day(token.used)}" if token.used else "never used"
    return html.Li(
        [
            html.Span([html.B(token.name), f" · made {_day(token.made)} · {used}"]),
            html.Form(
                html.Button(["Revoke", html.Span(f" {token.name}", className="visually-hidden")], **BUTTON),
                method="post",
                action=f"/runs/tokens/{token.id}/revoke",
            ),
        ]
    )


def _day(seconds: float) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(seconds))


def _made(token: str) -> list[Any]:
    """The page that shows a new token, once."""
    example = EXAMPLE.format(url=request.host_url.rstrip("/"), token=token)
    return [
        html.H1("Your new token"),
        html.P("Copy it now: it is shown this once. The server keeps only its hash.", className="lead"),
        html.Pre(token, className="token"),
        html.P("In Python:"),
        html.Pre(example, className="token-example"),
        html.P("With curl:"),
        html.Pre(
            f"curl -H 'Authorization: Bearer {token}' {request.host_url}api/runs", className="token-example"
        ),
        html.P(html.A("Back to your runs", href="/runs#tokens")),
    ]


def token_routes(
    service: RunService, styles: str, sheets: tuple[str, ...], asset_url: Callable[[str], str]
) -> Blueprint:
    """The forms of the section."""
    routes, visitors = Blueprint("tokens", __name__), Visitors(service)

    def page(title: str, body: list[Any], status: int = 200) -> Response:
        linked, script = tuple(map(asset_url, sheets)), asset_url("head.js")
        text = document(title, body, styles=styles, sheets=linked, head_script=script, current="/runs")
        kept = {"Cache-Control": "no-store"}
        return Response(text, status, content_type="text/html; charset=utf-8", headers=kept)

    @routes.get("/runs/tokens")
    def back() -> AnyResponse:
        return redirect("/runs#tokens")

    @routes.post("/runs/tokens")
    def make() -> Response:
        try:
            token = service.tokens.make(visitors.current().handle, request.form.get("name", ""))
        except ValueError as error:
            way = html.P(html.A("Back to your runs", href="/runs#tokens"))
            return page("Tokens", [html.H1("No new token"), html.P(str(error), role="alert"), way], 400)
        return page("Your new token", _made(token))

    @routes.post("/runs/tokens/<token_id>/revoke")
    def revoke(token_id: str) -> AnyResponse:
        service.tokens.revoke(visitors.current().handle, token_id)
        return redirect("/runs#tokens", 303)

    return routes
