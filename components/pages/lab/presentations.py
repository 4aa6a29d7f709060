"""Follow me: a presenter's view, published for those who have the link.

A presentation is named by its presenter: the public handle made from the signed cookie that every
browser gets (core.service.visitors). So there is nothing to create, nothing to
keep secret in a link, and nobody can speak for somebody else: what a browser
publishes is what its own presentation shows. What is published is a query of the Lab, the
same as in a link, and whether it is playing. It is forgotten after some hours.
"""

import json
import re
import time
from typing import Any

import orjson
from flask import Blueprint, Response, request

from components.common.comparison import ALSO
from components.common.view import split_query
from core.config import field_names
from core.config import split_query as split_pairs
from core.service import RunService
from core.service.visitors import Visitors

_HANDLE = re.compile(r"[0-9a-f]{16}", re.ASCII)
_QUESTION = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}:[1-9][0-9]{0,2}", re.ASCII)
_SPEEDS = (0.25, 4.0)
MOST_OPTIONS = 12


def presentation_routes(service: RunService) -> Blueprint:
    """POST /api/presentations {"query", "playing", "speed", "live", "revealed"}; with the presentation's name
    behind it GET, and POST .../answer {"question", "option"}."""
    routes = Blueprint("presentations", __name__)
    visitors = Visitors(service)

    @routes.post("/api/presentations")
    def publish() -> Response:
        """The presenter's browser says what it shows."""
        presentation = visitors.current().handle
        try:
            document = read_document(request.get_json(silent=True), service.settings.limits.query_bytes)
        except ValueError as error:
            return _json({"error": str(error)}, 400)
        service.presentations.publish(presentation, json.dumps({**document, "serial": time.time_ns()}))
        return _json({"presentation": presentation})

    @routes.get("/api/presentations/<presentation>")
    def look(presentation: str) -> Response:
        """What the presenter shows; `mine` tells the presenter's own browser."""
        text = service.presentations.published(presentation) if _HANDLE.fullmatch(presentation) else None
        mine = visitors.current().handle == presentation
        if not mine and text is not None:
            service.presentations.attend(presentation, visitors.viewer())
        if text is None:
            return _json({"serial": 0, "live": False, "mine": mine})
        return _json({**json.loads(text), "mine": mine})

    @routes.post("/api/presentations/<presentation>/answer")
    def answer(presentation: str) -> Response:
        """A prediction of one of the audience; counted without a name, and forgotten after the hour."""
        body = request.get_json(silent=True)
        question, option = (
            (body.get("question"), body.get("option")) if isinstance(body, dict) else (None, None)
        )
        if not count_prediction(service, presentation, question, visitors.current().handle, option):
            return _json(
                {"error": 'The body must be JSON of the form {"question": "lesson:2", "option": 0}.'}, 400
            )
        return _json({})

    return routes


def count_prediction(
    service: RunService, presentation: str, question: object, who: str, option: object
) -> bool:
    """Count what one of the audience predicts; False where it is no prediction in a presentation."""
    known = isinstance(question, str) and _QUESTION.fullmatch(question) and _HANDLE.fullmatch(presentation)
    if not known or not isinstance(option, int) or not 0 <= option < MOST_OPTIONS:
        return False
    service.presentations.answer(presentation, str(question), who, option)
    return True


def question_shown(service: RunService, presentation: str) -> tuple[str, int] | None:
    """The lesson and the step, counted from 1, that a presenter shows."""
    text = service.presentations.published(presentation)
    view = split_query(json.loads(text)["query"])[1] if text else None
    return (view.lesson, view.step or 1) if view and view.lesson else None


def read_document(body: Any, largest: int) -> dict[str, Any]:
    """What may be published: a link that the Lab could be opened with, and how it plays."""
    if not isinstance(body, dict) or not isinstance(body.get("query"), str):
        raise ValueError('The body must be JSON of the form {"query": "…", "playing": false}.')
    query = body["query"]
    if len(query.encode(errors="surrogatepass")) > 2 * largest:
        raise ValueError(f"query: at most {2 * largest} bytes are allowed")
    config, view = split_query(query)
    unknown = sorted(set(split_pairs(config, 2 * largest)) - {*field_names(), ALSO})
    if unknown:
        raise ValueError(f"query: {unknown[0][:40]!r} is no key of a link")
    speed = body.get("speed", 1.0)
    if not isinstance(speed, int | float) or not _SPEEDS[0] <= speed <= _SPEEDS[1]:
        raise ValueError(f"speed: a number from {_SPEEDS[0]:g} to {_SPEEDS[1]:g} is allowed")
    flags = {name: body.get(name, False) is True for name in ("playing", "live", "revealed")}
    return {"query": query, "at": view.at, "speed": speed, **flags}


def _json(body: object, status: int = 200) -> Response:
    response = Response(orjson.dumps(body), status=status, content_type="application/json")
    response.headers["Cache-Control"] = "no-store"
    return response
