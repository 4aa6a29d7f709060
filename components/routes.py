"""The page's own routes: figures to draw into, QR codes, a race to take away."""

import re
from io import BytesIO

import orjson
import segno
from flask import Blueprint, Response, request
from segno.encoder import DataOverflowError

from components.panels import PRESENTED
from components.panels import specification as panel_specification
from components.replay import replay_page
from components.theme import THEME_NAMES
from components.view import split_query
from core.service import RunService

LONGEST_LINK = 2_000
MOST_RUNS = 8
RUN_ID = re.compile(r"[0-9a-f]{32}", re.ASCII)


def page_routes(service: RunService, styles: str) -> Blueprint:
    """Routes beside the API of the runs; none of them starts work."""
    routes = Blueprint("page", __name__)
    sizes = {"screen": 1.0, "present": PRESENTED}
    figures = {
        (theme, size): orjson.dumps(panel_specification(theme, scale))
        for theme in THEME_NAMES
        for size, scale in sizes.items()
    }

    @routes.get("/api/panels")
    def panels() -> Response:
        theme, size = request.args.get("theme", "light"), request.args.get("size", "screen")
        if theme not in THEME_NAMES:
            return _json({"error": f"theme: {theme[:40]!r}; one of {', '.join(THEME_NAMES)} is allowed"}, 400)
        if size not in sizes:
            return _json({"error": f"size: {size[:40]!r}; one of {', '.join(sizes)} is allowed"}, 400)
        response = Response(figures[theme, size], content_type="application/json")
        response.headers["Cache-Control"] = "public, max-age=300"
        return response

    @routes.get("/qr.svg")
    def qr_code() -> Response:
        """Only links to this very server: a code that a page shows is believed to lead there."""
        path = request.args.get("path", "/")
        if not path.startswith("/") or path.startswith("//") or "\\" in path or not has_code(path):
            return _json(
                {"error": f"path: a path on this server of at most {LONGEST_LINK} characters is allowed"}, 400
            )
        return _qr(request.host_url.rstrip("/") + path)

    @routes.get("/replay.html")
    def replay() -> Response:
        """Runs of one race as one file that plays from disk."""
        names = request.args.get("runs", "").split(",")
        if not 1 <= len(names) <= MOST_RUNS or not all(RUN_ID.fullmatch(name) for name in names):
            return _json({"error": f"runs: a comma list of 1 to {MOST_RUNS} run ids is allowed"}, 400)
        try:
            moment = split_query(f"at={request.args.get('at', '')}")[1].at
            link = request.host_url + "?" + split_query(request.args.get("link", ""))[0]
            page = replay_page(service, names, styles=styles, link=link, moment=moment)
        except ValueError as error:
            return _json({"error": str(error)}, 400)
        except KeyError:
            return _json({"error": "This server does not have that run."}, 404)
        response = Response(page, content_type="text/html; charset=utf-8")
        response.headers["Content-Disposition"] = f'attachment; filename="plateau-{names[0][:8]}.html"'
        return response

    return routes


def has_code(path: str) -> bool:
    """Whether a link of this page is short enough for a QR code."""
    return len(path.encode()) <= LONGEST_LINK


def _qr(link: str) -> Response:
    image = BytesIO()
    try:
        code = segno.make(link, error="l", boost_error=True, micro=False)
    except DataOverflowError:
        return _json({"error": "The link is too long for a QR code."}, 400)
    code.save(image, kind="svg", scale=8, border=2, omitsize=True, title="QR code of the link")
    response = Response(image.getvalue(), content_type="image/svg+xml")
    response.headers["Cache-Control"] = "private, max-age=3600"
    return response


def _json(body: object, status: int = 200) -> Response:
    return Response(orjson.dumps(body), status=status, content_type="application/json")
