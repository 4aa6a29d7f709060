"""Lessons on screen: the text beside the Lab, and the page that lists them.

The Lab's script asks for a lesson by name and gets all its steps at once; from
then on going forth and back is a matter of the browser. Each step carries the
query that the Lab is to show, each answer the one that it reveals.
"""

from typing import Any

from dash import ClientsideFunction, Dash, Input, Output, dcc, html
from flask import Blueprint, Response

from components import ids
from components.document import document
from components.lessons import Block, Lesson, Listing, Paragraph, Question, shown_queries
from components.prose import prose
from components.shelf import Shelf


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
        html.P(_farewell(following), className="lesson-end", hidden=True),
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
    def show(name: str) -> list[Any]:
        lessons = shelf.lessons()
        if name not in lessons:
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


def lesson_routes(shelf: Shelf, styles: str, sheets: tuple[str, ...], head_script: str) -> Blueprint:
    """The page /lessons."""
    routes = Blueprint("lessons", __name__)

    @routes.get("/lessons")
    def index() -> Response:
        page = document(
            "Lessons",
            lesson_index(shelf),
            styles=styles,
            sheets=sheets,
            head_script=head_script,
            current="/lessons",
        )
        return Response(page, content_type="text/html; charset=utf-8")

    return routes
