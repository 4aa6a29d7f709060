"""What the list of lessons says: what there is to learn, and how far somebody has come in each."""

from collections.abc import Mapping
from typing import Any

from dash import html

from components.pages.lessons.folder import LessonFolder
from components.pages.lessons.parser import Lesson


def lesson_index(folder: LessonFolder, reached: Mapping[str, int]) -> list[Any]:
    """What there is to learn, and what is wrong with lessons that cannot be read."""
    lessons = folder.lessons()
    done = sum(reached.get(lesson.name, 0) >= len(lesson.steps) for lesson in lessons.values())
    return [
        html.H1("Lessons"),
        html.P(
            "A few minutes each, beside the running Lab. First you predict, then you see.", className="lead"
        ),
        html.P(f"{done} of {len(lessons)} lessons done", className="note lessons-done"),
        html.Ol(
            [html.Li(_card(lesson, reached.get(lesson.name, 0))) for lesson in lessons.values()],
            className="cards lesson-list",
        ),
        *(html.P(error, className="field-error", role="alert") for error in folder.errors),
    ]


def _card(lesson: Lesson, reached: int) -> html.A:
    """A lesson, and the step that was reached in it: 0 for one that was never opened."""
    steps = len(lesson.steps)
    is_begun, is_done = 1 < reached < steps, reached >= steps
    length = f"{lesson.minutes} min · {steps} steps"
    told = f"{length} · done" if is_done else f"step {reached} of {steps}" if is_begun else length
    return html.A(
        [
            html.Strong(lesson.title, className="card-title"),
            html.Span(lesson.summary),
            html.Span(
                [
                    html.Progress(
                        value=str(min(reached, steps)),
                        max=str(steps),
                        className="done-bar",
                        **{"aria-label": f"Steps of {lesson.title}"},
                    ),
                    html.Span(
                        [
                            html.Span(told, className="note"),
                            html.Span("Read again" if is_done else "Continue" if is_begun else "Start"),
                        ],
                        className="lesson-foot",
                    ),
                ],
                className="card-foot",
            ),
        ],
        href=f"/?lesson={lesson.name}" + (f"&step={reached}" if is_begun else ""),
        className="card",
    )
