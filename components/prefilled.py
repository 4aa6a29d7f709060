"""The settings form with the values of the link in it, before the browser has asked anything.

An answer of the form's callback fills every control (components.callbacks.form); until the first is there a
reader would look at empty fields. The same values are therefore written into the layout, with the settings
that they are of, so that the first answer need not fill them again.
"""

import copy
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from dash import no_update
from dash.development.base_component import Component
from flask import has_request_context, request

from components import ids
from components.answers import answer_to
from components.callbacks.form import CONTROLS, PLACES, shown
from components.first_visit import FIRST_VISIT
from components.view import VIEW_KEYS, split_query
from core.service import Client, RunService

NOBODY = Client("", "")
Changes = Mapping[str, Mapping[str, Any]]
"""Properties by the id of their component, as text."""


def prefilled(page: Component, service: RunService) -> Callable[[], Component]:
    """The layout as a function of the link that is asked for; what no link changes is made once."""
    found = [part.id for part in page._traverse() if isinstance(getattr(part, "id", None), dict)]
    names = {key: [i["name"] for i in found if i["type"] == kind] for key, (kind, _) in CONTROLS.items()}
    known = next(part.data for part in page._traverse() if getattr(part, "id", "") == ids.SPECIFICATION)

    def filled() -> Component:
        config = _configuration(_link_asked())
        answer = answer_to({"cause": "look", "config": config}, service, NOBODY)
        changes = _changes(shown(answer, names, service.settings.limits), names)
        told = {ids.SPECIFICATION: {"data": {**known, "shown": config}}}
        changed: Component = _changed(page, {**changes, **told})
        return changed

    return filled


def _link_asked() -> str:
    """The query of the page that asks for its layout; the browser names it in the referrer."""
    address = urlsplit(request.referrer or "") if has_request_context() else urlsplit("")
    return address.query if address.path == "/" else ""


def _configuration(query: str) -> str:
    pairs = [pair for pair in query.split("&") if pair and pair.partition("=")[0] not in VIEW_KEYS]
    return "&".join(pairs) or split_query(FIRST_VISIT)[0]


def _changes(values: Mapping[str, Any], names: Mapping[str, list[str]]) -> Changes:
    changes: dict[str, dict[str, Any]] = {}
    for key, (kind, prop) in CONTROLS.items():
        for name, value in zip(names[key], values[key], strict=True):
            changes.setdefault(str({"type": kind, "name": name}), {})[prop] = value
    for key, (place, prop) in PLACES.items():
        if key != "answer":
            changes.setdefault(str(place), {})[prop] = values[key]
    return {
        place: {prop: value for prop, value in props.items() if value is not no_update}
        for place, props in changes.items()
    }


def _changed(part: Any, changes: Changes) -> Any:
    """The same tree with other properties; what does not change is shared with it."""
    if isinstance(part, list | tuple):
        parts = [_changed(each, changes) for each in part]
        return part if all(new is old for new, old in zip(parts, part, strict=True)) else parts
    if not isinstance(part, Component):
        return part
    props = dict(changes.get(str(getattr(part, "id", "")), {}))
    for prop in ("children", *getattr(part, "_children_props", ())):
        old = getattr(part, prop, None)
        new = _changed(old, changes)
        if new is not old:
            props[prop] = new
    if not props:
        return part
    twin = copy.copy(part)
    for prop, value in props.items():
        setattr(twin, prop, value)
    return twin
