"""What a request says, checked: the parts of its address, its query string and its body."""

from collections.abc import Sequence
from typing import Any, TypeVar

from flask import request
from pydantic import BaseModel, ValidationError
from werkzeug.datastructures import FileStorage
from werkzeug.exceptions import BadRequest, NotFound

from ..config.run_config import RunConfig
from ..spelling import near_miss, shorten
from .openapi import LARGEST_NUMBER, MOST_ENTRIES, OPERATIONS
from .service import RunService
from .store import NAME

Checked = TypeVar("Checked", bound=BaseModel)
Entry = TypeVar("Entry")
MAX_RUNS = 16
"""So many runs may be asked for at once."""
_ARGUMENTS = {
    (each.method.upper(), each.path.translate(str.maketrans("{}", "<>"))): each.arguments
    for each in OPERATIONS
}
"""By method and rule."""
_SWITCHES = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
DISCARDED_BYTES = 32_000_000
"""So large may a body be that is read and thrown away; a larger one is refused before it comes."""


def check_name(endpoint: str | None, values: dict[str, Any] | None) -> None:  # noqa: ARG001
    """Anything that is not a run's name names no run, whatever else it might name."""
    if values is not None and "run_id" in values and not NAME.fullmatch(values["run_id"]):
        raise no_such_run()


def check_arguments() -> None:
    """Refuse an argument that the contract does not have, or that is given twice."""
    method = "GET" if request.method == "HEAD" else request.method
    known = _ARGUMENTS.get((method, str(request.url_rule)))
    if known is None or not request.path.startswith("/api"):
        return
    for name in request.args:
        if name not in known:
            allowed = f"allowed are {', '.join(known)}." if known else "there are none here."
            raise BadRequest(f"{shorten(name)}: unknown argument; {near_miss(name, known) or allowed}")
        if len(request.args.getlist(name)) > 1:
            raise BadRequest(f"{name}: given more than once.")


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


def body_of(model: type[Checked]) -> Checked:
    """The body, checked by its model (core.service.models)."""
    known = tuple(model.model_fields)
    document = _body_document(*known)
    try:
        return model.model_validate(document)
    except ValidationError as error:
        first = error.errors()[0]
        key = str(first["loc"][0]) if first["loc"] else known[0]
        if model.model_fields[key].annotation is bool:
            raise BadRequest(f'"{key}" must be true or false.') from None
        raise BadRequest(f'The body must have the text "{key}".') from None


def _body_document(*known: str) -> dict[str, Any]:
    """The JSON object of the request's body, which may have these keys."""
    document = request.get_json(force=True, silent=True)
    if not isinstance(document, dict):
        raise BadRequest(f'The body must be a JSON object such as {{"{known[0]}": "..."}}.')
    for key in document:
        if key not in known:
            raise BadRequest(f"{key[:40]!r}: unknown key in the body; known are {', '.join(known)}.")
    return document


def only_file() -> FileStorage:
    """The file of a form: the part `file`, or the only one."""
    files = request.files
    if "file" in files or len(files) == 1:
        return files.get("file") or next(iter(files.values()))
    found = ", ".join(repr(name[:40]) for name in files)
    what = f"these parts are files: {found}" if found else "no part is a file (with a filename)"
    raise BadRequest(f'The form must have one file, in the part "file"; {what}.')


def discard_body() -> None:
    """Read what is left of a body that is refused: who is still sending it could not read the answer."""
    # Not the request's own stream, which refuses it again.
    stream, left = request.environ["wsgi.input"], min(request.content_length or 0, DISCARDED_BYTES)
    while left > 0 and (part := stream.read(min(left, 1 << 16))):
        left -= len(part)


def whole_number(name: str, default: int, low: int, high: int) -> int:
    """A whole number of the query string."""
    text = request.args.get(name)
    return default if text is None else checked_whole(name, text, low, high)


def checked_whole(name: str, text: str, low: int, high: int) -> int:
    """A whole number out of a text; `name` is said where it is none."""
    digits = text[1:] if text.startswith("-") else text
    if not (digits.isascii() and digits.isdigit() and len(digits) < 16 and low <= int(text) <= high):
        range_ = f"from {low} on" if high >= LARGEST_NUMBER else f"from {low} to {high:,}"
        raise BadRequest(f"{name}: {text[:40]!r} must be a whole number {range_}")
    return int(text)


def page_of(entries: Sequence[Entry]) -> tuple[Sequence[Entry], dict[str, int | None]]:
    """The entries that `after` and `limit` ask for, and what is said of their place in the list."""
    after = whole_number("after", 0, 0, LARGEST_NUMBER)
    shown = entries[after : after + (most_entries() or MOST_ENTRIES)]
    last = after + len(shown)
    return shown, {"after": after, "next": last if last < len(entries) else None}


def most_entries() -> int | None:
    """The argument `limit`."""
    return whole_number("limit", 0, 1, MOST_ENTRIES) or None


def switch(name: str, default: bool) -> bool:
    """An argument that is yes or no."""
    text = request.args.get(name)
    if text is None:
        return default
    if text not in _SWITCHES:
        raise BadRequest(f"{name}: {text[:40]!r} must be yes or no")
    return _SWITCHES[text]


def runs_asked() -> list[tuple[str, int]]:
    """The argument `runs`: names of runs, and the last frame of each that is known."""
    text = request.args.get("runs", "")
    pairs = [part.partition(":") for part in text.split(",")]
    if not text or len(pairs) > MAX_RUNS:
        raise BadRequest(f"runs: name 1 to {MAX_RUNS} runs, as <id>:<after>,<id>:<after>; {len(pairs)} given")
    asked = []
    for name, _, after in pairs:
        if not NAME.fullmatch(name):
            raise BadRequest(f"runs: {name[:40]!r} is not the id of a run")
        asked.append((name, checked_whole("runs", after, -1, LARGEST_NUMBER)))
    return asked
