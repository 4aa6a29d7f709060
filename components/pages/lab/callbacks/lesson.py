"""A lesson, step by step: what the text beside the Lab says, and which link the Lab shows with it.

The browser tells where its link stands and what a hand did there: went on or back, chose an
option, or was shown the answer by the presenter whom it follows. All else is known here.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from dash import ClientsideFunction, Dash, Input, Output, State, no_update

from components.common import ids
from components.common.callback_guard import mapping, text
from components.common.view import View, join_query, split_query, view_from_pairs, view_pairs
from components.pages.lab.first_visit import FIRST_VISIT
from components.pages.lab.lesson import Replies, Reply, is_open, no_lesson, questions_of, step_text
from components.pages.lab.presentations import count_prediction
from components.pages.lessons.folder import LessonFolder
from components.pages.lessons.parser import Lesson, shown_queries
from components.pages.lessons.progress import note_step
from core.service import RunService
from core.service.visitors import Visitors

KEPT = ("theme", "present", "follow", "embed")
"""What of a view stays on the way from step to step."""
PLACES = {
    "text": (ids.LESSON_TEXT, "children"),
    "place": ("lesson-place", "children"),
    "style": (ids.LESSON, "style"),
    "back": ("lesson-back", "disabled"),
    "next": ("lesson-next", "children"),
    "next_class": ("lesson-next", "className"),
    "given": (ids.LESSON_GIVEN, "data"),
    "go": (ids.LESSON_GO, "data"),
}
Vote = Callable[[str, str, int], bool]
"""Counts a prediction for a question of a presentation; False where there is nobody to count it."""


@dataclass(frozen=True)
class Told:
    """What the browser tells: its link, the step it wants, and what was done there."""

    query: str = ""
    lesson: str = ""
    step: int = 1
    moved: bool = False
    option: tuple[int, int] | None = None
    reveal: bool = False
    presentation: str = ""
    n: int = 0


@dataclass(frozen=True)
class Shown:
    """A step on screen and the replies to its questions; `go` is the link that the Lab shall show."""

    lesson: Lesson
    step: int
    replies: Replies = field(default_factory=dict)
    go: dict[str, Any] | None = None


def register_lesson(app: Dash, service: RunService, folder: LessonFolder) -> None:
    """One callback for all that can be done in a lesson; where it leads is gone to in the browser."""
    visitors = Visitors(service)

    def vote(presentation: str, question: str, option: int) -> bool:
        return count_prediction(service, presentation, question, visitors.current().handle, option)

    @app.callback(
        output={key: Output(*place) for key, place in PLACES.items()},
        inputs=[Input(ids.LESSON_AT, "data"), State(ids.LESSON_GIVEN, "data")],
        prevent_initial_call=True,
    )
    def show(at: object, given: object) -> dict[str, Any]:
        told, lessons = read(mapping(at)), folder.lessons()
        if told.lesson in lessons:
            note_step(told.lesson, min(max(1, told.step), len(lessons[told.lesson].steps)))
        return properties(told, mapping(given), lessons, vote)

    app.clientside_callback(
        ClientsideFunction(namespace="shell", function_name="lesson"),
        Output(ids.LESSON_GONE, "data"),
        Input(ids.LESSON_GO, "data"),
        prevent_initial_call=True,
    )


def read(at: Mapping[str, Any]) -> Told:
    """What was told, as far as it means something."""
    step, n, option = at.get("step"), at.get("n"), at.get("option")
    pair = option if isinstance(option, list) and len(option) == 2 else (None, None)
    return Told(
        query=text(at.get("query")),
        lesson=text(at.get("lesson")),
        step=step if isinstance(step, int) else 1,
        moved=at.get("moved") is True,
        option=(pair[0], pair[1]) if isinstance(pair[0], int) and isinstance(pair[1], int) else None,
        reveal=at.get("reveal") is True,
        presentation=text(at.get("presentation")),
        n=n if isinstance(n, int) else 0,
    )


def properties(
    told: Told, given: Mapping[str, Any], lessons: Mapping[str, Lesson], vote: Vote
) -> dict[str, Any]:
    """What every part of the lesson's side shows."""
    lesson = lessons.get(told.lesson)
    config, view = split(told.query)
    if lesson is None:
        go = None if config else link(FIRST_VISIT, view_pairs(view))
        return _said(no_lesson(), go, told.n)
    following = dict(zip(lessons, [*list(lessons.values())[1:], None], strict=True))[lesson.name]
    if told.moved and told.step > len(lesson.steps) and following is None:
        return _said(no_update, {"href": "/"}, told.n)
    shown = stand(told, given, lesson, following, vote)
    if shown.lesson is lesson:
        return _step_shown(shown, given, following, told.n)
    return _said(no_update, shown.go, told.n)


