"""The page that lists the lessons, and what is handed out on paper."""

from collections.abc import Mapping
from typing import Any

from dash import html
from flask import Blueprint, Response, request

from components.common.comparison import read_comparison
from components.common.document import document
from components.common.view import split_query
from components.pages.lessons.figures import figures_of
from components.pages.lessons.folder import Shelf
from components.pages.lessons.handout import lesson_handout, run_handout
from components.pages.lessons.parser import Lesson
from components.pages.lessons.progress import COOKIE, progress
from core.service import RunService, is_loopback, network_origin
from core.service.visitors import Visitors


def lesson_index(shelf: Shelf, reached: Mapping[str, int]) -> list[Any]:
    """What there is to learn, and what is wrong with lessons that cannot be read."""
    lessons = shelf.lessons()
    return [
        html.H1("Lessons"),
        html.P(
            "A few minutes each, beside the running Lab. First you predict, then you see.",
            className="lead",
        ),
        html.Ol(
            [_entry(lesson, reached.get(lesson.name, 0)) for lesson in lessons.values()],
            className="lesson-list",
        ),
        *(html.P(error, className="field-error", role="alert") for error in shelf.errors),
        html.P(
            "A lesson is one Markdown file in the folder lessons/; the README there says how to write one.",
            className="note",
        ),
    ]


def _entry(lesson: Lesson, reached: int) -> html.Li:
    """A lesson, and the step that was reached in it: 0 for one that was never opened."""
    steps = len(lesson.steps)
    is_begun = 1 < reached < steps
    length = f"step {reached} of {steps}" if is_begun else f"{lesson.minutes} min · {steps} steps"
    return html.Li(
        html.A(
            [
                html.Strong(lesson.title),
                html.Span(f"{length} · done" if reached >= steps else length, className="note"),
                html.Span(lesson.summary),
            ],
            href=f"/?lesson={lesson.name}" + (f"&step={reached}" if is_begun else ""),
        )
    )


def lesson_routes(
    service: RunService, shelf: Shelf, styles: str, sheets: tuple[str, ...], head_script: str
) -> Blueprint:
    """The page /lessons, and what is handed out on paper: a lesson, or the run of a link."""
    routes, visitors = Blueprint("lessons", __name__), Visitors(service)

    def page(title: str, body: list[Any], status: int = 200, current: str = "/lessons") -> Response:
        text = document(title, body, styles=styles, sheets=sheets, head_script=head_script, current=current)
        return Response(text, status, content_type="text/html; charset=utf-8")

    def address() -> tuple[str, bool]:
        """Where others find this server, and whether a phone can."""
        own = network_origin(service.settings) if is_loopback(request.host) else ""
        return own or request.host_url.rstrip("/"), bool(own) or not is_loopback(request.host)

    @routes.get("/lessons")
    def index() -> Response:
        return page("Lessons", lesson_index(shelf, progress(request.cookies.get(COOKIE, ""))))

    @routes.get("/lessons/<name>/handout")
    def lesson_on_paper(name: str) -> Response:
        lesson = shelf.lessons().get(name)
        if lesson is None:
            return page("Lessons", [html.H1("There is no such lesson here"), *lesson_index(shelf, {})], 404)
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
