"""The page's own routes: figures to draw into, QR codes, a race to take away."""

from collections.abc import Callable
from functools import partial
from io import BytesIO

import orjson
import segno
from flask import Blueprint, Response, request
from segno.encoder import DataOverflowError

from components.common.ids import RUN_ID
from components.common.theme import THEME_NAMES
from components.common.view import split_query
from components.pages.lab.race_files import archive_question, replay_question
from components.panels import PRESENTED
from components.panels import specification as panel_specification
from core.service import BackgroundQuery, RunService, is_loopback, network_origin
from core.service.queries.views import file_response
from core.service.visitors import Visitors

LONGEST_LINK = 2_000
MOST_RUNS = 8


def page_routes(service: RunService) -> Blueprint:
    """Routes beside the API of the runs; none of them starts work."""
    visitors = Visitors(service)
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
        origin = request.host_url.rstrip("/")
        if is_loopback(request.host) and not (origin := network_origin(service.settings)):
            return _picture(unreachable().encode())
        return _qr(origin + path)

    @routes.get("/replay.html")
    def replay() -> Response:
        """Runs of one race as one file that plays from disk."""
        return race_file("html", "text/html", partial(replay_question, service, request.args.get("at", "")))

    @routes.get("/comparison.zip")
    def comparison() -> Response:
        """Runs of one race as files: frames, data, queries, a program, what to cite."""
        return race_file("zip", "application/zip", partial(archive_question, service))

    def race_file(end: str, kind: str, ask: Callable[[list[str], str], BackgroundQuery]) -> Response:
        """A file made of the runs that the request names, or what is wrong with the request."""
        names = request.args.get("runs", "").split(",")
        if not 1 <= len(names) <= MOST_RUNS or not all(RUN_ID.fullmatch(name) for name in names):
            return _json({"error": f"runs: a comma list of 1 to {MOST_RUNS} run ids is allowed"}, 400)
        try:
            query = ask(names, request.host_url + "?" + split_query(request.args.get("link", ""))[0])
        except ValueError as error:
            return _json({"error": str(error)}, 400)
        except KeyError:
            return _json({"error": "This server does not have that run."}, 404)
        made = service.queries.ask(query, visitors.current().quota)
        return file_response(made, kind, f"plateau-{names[0][:8]}.{end}")

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
    return _picture(image.getvalue())


def _picture(drawn: bytes) -> Response:
    response = Response(drawn, content_type="image/svg+xml")
    response.headers["Cache-Control"] = "private, max-age=3600"
    return response


def unreachable() -> str:
    """In the place of a code that no phone could follow; the page says beside it what to do."""
    lines = ("Only this computer", "can open this link.")
    words = "".join(f'<text x="50" y="{46 + 16 * k}">{line}</text>' for k, line in enumerate(lines))
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" font-family="system-ui, sans-serif" '
        f'font-size="9.5" text-anchor="middle" fill="#222"><title>{" ".join(lines)}</title>{words}</svg>'
    )


def _json(body: object, status: int = 200) -> Response:
    return Response(orjson.dumps(body), status=status, content_type="application/json")
