"""What a presenter is told of the audience: how many follow, and what they predict."""

from typing import Any

from dash import Dash, Input, Output, html
from flask import request

from components import ids
from components.lessons import Question
from components.prose import prose
from components.rooms import question_shown
from components.shelf import Shelf
from core.service import RunService, is_loopback, network_origin
from core.service.visitors import Visitors


def register_room(app: Dash, service: RunService, shelf: Shelf) -> None:
    """Told at every beat while a browser presents."""
    visitors = Visitors(service)

    @app.callback(
        Output("corner-scan", "children"),
        Output("corner-count", "children"),
        Output(ids.LESSON_ANSWERS, "children"),
        Input(ids.ROOM_BEAT, "n_intervals"),
        prevent_initial_call=True,
    )
    def tell(_: int) -> tuple[str, str, list[Any]]:
        room = visitors.current().handle
        count = service.audience.followers(room)
        reachable = not is_loopback(request.host) or network_origin(service.settings)
        says = "Scan to follow" if reachable else ""
        return says, f"{count} following" if count else "", histogram(service, shelf, room)


def histogram(service: RunService, shelf: Shelf, room: str) -> list[Any]:
    """The predictions so far for the question on the presenter's screen, a bar for each option."""
    shown = question_shown(service, room)
    lesson = shelf.lessons().get(shown[0]) if shown else None
    if shown is None or lesson is None or not 1 <= shown[1] <= len(lesson.steps):
        return []
    questions = [block for block in lesson.steps[shown[1] - 1].blocks if isinstance(block, Question)]
    found = service.audience.answers(room, f"{shown[0]}:{shown[1]}")
    total = sum(found.values())
    if not questions or not total:
        return []
    rows = [
        html.Li(
            [html.Span(prose(text)), html.B(str(found.get(place, 0)))],
            style={"--share": f"{100 * found.get(place, 0) / total:.0f}%"},
        )
        for place, (text, _) in enumerate(questions[0].options)
    ]
    return [html.P(f"{total} answered"), html.Ul(rows)]
