"""The settings: from what a hand did, by way of the link, to what every control shows.

Every control has a `value`, and one clientside callback listens to all of them: it keeps the order of what
was done (a change may follow before the last one is answered) and asks the server. The answer carries the
number of the question. A second clientside callback writes the link, then the values, but for controls that
somebody has touched since, and gives back messages and what is hidden (components/player/src/shell/form.ts).
"""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from dash import ALL, ClientsideFunction, Dash, Input, Output, no_update
from dash.development.base_component import Component

from components.common import ids
from components.common.callback_guard import mapping
from components.common.comparison import ALSO
from components.common.help import GROUPS, POINTS_EXAMPLE
from components.common.settings import (
    SAMPLED,
    Texts,
    budgets_of,
    digests,
    is_given,
    methods_of,
    query_of,
    target_name,
    value_of,
)
from components.common.view import DEFAULT_QUERY
from components.pages.lab.form_answer import Answer, answer_to
from components.pages.lab.formula_suggestion import meant_formula
from components.pages.lab.presets import PRESETS
from components.pages.lab.sections import method_group
from core.config import FIELDS
from core.limits import LIMITS, Limits
from core.methods import METHODS
from core.problem import TARGETS
from core.service import RunService
from core.service.visitors import Visitors

Names = Mapping[str, Sequence[str]]
"""For each entry of `CONTROLS` and `PARTS`, the names on the page."""
Place = str | dict[str, str]
"""The id of a component."""

CONTROLS = {
    "value": ("field", "value"),
    "disabled": ("field", "disabled"),
    "methods": ("methods", "value"),
    "budget": ("budget", "value"),
}
PARTS = {
    "box": (ids.BOX, "hidden"),
    "invalid": (ids.BOX, "data-invalid"),
    "given": (ids.BOX, "title"),
    "row": (ids.BUDGET_ROW, "hidden"),
    "part": (ids.SOURCE_PART, "hidden"),
}
"""Elements that are hidden while they mean nothing, or marked."""
WRITTEN = ("field", "budget", "points")
"""What is written into: it is finished when it is left, or by Enter."""
CHOSEN = ("methods", "source", "gallery", "preset")
BUTTONS = ("run", "overlay-run", "continue", "further", "stop", "stop-here", "dice", "data-clear")
PLACES: dict[str, tuple[Place, str]] = {
    "source": (ids.control("source", "target"), "value"),
    "gallery": (ids.control("gallery", "name"), "value"),
    "points": (ids.control("points", "text"), "value"),
    "points_hint": (ids.control("points", "text"), "placeholder"),
    "sketch": (ids.control("points", "sketch"), "picture"),
    "preset": (ids.control("preset", "name"), "value"),
    "preset_note": ("preset-note", "children"),
    "watch": ("target-watch", "children"),
    "watch_hidden": ("target-watch", "hidden"),
    "notes": ("data-notes", "children"),
    "read": ("target-read", "children"),
    "use": ("target-use", "hidden"),
    "use_text": ("target-use", "children"),
    "use_link": ("target-use", "href"),
    "caution": ("caution", "hidden"),
    "caution_text": ("caution-text", "children"),
    "better": ("better-units", "hidden"),
    "better_link": ("better-units", "href"),
    "way_out": ("overlay-out", "href"),
    "ignored": ("link-note", "children"),
    "comparison": ("comparison", "hidden"),
    "comparison_text": ("comparison-text", "children"),
    "comparison_first": ("comparison-first", "href"),
    "study": ("study-link", "hidden"),
    "study_link": ("study-link", "href"),
    "overlay_study": ("overlay-study", "hidden"),
    "overlay_study_link": ("overlay-study", "href"),
    **{f"error {name}": (ids.error_id(name), "children") for name in (*(x.name for x in FIELDS), "query")},
    **{f"digest {group}": (f"digest-{group.lower()}", "children") for group in GROUPS},
}
_METHODS_OF = {spec.name: frozenset(spec.methods) for spec in FIELDS}


