"""The presenter's corner: the code that brings the audience along, how many follow, what they predict."""

import json
from dataclasses import replace
from typing import Any
from urllib.parse import quote

from dash import Dash, Input, Output, html, no_update
from flask import request

from components.common import ids
from components.common.prose import prose
from components.common.view import join_query, split_query
from components.pages.lab.presentations import question_shown
from components.pages.lab.routes import has_code
from components.pages.lessons.folder import LessonFolder
from components.pages.lessons.parser import Question
from core.service import RunService, is_loopback, network_origin
from core.service.visitors import Visitors


def register_presentation(app: Dash, service: RunService, folder: LessonFolder) -> None:
    """Told at every beat while a browser presents."""
    visitors = Visitors(service)

    @app.callback(
        Output("corner-scan", "children"),
        Output("corner-count", "children"),
        Output(ids.LESSON_ANSWERS, "children"),
        Output("corner-code", "children"),
        Output("corner", "hidden"),
        Input(ids.PRESENTATION_BEAT, "n_intervals"),
        prevent_initial_call=True,
    )
    def show_corner(_: int) -> tuple[str, str, list[Any], Any, Any]:
        presentation = visitors.current().handle
        count = service.presentations.followers(presentation)
        reachable = not is_loopback(request.host) or network_origin(service.settings)
        # what keeps phones away is said to the presenter beforehand, never on the projector
        says = "Scan to follow" if reachable else ""
        path, is_playing = shown_path(service, presentation)
        is_hidden = not path or not reachable
        code: tuple[Any, Any] = (no_update, no_update) if is_playing else (picture(path), is_hidden)
        return says, f"{count} following" if count else "", histogram(service, folder, presentation), *code


def shown_path(service: RunService, presentation: str) -> tuple[str, bool]:
    """The link to the moment on the presenter's screen, and whether it is on the move; empty where it is too
    long for a code, as with own data in it."""
    text = service.presentations.published(presentation)
    if text is None:
        return "", False
    document = json.loads(text)
    config, view = split_query(document["query"])
    path = f"/?{join_query(config, replace(view, follow=presentation))}"
    return path if has_code(path) else "", bool(document["playing"])


def picture(path: str) -> list[Any]:
    """The code of a link; the same link is the same picture, which is not loaded again."""
    source = f"/qr.svg?path={quote(path, safe='')}"
    return [html.Img(src=source, alt="QR code of this moment")] if path else []


def histogram(service: RunService, folder: LessonFolder, presentation: str) -> list[Any]:
    """How many have predicted for the question on the presenter's screen; what, once the answer is shown, so
    that nobody follows the others."""
    shown = question_shown(service, presentation)
    lesson = folder.lessons().get(shown[0]) if shown else None
    if shown is None or lesson is None or not 1 <= shown[1] <= len(lesson.steps):
        return []
    questions = [block for block in lesson.steps[shown[1] - 1].blocks if isinstance(block, Question)]
    found = service.presentations.answers(presentation, f"{shown[0]}:{shown[1]}")
    total = sum(found.values())
    if not questions or not total:
        return []
    if not json.loads(service.presentations.published(presentation) or "{}").get("revealed"):
        return [html.P(f"{total} answered. Their answers appear when you show yours.")]
    rows = [
        html.Li(
            [html.Span(prose(text)), html.B(str(found.get(place, 0)))],
            style={"--share": f"{100 * found.get(place, 0) / total:.0f}%"},
        )
        for place, (text, _) in enumerate(questions[0].options)
    ]
    return [html.P(f"{total} answered"), html.Ul(rows)]
