"""The addresses of the page /paper. The page itself knows the whole reproduction, which takes a start half a
second to load: so it is loaded when it is first asked for, or by a thread once the server serves.
"""

from collections.abc import Callable
from importlib import import_module
from types import ModuleType

from flask import Blueprint, Response, request
from werkzeug.exceptions import BadRequest, NotFound

from components.common.theme import THEME_NAMES


def _paper() -> ModuleType:
    return import_module("components.pages.paper.layout")


def paper_routes(styles: str, asset: Callable[[str], str]) -> Blueprint:
    """The page and the thinned curves that it draws."""
    routes = Blueprint("paper", __name__)

    @routes.get("/paper")
    def page() -> Response:
        return Response(_paper().paper_document(styles, asset), content_type="text/html; charset=utf-8")

    @routes.get("/paper/data/<name>")
    def data(name: str) -> Response:
        files = _paper().data_files()
        if name not in files:
            raise NotFound(f"No such file; there are {', '.join(files) or 'none'}.")
        kind = "application/gzip" if name.endswith(".gz") else "text/csv" if name.endswith(".csv") else ""
        response = Response(files[name].read_bytes(), content_type=kind or "application/json")
        response.headers["Content-Disposition"] = f"attachment; filename={name}"
        return response

    @routes.get("/api/paper/panels")
    def panels() -> Response:
        theme = request.args.get("theme", "light")
        if theme not in THEME_NAMES:
            allowed = ", ".join(THEME_NAMES)
            raise BadRequest(f"theme: {theme[:40]!r}; one of {allowed} is allowed")
        response = Response(_paper().panels(theme), content_type="application/json")
        response.headers["Cache-Control"] = "public, max-age=300"
        return response

    @routes.get("/api/paper/<name>")
    def curve(name: str) -> Response:
        curves = _paper().curves()
        if name not in curves:
            raise NotFound("No such curve.")
        response = Response(curves[name].read_bytes(), content_type="application/json")
        response.headers["Cache-Control"] = "private, max-age=3600"
        return response

    return routes
