"""What a browser may send to Dash's own routes: calls of the callbacks that there are, in the form that
Dash's scripts send them. Anything else is refused in a sentence before Dash looks at it.

The values of inputs are the callbacks' own affair: each reads what it gets with a doubt (see `mapping`).
"""

import json
from collections.abc import Mapping
from typing import Any

from dash import Dash
from dash.exceptions import DependencyException
from flask import Response, request

from core.service.responses import error_response

_ADDRESS = {"pathname": "/", "search": ""}
"""Properties of dcc.Location, which has them always, and how each begins."""


def guard(app: Dash) -> None:
    """Refuse malformed calls of an application's callbacks."""
    address = f"{app.config.routes_pathname_prefix}_dash-update-component"

    @app.server.before_request
    def refuse() -> Response | None:
        if request.path != address or request.method != "POST":
            return None
        wrong = what_is_wrong(request.get_json(force=True, silent=True), app.callback_map)
        return error_response(f"This is no call of a callback: {wrong}.", 400) if wrong else None


def register_refusals(server: Any) -> None:
    """What is the client's mistake, whoever notices it."""

    @server.errorhandler(DependencyException)
    def unknown_library(_: DependencyException) -> Response:
        return error_response("There is no such script here.", 404)

    @server.errorhandler(RecursionError)
    def too_deep(_: RecursionError) -> Response:
        return error_response("The body is nested too deeply.", 400)


def what_is_wrong(document: object, callbacks: Mapping[str, Any]) -> str:
    """A word on the first thing that is wrong; empty when nothing is."""
    if not isinstance(document, Mapping):
        return "the body must be a JSON object"
    output = document.get("output")
    entry = callbacks.get(output) if isinstance(output, str) else None
    if entry is None or "callback" not in entry:
        return "its output is not known"
    changed = document.get("changedPropIds", [])
    if not isinstance(changed, list) or not all(isinstance(one, str) for one in changed):
        return "changedPropIds must be a list of texts"
    for name, listed in (("inputs", entry["inputs"]), ("state", entry["state"])):
        if not _fits(document.get(name, []), listed):
            return f"{name} are not those of the callback"
        if not all(_is_address(one) for one in document.get(name, [])):
            return "an address must be a text, its path from / on"
    declared = entry["output"]
    wanted = [
        {"id": one.component_id_str(), "property": one.component_property}
        for one in (declared if isinstance(declared, (list, tuple)) else [declared])
    ]
    outputs = document.get("outputs")
    if not _fits(outputs if isinstance(declared, (list, tuple)) else [outputs], wanted):
        return "outputs are not those of the callback"
    return ""


def _fits(sent: object, declared: list[dict[str, Any]]) -> bool:
    """Whether a list has an entry for each declared one; of a pattern any number, in a list."""
    if not isinstance(sent, list) or len(sent) != len(declared):
        return False
    return all(_is(one, wanted) for one, wanted in zip(sent, declared, strict=True))


def _is_address(one: object) -> bool:
    """Whether what is told of an address can be a part of one: Dash's router relies on it."""
    entry = mapping(one)
    begin = _ADDRESS.get(str(entry.get("property")))
    return begin is None or (isinstance(entry.get("value"), str) and entry["value"].startswith(begin))


def _is(one: object, wanted: dict[str, Any]) -> bool:
    if not wanted["id"].startswith("{"):
        return _has(one, wanted["property"]) and mapping(one)["id"] == wanted["id"]
    pattern = json.loads(wanted["id"])
    if any(value in (["ALL"], ["ALLSMALLER"]) for value in pattern.values()):
        return isinstance(one, list) and all(_matches(each, pattern, wanted["property"]) for each in one)
    return _matches(one, pattern, wanted["property"])


def _matches(one: object, pattern: dict[str, Any], name: str) -> bool:
    """Whether an entry's id is of a pattern, which has a list, such as ["MATCH"], in the place of what may be
    anything."""
    if not _has(one, name):
        return False
    found = mapping(mapping(one)["id"])
    return found.keys() == pattern.keys() and all(
        isinstance(value, list) or found[key] == value for key, value in pattern.items()
    )


def _has(one: object, name: str) -> bool:
    return isinstance(one, Mapping) and "id" in one and _bare(one.get("property")) == _bare(name)


def _bare(name: object) -> str:
    """A property without Dash's mark for one that several callbacks write."""
    return str(name).partition("@")[0]


def mapping(told: object) -> Mapping[str, Any]:
    """What a callback is told, if it is an object; whatever else a client may send is nothing."""
    return told if isinstance(told, Mapping) else {}


def text(told: object) -> str:
    """The same for a text."""
    return told if isinstance(told, str) else ""
