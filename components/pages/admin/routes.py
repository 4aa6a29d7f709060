"""Who may open /admin, and what its buttons do.

Behind the admin token, as the password of any name or as a bearer. The link that the server prints when it
starts carries the token too. It is exchanged for a cookie: then the address can be shown and copied, and
Dash's own requests for what the page shows bring the cookie along.
"""

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, make_response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from core.service import RunService
from core.service.web import ADMIN_COOKIE, admin_cookie, ask_for_token, is_admin, is_token

ENDS = ("run", "study", "presentation")


def admin_routes(service: RunService, page: Callable[[], Any]) -> Blueprint:
    """The page, which `page` makes, and its buttons."""
    routes = Blueprint("admin", __name__)
    token = service.settings.admin_token.get_secret_value()

    def keep(answer: AnyResponse) -> AnyResponse:
        answer.set_cookie(
            ADMIN_COOKIE,
            admin_cookie(token),
            secure=request.is_secure,
            httponly=True,
            samesite="Strict",
        )
        return answer

    @routes.before_request
    def ask() -> AnyResponse | None:
        if is_token(request.args.get("token", ""), token):
            return keep(redirect("/admin", 303))
        return None if is_admin(token) else ask_for_token()

    @routes.get("/admin")
    def show() -> AnyResponse:
        answer = make_response(page())
        answer.headers["Cache-Control"] = "no-store"
        return keep(answer)

    @routes.post("/admin")
    def end() -> AnyResponse:
        kind, name = request.values.get("kind", ""), request.form.get("name", "")
        if kind == "run":
            found: object = service.stop(name, None) if len(name) == 32 else None
        elif kind == "study":
            found = service.studies.stop(name, None)
        elif kind == "presentation" and name in service.presentations.names():
            found = True
            service.presentations.publish(name, "")
        else:
            found = None
        if found is None:
            return Response(f"There is no such {kind if kind in ENDS else 'thing'} here.", 404)
        return redirect("/admin", 303)

    return routes
