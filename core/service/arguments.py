"""What a request says, checked: the parts of its address, its query string and its body."""

from typing import Any

from flask import request
from werkzeug.exceptions import BadRequest, NotFound

from core.config.run_config import RunConfig
from core.service.service import RunService
from core.service.store import NAME


def check_name(endpoint: str | None, values: dict[str, Any] | None) -> None:  # noqa: ARG001
    """Anything that is not a run's name names no run, whatever else it might name."""
    if values is not None and "run_id" in values and not NAME.fullmatch(values["run_id"]):
        raise no_such_run()


def no_such_run() -> NotFound:
    """The answer to a name that is not known here."""
    return NotFound("This server does not have that run; start it with POST /api/runs.")


def known_config(service: RunService, run_id: str) -> tuple[RunConfig, str]:
    """The question of a run, and its status."""
    status = service.status(run_id)
    config = service.config(run_id) if status else None
    if config is None or status is None:
        raise no_such_run()
    return config, status


def body_document() -> dict[str, Any]:
    """The JSON object of the request's body."""
    document = request.get_json(force=True, silent=True)
    if not isinstance(document, dict):
        raise BadRequest('The body must be a JSON object such as {"query": "target=f1"}.')
    return document


def body_text(document: dict[str, Any], key: str) -> str:
    """A text in the body."""
    value = document.get(key)
    if not isinstance(value, str):
        raise BadRequest(f'The body must have the text "{key}".')
    return value


def whole_number(name: str, default: int, low: int, high: int) -> int:
    """A whole number of the query string."""
    text = request.args.get(name)
    if text is None:
        return default
    digits = text[1:] if text.startswith("-") else text
    if not (digits.isascii() and digits.isdigit() and len(digits) < 16 and low <= int(text) <= high):
        raise BadRequest(f"{name}: {text[:40]!r} must be a whole number from {low} on")
    return int(text)
