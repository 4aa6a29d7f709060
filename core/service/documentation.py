"""The documentation under /docs, as `make docs` has built it from docs/ (MkDocs), else as it is written."""

from pathlib import Path

from flask import Blueprint, Response, redirect, send_from_directory
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as AnyResponse

SOURCES = Path(__file__).resolve().parents[2] / "docs"
SITE = SOURCES.with_name("docs-site")
POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; worker-src 'self' blob:; object-src 'none'; base-uri 'self'; "
    "frame-ancestors 'self'"
)
"""The theme of the site has scripts within its pages. Nothing that a visitor wrote is ever shown there."""
MISSING = "The documentation is not built here; 'make docs' builds it from docs/ in the repository.\n"


def documentation_routes(site: Path = SITE, sources: Path = SOURCES) -> Blueprint:
    """`/docs` and everything below it."""
    routes = Blueprint("documentation", __name__)

    @routes.get("/docs")
    def start() -> AnyResponse:
        return redirect("/docs/index.html")

    @routes.get("/docs/")
    @routes.get("/docs/<path:path>")
    def page(path: str = "index.html") -> Response:
        if not site.is_dir():
            try:
                source = f"{path.removesuffix('.html')}.md"
                plain: Response = send_from_directory(sources, source, mimetype="text/plain")
                return plain
            except NotFound:
                return Response(MISSING, 404, mimetype="text/plain")
        found: Response = send_from_directory(site, path)
        found.headers["Content-Security-Policy"] = POLICY
        return found

    return routes
