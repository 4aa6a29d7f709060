"""The numbers behind the Paper page, as files to take away."""

from importlib import import_module

from flask import Blueprint, Response
from werkzeug.exceptions import NotFound


def paper_routes() -> Blueprint:
    """`/paper/data/<name>`."""
    routes = Blueprint("paper", __name__)

    @routes.get("/paper/data/<name>")
    def data(name: str) -> Response:
        files = import_module("components.pages.paper.content").data_files()
        if name not in files:
            raise NotFound(f"No such file; there are {', '.join(files) or 'none'}.")
        kind = "application/gzip" if name.endswith(".gz") else "text/csv" if name.endswith(".csv") else ""
        response = Response(files[name].read_bytes(), content_type=kind or "application/json")
        response.headers["Content-Disposition"] = f"attachment; filename={name}"
        return response

    return routes