def stand(
    told: Told, given: Mapping[str, Any], lesson: Lesson, following: Lesson | None, vote: Vote
) -> Shown:
    """Which step is on screen after what was done, and where it leads the Lab."""
    config, view = split(told.query)
    kept = {key: value for key, value in view_pairs(view).items() if key in KEPT}
    if told.moved and told.step > len(lesson.steps) and following is not None:
        go = link(following.steps[0].query, {**kept, "lesson": following.name}, push=True)
        return Shown(following, 1, go=go)
    number = min(max(1, told.step), len(lesson.steps))
    replies = replies_of(given, lesson, number)
    query = shown_queries(lesson)[number - 1]
    if told.moved:
        go = link(query, {**kept, "lesson": lesson.name, "step": str(number)}, push=True)
        return Shown(lesson, number, replies, go)
    if not config:
        return Shown(lesson, number, replies, link(query, view_pairs(view)))
    return _replied(told, Shown(lesson, number, replies), vote)


def _replied(told: Told, shown: Shown, vote: Vote) -> Shown:
    """A prediction is answered at once, but for those who follow a presenter, who then shows the answer."""
    questions = questions_of(shown.lesson, shown.step)
    replies = dict(shown.replies)
    asked = list(range(len(questions))) if told.reveal else []
    if told.option and 0 <= told.option[0] < len(questions):
        place, option = told.option
        is_new = not replies.get(place, Reply()).is_shown
        if is_new and 0 <= option < len(questions[place].options):
            replies[place] = Reply(option)
            if not vote(told.presentation, f"{shown.lesson.name}:{shown.step}", option):
                asked = [place]
    go = None
    for place in asked:
        before = replies.get(place, Reply())
        replies[place] = Reply(before.chosen, is_shown=True)
        if questions[place].query and not before.is_shown:
            config, view = split(told.query)
            wanted = split(questions[place].query)
            go = link(join_query(wanted[0] or config, view), view_pairs(wanted[1]))
    return Shown(shown.lesson, shown.step, replies, go)


def split(query: str) -> tuple[str, View]:
    """Configuration and view of a link; a view that means nothing is none."""
    try:
        return split_query(query)
    except ValueError:
        return "", View()


def link(query: str, over: Mapping[str, str], push: bool = False) -> dict[str, Any]:
    """Where to go: a link with some keys of its view set, as a new entry of the history or in place."""
    config, view = split_query(query)
    return {"query": join_query(config, view_from_pairs({**view_pairs(view), **over})), "push": push}


def replies_of(given: Mapping[str, Any], lesson: Lesson, number: int) -> dict[int, Reply]:
    """What the browser remembers of a step: for each question what was chosen, and if the answer is shown."""
    replies = {}
    for place, question in enumerate(questions_of(lesson, number)):
        entry = mapping(given.get(f"{lesson.name}:{number}:{place}"))
        chosen = entry.get("chosen")
        known = isinstance(chosen, int) and 0 <= chosen < len(question.options)
        if entry:
            replies[place] = Reply(chosen if known else None, entry.get("shown") is True)
    return replies


def _step_shown(shown: Shown, given: Mapping[str, Any], following: Lesson | None, n: int) -> dict[str, Any]:
    lesson, step, steps = shown.lesson, shown.step, len(shown.lesson.steps)
    waits = is_open(lesson, step, shown.replies)
    remembered = {
        f"{lesson.name}:{step}:{place}": {"chosen": reply.chosen, "shown": reply.is_shown}
        for place, reply in shown.replies.items()
    }
    return {
        "text": step_text(lesson, step, shown.replies, following),
        "place": f"{step} of {steps}",
        "style": {"--done": f"{100 * step / steps:.0f}%"},
        "back": step <= 1,
        "next": "Next" if step < steps else "Go on",
        "next_class": "button" if waits else "button primary",
        "given": {**given, **remembered},
        "go": no_update if shown.go is None else {**shown.go, "n": n},
    }


def _said(text_shown: Any, go: dict[str, Any] | None, n: int) -> dict[str, Any]:
    """Nothing but a text, or the way elsewhere."""
    left = dict.fromkeys(PLACES, no_update)
    return {**left, "text": text_shown, "go": no_update if go is None else {**go, "n": n}}
