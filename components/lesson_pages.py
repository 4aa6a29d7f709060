"""Lessons on screen: the text beside the Lab, and the page that lists them.

The Lab's script asks for a lesson by name and gets all its steps at once; from
then on going forth and back is a matter of the browser. Each step carries the
query that the Lab is to show, each answer the one that it reveals.
"""

from typing import Any

from dash import ClientsideFunction, Dash, Input, Output, dcc, html
from flask import Blueprint, Response, request

from components import ids
from components.document import document
from components.handout import lesson_handout, run_handout
from components.lessons import Block, Lesson, Listing, Paragraph, Question, shown_queries
from components.prose import prose
from components.shelf import Shelf
from components.view import split_query
from core.config import race_from_query
from core.service import RunService


def lesson_side() -> html.Aside:
    """The place of the text in the Lab; empty until a link names a lesson."""
    button = {"className": "button", "type": "button"}
    return html.Aside(
        [
            dcc.Store(id=ids.LESSON_NAME),
            dcc.Store(id=ids.LESSON_SHOWN),
            html.Button(
                html.Span(className="icon icon-close", **{"aria-hidden": "true"}),
                id="lesson-leave",
                className="button quiet",
                type="button",
                title="Leave the lesson",
                **{"aria-label": "Leave the lesson"},
            ),
            html.Div(id=ids.LESSON_TEXT, className="lesson-text", tabIndex=-1),
            html.Div(id=ids.LESSON_ANSWERS, className="lesson-answers", role="status"),
            html.Div(
                [
                    html.Button("Back", id="lesson-back", title="Previous step (b, page up)", **button),
                    html.Span(id="lesson-place", className="lesson-place", **{"aria-live": "polite"}),
                    html.Button("Next", id="lesson-next", title="Next step (n, page down)", **button),
                ],
                className="lesson-steps",
            ),
        ],
        id=ids.LESSON,
        hidden=True,
        **{"aria-label": "Lesson"},
    )


def lesson_text(lesson: Lesson, following: Lesson | None) -> list[Any]:
    """Every step of a lesson, hidden; the script shows one."""
    queries = shown_queries(lesson)
    return [
        html.Div([html.A("Lessons", href="/lessons"), html.Span(lesson.title)], className="lesson-title"),
        *(
            html.Section(
                [html.H2(step.title), *(_block(block) for block in step.blocks)],
                className="lesson-step",
                hidden=True,
                **{"data-step": str(number), "data-query": query},
            )
            for number, (step, query) in enumerate(zip(lesson.steps, queries, strict=True), 1)
        ),
        html.P(
            [
                *_farewell(following),
                " ",
                html.A("This lesson on paper", href=f"/lessons/{lesson.name}/handout"),
            ],
            className="lesson-end",
            hidden=True,
        ),
    ]


def _farewell(following: Lesson | None) -> list[Any]:
    if following is None:
        return ["That was the last lesson. ", html.A("Now try the Lab yourself.", href="/")]
    return ["Next lesson: ", html.A(following.title, href=f"/?lesson={following.name}")]


def _block(block: Block) -> Any:
    if isinstance(block, Paragraph):
        return html.P(prose(block.text))
    if isinstance(block, Listing):
        return html.Ul([html.Li(prose(item)) for item in block.items])
    return _question(block)


def _question(question: Question) -> html.Div:
    return html.Div(
        [
            html.P(prose(question.text), className="question-text"),
            html.Div(
                [
                    html.Button(
                        prose(text),
                        className="option",
                        type="button",
                        **{"data-right": "1" if right else "0", "aria-pressed": "false"},
                    )
                    for text, right in question.options
                ],
                className="options",
                role="group",
                **{"aria-label": "Your prediction"},
            ),
            html.Div(
                [html.Strong(className="verdict"), " ", html.Span(prose(question.reveal))],
                className="reveal",
                hidden=True,
            ),
        ],
        className="question",
        role="group",
        **{"data-query": question.query},
    )


def register_lessons(app: Dash, shelf: Shelf) -> None:
    """The lesson that a link names, rendered when it is asked for."""

    @app.callback(
        Output(ids.LESSON_TEXT, "children"), Input(ids.LESSON_NAME, "data"), prevent_initial_call=True
    )
    def show(name: object) -> list[Any]:
        lessons = shelf.lessons()
        if not isinstance(name, str) or name not in lessons:
            return [html.P(["There is no such lesson here. ", html.A("All lessons", href="/lessons")])]
        names = list(lessons)
        following = names[names.index(name) + 1 :]
        return lesson_text(lessons[name], lessons[following[0]] if following else None)

    app.clientside_callback(
        ClientsideFunction(namespace="shell", function_name="lesson"),
        Output(ids.LESSON_SHOWN, "data"),
        Input(ids.LESSON_TEXT, "children"),
        prevent_initial_call=True,
    )


def lesson_index(shelf: Shelf) -> list[Any]:
    """What there is to learn, and what is wrong with lessons that cannot be read."""
    lessons = shelf.lessons()
    return [
        html.H1("Lessons"),
        html.P(
            "A few minutes each, beside the running Lab. First you predict, then you see.",
            className="lead",
        ),
        html.Ol([_entry(lesson) for lesson in lessons.values()], className="lesson-list"),
        *(html.P(error, className="field-error", role="alert") for error in shelf.errors),
        html.P(
            "A lesson is one Markdown file in the folder lessons/; the README there says how to write one.",
            className="note",
        ),
    ]


def _entry(lesson: Lesson) -> html.Li:
    return html.Li(
        html.A(
            [
                html.Strong(lesson.title),
                html.Span(f"{lesson.minutes} min · {len(lesson.steps)} steps", className="note"),
                html.Span(lesson.summary),
            ],
            href=f"/?lesson={lesson.name}",
        )
    )


def lesson_routes(
    service: RunService, shelf: Shelf, styles: str, sheets: tuple[str, ...], head_script: str
) -> Blueprint:
    """The page /lessons, and what is handed out on paper: a lesson, or the run of a link."""
    routes = Blueprint("lessons", __name__)

    def page(title: str, body: list[Any], status: int = 200) -> Response:
        text = document(
            title, body, styles=styles, sheets=sheets, head_script=head_script, current="/lessons"
        )
        return Response(text, status, content_type="text/html; charset=utf-8")

    @routes.get("/lessons")
    def index() -> Response:
        return page("Lessons", lesson_index(shelf))

    @routes.get("/lessons/<name>/handout")
    def lesson_on_paper(name: str) -> Response:
        lesson = shelf.lessons().get(name)
        if lesson is None:
            return page("Lessons", [html.H1("There is no such lesson here"), *lesson_index(shelf)], 404)
        return page(lesson.title, lesson_handout(lesson))

    @routes.get("/handout")
    def run_on_paper() -> Response:
        try:
            config = split_query(request.query_string.decode("utf-8", "replace"))[0]
            race = race_from_query(config, limits=service.settings.limits, datasets=service.datasets)
        except ValueError as error:
            return page("Handout", [html.H1("This link cannot be read"), html.P(str(error))], 400)
        return page("Handout", run_handout(service, race))

    return routes
