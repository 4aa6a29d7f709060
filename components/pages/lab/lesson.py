"""A lesson beside the Lab: the place of its text, and one step of it as it stands for one reader."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dash import dcc, html

from components.common import ids
from components.common.prose import prose
from components.pages.lessons.parser import Block, Lesson, Listing, Paragraph, Question


@dataclass(frozen=True)
class Reply:
    """What a reader predicted, an option counted from 0 (None: nothing), and whether the answer is shown."""

    chosen: int | None = None
    is_shown: bool = False


Replies = Mapping[int, Reply]
"""The replies to the questions of a step, by their place in it."""


def lesson_side() -> html.Aside:
    """The place of the text in the Lab; empty until a link names a lesson."""
    button = {"className": "button", "type": "button"}
    return html.Aside(
        [
            *(dcc.Store(id=name) for name in (ids.LESSON_AT, ids.LESSON_GIVEN, ids.LESSON_GO)),
            dcc.Store(id=ids.LESSON_GONE),
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


def no_lesson() -> list[Any]:
    """In the place of a lesson that is not there."""
    return [html.P(["There is no such lesson here. ", html.A("All lessons", href="/lessons")])]


def questions_of(lesson: Lesson, number: int) -> list[Question]:
    """The questions of a step, which counts from 1."""
    return [block for block in lesson.steps[number - 1].blocks if isinstance(block, Question)]


def is_open(lesson: Lesson, number: int, replies: Replies) -> bool:
    """Whether a question of the step waits for its answer."""
    asked = range(len(questions_of(lesson, number)))
    return any(not replies.get(place, Reply()).is_shown for place in asked)


def step_text(lesson: Lesson, number: int, replies: Replies, following: Lesson | None) -> list[Any]:
    """One step, counted from 1; under the last one stands where to go on."""
    step = lesson.steps[number - 1]
    questions = questions_of(lesson, number)
    blocks = [
        _question(block, questions.index(block), replies) if isinstance(block, Question) else _block(block)
        for block in step.blocks
    ]
    paper = html.A("This lesson on paper", href=f"/lessons/{lesson.name}/handout")
    end = html.P([*_farewell(following), " ", paper], className="lesson-end")
    return [
        html.Div([html.A("Lessons", href="/lessons"), html.Span(lesson.title)], className="lesson-title"),
        html.Section([html.H2(step.title), *blocks], className="lesson-step"),
        *([end] if number == len(lesson.steps) else []),
    ]


def _farewell(following: Lesson | None) -> list[Any]:
    if following is None:
        return ["That was the last lesson. ", html.A("Now try the Lab yourself.", href="/")]
    return ["Next lesson: ", html.A(following.title, href=f"/?lesson={following.name}")]


def _block(block: Block) -> Any:
    if isinstance(block, Paragraph):
        return html.P(prose(block.text))
    return html.Ul([html.Li(prose(item)) for item in block.items]) if isinstance(block, Listing) else None


def _question(question: Question, place: int, replies: Replies) -> html.Div:
    """A question; while one that moves the Lab is open, the pictures do not show what comes next."""
    reply = replies.get(place, Reply())
    state = "shown" if reply.is_shown else "hides" if question.query else "open"
    return html.Div(
        [
            html.P(prose(question.text), className="question-text"),
            html.Div(
                [_option(question, place, option, reply) for option in range(len(question.options))],
                className="options",
                role="group",
                **{"aria-label": "Your prediction"},
            ),
            html.Div(
                [
                    html.Strong(_verdict(question, reply), className="verdict"),
                    " ",
                    html.Span(prose(question.reveal)),
                ],
                className="reveal",
                hidden=not reply.is_shown,
                role="status" if reply.is_shown else "",
            ),
        ],
        className="question",
        role="group",
        **{"data-state": state},
    )


def _option(question: Question, place: int, option: int, reply: Reply) -> html.Button:
    text, is_right = question.options[option]
    judged = "right" if is_right else "wrong" if option == reply.chosen else ""
    return html.Button(
        prose(text),
        className=f"option {judged}".strip() if reply.is_shown else "option",
        type="button",
        **{
            "data-option": f"{place},{option}",
            "aria-pressed": str(option == reply.chosen).lower(),
            "aria-disabled": str(reply.is_shown).lower(),
        },
    )


def _verdict(question: Question, reply: Reply) -> str:
    """How the answer compares with the own prediction, if there was one."""
    if reply.chosen is None or not reply.is_shown:
        return ""
    return "Yes." if question.options[reply.chosen][1] else "Not quite."