def register_form(app: Dash, service: RunService, names: Names) -> None:
    """Listen to the controls of the page that have these names, answer, and show the answer."""
    visitors = Visitors(service)

    app.clientside_callback(
        ClientsideFunction(namespace="shell", function_name="entered"),
        *(Input({"type": kind, "name": ALL}, "value") for kind in (*WRITTEN, *CHOSEN)),
        *(Input({"type": kind, "name": ALL}, end) for kind in WRITTEN for end in ("n_blur", "n_submit")),
        Input({"type": "points", "name": ALL}, "n_edits"),
        *(Input(name, "n_clicks") for name in BUTTONS),
        prevent_initial_call=True,
    )

    @app.callback(Output(ids.ANSWER, "data"), Input(ids.QUESTION, "data"), prevent_initial_call=True)
    def answer(asked: object) -> dict[str, Any]:
        found = answer_to(mapping(asked), service, visitors.current())
        return {**found.told, "shown": placed(shown(found, names, service.settings.limits), names)}

    said = [place for place in PLACES.values() if place[1] != "value"]
    app.clientside_callback(
        ClientsideFunction(namespace="shell", function_name="answered"),
        *(Output(place, prop) for place, prop in said),
        Output({"type": "field", "name": ALL}, "disabled"),
        *(Output(f"{start}{name}", prop) for key, (start, prop) in PARTS.items() for name in names[key]),
        Input(ids.ANSWER, "data"),
        prevent_initial_call=True,
    )
    app.clientside_callback(
        ClientsideFunction(namespace="shell", function_name="slid"),
        Output({"type": "slider", "name": ALL}, "value"),
        Output({"type": "slider", "name": ALL}, "style"),
        Output({"type": "field", "name": ALL}, "value"),
        Output({"type": "budget", "name": ALL}, "value"),
        Input({"type": "slider", "name": ALL}, "value"),
        Input({"type": "field", "name": ALL}, "value"),
        Input({"type": "budget", "name": ALL}, "value"),
        prevent_initial_call=True,
    )


def names_of(page: Component) -> Names:
    """What a page has of the settings' controls."""
    found = list(page)  # Dash's components give the ids below them
    controls = {
        key: [place["name"] for place in found if isinstance(place, dict) and place["type"] == kind]
        for key, (kind, _) in CONTROLS.items()
    }
    texts = [place for place in found if isinstance(place, str)]
    return controls | {
        key: [place.removeprefix(start) for place in texts if place.startswith(start)]
        for key, (start, _) in PARTS.items()
    }


def placed(values: Mapping[str, Any], names: Names) -> list[tuple[Place, dict[str, Any]]]:
    """The properties that are said, with the place of each."""
    found: dict[str, tuple[Place, dict[str, Any]]] = {}
    listed: list[tuple[Place, str, Any]] = [(*place, values[key]) for key, place in PLACES.items()]
    for key, (kind, prop) in CONTROLS.items():
        pairs = zip(names[key], values[key], strict=True)
        listed += [(ids.control(kind, name), prop, value) for name, value in pairs]
    for key, (start, prop) in PARTS.items():
        pairs = zip(names[key], values[key], strict=True)
        listed += [(f"{start}{name}", prop, value) for name, value in pairs]
    for place, prop, value in listed:
        if value is not no_update:
            found.setdefault(str(place), (place, {}))[1][prop] = value
    return list(found.values())


def nothing_new(names: Names) -> dict[str, Any]:
    """Everything as it is."""
    lists = {key: [no_update] * len(listed) for key, listed in names.items()}
    return dict.fromkeys(PLACES, no_update) | lists


def shown(answer: Answer, names: Names, limits: Limits = LIMITS) -> dict[str, Any]:
    """The properties of all controls; while somebody types only messages, cost and picture change."""
    values = nothing_new(names) | _judged(answer)
    values["invalid"] = ["true" if name in answer.errors else None for name in names["invalid"]]
    source = answer.draft.source if answer.cause == "draft" else _source_of(answer.texts)
    if source:
        values["source"] = source
        values["part"] = [name != source for name in names["part"]]
    if "data" in answer.errors:
        values["notes"] = ""
    if answer.cause != "draft":
        values |= _controls(answer, names, limits) | _words(answer, source)
    if answer.draft.pasted is not None:
        values["points"] = answer.draft.pasted
    return values


def _source_of(texts: Texts) -> str:
    name = target_name(texts)
    return "data" if not name else "gallery" if name in TARGETS else "formula"


