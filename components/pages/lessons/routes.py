"""What is handed out on paper: a lesson, or the run of a link, as documents that need no script."""

from typing import Any

from dash import html
from flask import Blueprint, Response, request

from components.common.comparison import read_comparison
from components.common.document import document
from components.common.view import split_query
from components.pages.lessons.figures import figures_of
from components.pages.lessons.folder import LessonFolder
from components.pages.lessons.handout import lesson_handout, run_handout
from core.service import RunService, is_loopback, network_origin
from core.service.visitors import Visitors


def lesson_routes(
    service: RunService, folder: LessonFolder, styles: str, sheets: tuple[str, ...], head_script: str
) -> Blueprint:
    """A lesson's handout, and a run's."""
    routes, visitors = Blueprint("lessons", __name__), Visitors(service)

    def page(title: str, body: list[Any], status: int = 200, current: str = "/lessons") -> Response:
        text = document(title, body, styles=styles, sheets=sheets, head_script=head_script, current=current)
        return Response(text, status, content_type="text/html; charset=utf-8")

    def address() -> tuple[str, bool]:
        """Where others find this server, and whether a phone can."""
        own = network_origin(service.settings) if is_loopback(request.host) else ""
        return own or request.host_url.rstrip("/"), bool(own) or not is_loopback(request.host)

    @routes.get("/lessons/<name>/handout")
    def lesson_on_paper(name: str) -> Response:
        lesson = folder.lessons().get(name)
        if lesson is None:
            every = html.P(html.A("All lessons", href="/lessons"))
            return page("Lessons", [html.H1("There is no such lesson here"), every], 404)
        figures = figures_of(lesson, service, visitors.current().quota)
        return page(lesson.title, lesson_handout(lesson, figures, reachable=address()[1]))

    @routes.get("/handout")
    def run_on_paper() -> Response:
        try:
            config = split_query(request.query_string.decode("utf-8", "replace"))[0]
            found = read_comparison(config, limits=service.settings.limits, datasets=service.datasets)
        except ValueError as error:
            return page("Handout", [html.H1("This link cannot be read"), html.P(str(error))], 400, "")
        origin, reachable = address()
        client = visitors.current().quota
        body = run_handout(service, found.configs, found.query, client, origin, reachable=reachable)
        return page("Handout", body, current="")

    return routes
