"""The settings form with the values of the link in it, before the browser has asked anything.

An answer of the form's callback fills every control (callbacks/form.py); until the first is there a
reader would look at empty fields. The same values are therefore written into the layout, with the settings
that they are of, so that the first answer need not fill them again. Where the link's runs are all here the
answer itself comes along, and nothing is asked.
"""

import copy
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from dash.development.base_component import Component
from flask import has_request_context, request

from components.common import ids
from components.common.view import VIEW_KEYS, split_query
from components.pages.lab.callbacks.form import names_of, placed, shown
from components.pages.lab.first_visit import FIRST_VISIT
from components.pages.lab.form_answer import Answer, answer_to
from components.pages.lab.starting import note_opened, wants_nothing
from core.service import Client, RunService
from core.service.visitors import Visitors

LAYOUT = "/_dash-layout"
"""Where the browser asks for it."""
NOBODY = Client("", "")
Changes = Mapping[str, Mapping[str, Any]]
"""Properties by the id of their component, as text."""


def prefilled(page: Component, service: RunService) -> Callable[[], Component]:
    """The layout as a function of the link that is asked for; what no link changes is made once."""
    names = names_of(page)
    visitors = Visitors(service)
    known = next(part.data for part in page._traverse() if getattr(part, "id", "") == ids.SPECIFICATION)

    def filled() -> Component:
        if not (has_request_context() and request.path.endswith(LAYOUT)):
            # Dash looks at it when it is set and before the first answer of all: that one nobody reads, and
            # a start need not load the numerics for it.
            return page
        config, view = _halves(_link_asked())
        answer = answer_to({"cause": "look", "config": config, "view": view}, service, NOBODY)
        changes = placed(shown(answer, names, service.settings.limits), names)
        told = (ids.SPECIFICATION, {"data": {**known, "shown": config, **opened(answer)}})
        changed: Component = _changed(page, {str(place): props for place, props in [*changes, told]})
        return changed

    def opened(answer: Answer) -> dict[str, Any]:
        if answer.errors or not wants_nothing(answer.found):
            return {}
        note_opened(answer.found, service, visitors.current())
        return {"answer": {**answer.told, "cause": "open"}}

    return filled


def _link_asked() -> str:
    """The query of the page that asks for its layout; the browser names it in the referrer."""
    address = urlsplit(request.referrer or "")
    return address.query if address.path == "/" else ""


def _halves(query: str) -> tuple[str, str]:
    """Configuration and view as they were written; without any setting the first visit's."""
    pairs = [pair for pair in query.split("&") if pair]
    view = [pair for pair in pairs if pair.partition("=")[0] in VIEW_KEYS]
    config = "&".join(pair for pair in pairs if pair not in view)
    return config or split_query(FIRST_VISIT)[0], "&".join(view)


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