def _judged(answer: Answer) -> dict[str, Any]:
    """What is wrong, what to be careful about, what it looks like."""
    wrong, found = answer.errors, answer.found
    better = None if wrong else found.get("better")
    said = [] if wrong else [*([better["text"]] if better else []), *found.get("cautions", [])]
    values: dict[str, Any] = {f"error {name}": wrong.get(name, "") for name in (*_METHODS_OF, "query")}
    lost = [text for name, text in wrong.items() if f"error {name}" not in values]
    values["error query"] = " ".join([*lost, *filter(None, [values["error query"]])])
    values |= {"caution": not said, "caution_text": " ".join(said), "better": better is None}
    values["better_link"] = f"/?{better['query']}" if better else "/"
    values |= {"way_out": f"/?{answer.way_out}", "ignored": _ignored(answer.ignored)}
    study = found.get("study")
    values |= dict.fromkeys(("study", "overlay_study"), study is None)
    values |= dict.fromkeys(("study_link", "overlay_study_link"), study or "/study")
    meant = meant_formula(target_name(answer.draft.texts)) if "target" in wrong else ""
    values |= {"use": not meant, "use_text": f"Use {meant}"}
    values["use_link"] = f"/?{query_of({**answer.draft.texts, 'target': meant})}" if meant else "/"
    return {**values, "sketch": _picture(answer), "read": _read_as(answer)}


def _ignored(keys: tuple[str, ...]) -> str:
    """What a link brought along that means nothing here; a slip of the pen may have been meant."""
    said = []
    for key in keys:
        meant = get_close_matches(key, _METHODS_OF, 1)
        said.append(f"{key[:40]} (did you mean {meant[0]}?)" if meant else key[:40])
    return f"Ignored unknown settings: {', '.join(said)}." if said else ""


def _read_as(answer: Answer) -> str:
    """How a formula was understood, where it was typed in another way."""
    typed, read = target_name(answer.draft.texts), target_name(answer.texts)
    return "" if typed.replace(" ", "") == read.replace(" ", "") or read in TARGETS else f"Read as {read}"


def _picture(answer: Answer) -> Any:
    """The data and the function behind them; own points, as they were given, can be edited in it."""
    draft, data = answer.draft, answer.texts.get("data", "")
    if draft.source == "data":
        return {"m": 0, "rows": [], "editable": True} if draft.pasted == "" else no_update
    if "target" in answer.errors:
        return {"m": 0, "rows": [], "editable": False}
    if data and not data.startswith("@") and "data" not in answer.errors:
        rows = [point.split(":") for point in data.split(";") if point]
        return {"m": len(rows), "rows": rows, "editable": True}
    picture = answer.found.get("thumbnail")
    return {**picture, "editable": False} if picture else no_update


def _controls(answer: Answer, names: Names, limits: Limits) -> dict[str, Any]:
    texts = answer.texts
    running, budgets = set(methods_of(texts)), budgets_of(texts, limits)
    name = target_name(texts)
    points, hint = answer.found.get("written", ("", ""))
    given = is_given(texts)
    return {
        "value": [_text(place, texts) for place in names["value"]],
        "disabled": [given and place.partition(":")[0] in SAMPLED for place in names["disabled"]],
        "given": ["Given by the data" if given and name in SAMPLED else None for name in names["given"]],
        "box": [bool(_METHODS_OF[key]) and not running & _METHODS_OF[key] for key in names["box"]],
        "methods": [
            [name for name in METHODS if name in running and method_group(name) == group]
            for group in names["methods"]
        ],
        "budget": [budgets[method] for method in names["budget"]],
        "row": [method not in running for method in names["row"]],
        "gallery": name if name in TARGETS else no_update,
        "points": points,
        "points_hint": hint or POINTS_EXAMPLE,
    }


def _text(place: str, texts: Texts) -> Any:
    name, _, end = place.partition(":")
    if name == "target" and _source_of(texts) != "formula":
        return no_update
    text = value_of(name, texts)
    low, _, high = text.partition(",")
    return {"low": low, "high": high}.get(end, text)


def _compared(answer: Answer) -> dict[str, Any]:
    """Whose settings these are where runs were selected one by one."""
    texts = dict(answer.texts)
    several = texts.pop(ALSO, "")
    number = len(answer.found.get("runs", ()))
    return {
        "comparison": not several,
        "comparison_text": f"Comparing {number} runs. These are the settings of the first; "
        "a change also applies to every run that shares the setting."
        if several
        else "",
        "comparison_first": f"/?{query_of(texts) or DEFAULT_QUERY}",
    }


def _words(answer: Answer, source: str) -> dict[str, Any]:
    texts = answer.texts
    preset = next((one for one in PRESETS if one.query == query_of(texts)), None)
    target = TARGETS.get(target_name(texts))
    watch = f"{target.watch} {target.source}".strip() if source == "gallery" and target else no_update
    return {
        **_compared(answer),
        "preset": preset.name if preset else "",
        "preset_note": preset.note if preset else "",
        "watch": watch,
        "watch_hidden": preset is not None,
        "notes": "; ".join(answer.draft.notes) if answer.draft.notes else no_update,
        **{f"digest {group}": text for group, text in digests(texts).items()},
    }
