"""Answers: JSON, with a tag, and refusals as problems."""

import orjson
from flask import Response, request
from werkzeug.http import HTTP_STATUS_CODES

from ..config.fields import field_names
from ..spelling import FieldError


def json_response(document: object, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A JSON answer (numbers that are not finite become null)."""
    body = orjson.dumps(document, option=orjson.OPT_SERIALIZE_NUMPY)
    return Response(
        body, status, {"Cache-Control": "no-store", **(headers or {})}, mimetype="application/json"
    )


def with_etag(response: Response) -> Response:
    """A tag of what an answer holds, so that who has it already is not sent it again. The frames of a run
    that goes on are asked for once each: they need none."""
    asked_once = request.endpoint in ("api.frames", "api.frames_of_several", "api.healthz", "api.readyz")
    whole = response.status_code == 200 and not response.is_streamed and not response.direct_passthrough
    if request.method in ("GET", "HEAD") and whole and not asked_once and "ETag" not in response.headers:
        response.add_etag()
        response.headers["Cache-Control"] = "private, no-cache"
        response.make_conditional(request)
    return response


def error_response(
    sentence: str, status: int, headers: dict[str, str] | None = None, **more: object
) -> Response:
    """An error as a problem of RFC 9457; `error` says the same as `detail`, for scripts of version 2."""
    retry = more.get("retry_after")
    # A query may quote half a character, which JSON cannot carry.
    sentence = sentence.encode("utf-8", "replace").decode()
    again = {"Retry-After": str(retry)} if retry else {}
    title = HTTP_STATUS_CODES.get(status, "Refused")
    problem = {"title": title, "detail": sentence, "error": sentence, **more}
    response = json_response(problem, status, again | (headers or {}))
    response.mimetype = "application/problem+json"
    return response


def refused_value(error: ValueError) -> Response:
    """What was refused, and the key that it concerns."""
    if isinstance(error, FieldError) and error.field in field_names():
        return error_response(str(error), 400, field=error.field)
    return error_response(str(error), 400)
