"""What a hand did to a control, and what it makes of the settings.

Each kind of control has one function here; the browser sends what was touched and its new
value, in order, and knows nothing else about the settings.
"""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from components.common.settings import (
    SAMPLED,
    Texts,
    budgets_of,
    methods_of,
    patched,
    query_of,
    raced,
    read_control,
    spelled,
    target_defaults,
    target_name,
    texts_of,
    value_of,
)
from components.pages.lab.presets import PRESETS
from core.config import FIELDS, scale_in
from core.methods import METHODS
from core.problem import PLAIN, TARGETS, TrainingData, needed_units, read_canonical
from core.service import Client, QueueFullError, RunService, StoreError
from core.spelling import FieldError, format_number

SEEDS = 1000
EXAMPLE = "sin(pi*x)"
TWO_POINTS = "Add at least two points."
LONGEST = 3600
"""Characters that a network may take in a link."""
DIGITS = (17, 12, 9, 7)
OF_DATA = ("data", "units", "labels", "calendar", "biases", "coefficients")
"""Keys that belong to the data on screen: others have their own."""
OF_FILE = ("data", "units", "labels", "calendar")
_BY_NAME = {spec.name: spec for spec in FIELDS}


@dataclass(frozen=True)
class Draft:
    """The settings on their way: their texts, and what a control alone can know to be wrong."""

    texts: Texts
    errors: Texts = field(default_factory=dict)
    source: str = ""
    """Where the target comes from, when the texts do not say so yet."""
    notes: tuple[str, ...] = ()
    pasted: str | None = None
    """Own points as they were given, where the text beside the picture does not hold them yet."""

    def after(self, **changes: str | None) -> "Draft":
        """The same with some keys changed."""
        return Draft(patched(self.texts, changes), notes=self.notes)


def edited(draft: Draft, edits: Sequence[Any], service: RunService, client: Client) -> Draft:
    """The settings after all edits, in order; what makes no sense here is passed over."""
    for edit in edits:
        if not isinstance(edit, list | tuple) or len(edit) != 3:
            continue
        kind, name, value = edit
        act = partial(_points, client=client) if kind == "points" else ACTS.get(kind)
        if act is not None and isinstance(name, str):
            draft = act(draft, name, value, service)
    return draft


def _field(draft: Draft, name: str, value: Any, _: RunService) -> Draft:
    key, _colon, end = name.partition(":")
    if key not in _BY_NAME or not isinstance(value, str):
        return draft
    if end:
        low, _comma, high = value_of(key, draft.texts).partition(",")
        value = f"{value},{high}" if end == "low" else f"{low},{value}"
    if key == "target":
        return _formula(draft, value)
    return draft.after(**{key: read_control(_BY_NAME[key], value)})


def _formula(draft: Draft, value: str) -> Draft:
    if not value.strip():
        return replace(
            draft, errors={"target": f"Write a formula in x, such as {EXAMPLE}."}, source="formula"
        )
    return draft.after(target=value.strip(), **dict.fromkeys(OF_DATA))


def _budget(draft: Draft, name: str, value: Any, service: RunService) -> Draft:
    if name not in METHODS or not isinstance(value, str):
        return draft
    limits = service.settings.limits
    budgets = {**budgets_of(draft.texts, limits), name: spelled(value)}
    return Draft(raced(draft.texts, methods_of(draft.texts), budgets, limits))


def _methods(draft: Draft, _: str, value: Any, service: RunService) -> Draft:
    """The methods that are on; the browser sends the chips of both lists."""
    limits = service.settings.limits
    chosen = value if isinstance(value, list) else []
    methods = [method for method in METHODS if method in chosen]
    if not methods:
        return replace(draft, errors={"method": "Select at least one method."})
    return Draft(raced(draft.texts, methods, budgets_of(draft.texts, limits), limits))


def _source(draft: Draft, name: str, value: Any, _: RunService) -> Draft:
    """Another source of the target; `value` is the gallery's choice on screen."""
    now = target_name(draft.texts)
    if name == "gallery":
        return _gallery(draft, name, now if now in TARGETS else value, _)
    if name == "data":
        return replace(draft, errors={"data": TWO_POINTS}, source="data", pasted="")
    # A formula taken over from the gallery keeps the settings that came with it.
    known = TARGETS.get(now)
    text = (known.formula if known else now) or EXAMPLE
    kept = {
        key: draft.texts.get(key, usual) for key, usual in (target_defaults(now) if known else {}).items()
    }
    return draft.after(target=text, **{**kept, **dict.fromkeys(OF_DATA)})


def _gallery(draft: Draft, _: str, value: Any, _service: RunService) -> Draft:
    name = value if value in TARGETS else _BY_NAME["target"].default
    return draft.after(target=name, **dict.fromkeys(OF_DATA))


def _points(draft: Draft, name: str, value: Any, service: RunService, *, client: Client) -> Draft:
    text = value if isinstance(value, str) else ""
    draft = replace(draft, pasted=None if name == "text" else text)
    if not text.strip():
        return replace(draft, errors={"data": TWO_POINTS}, source="data")
    try:
        stored, notes = service.upload(text, client)
    except (FieldError, QueueFullError, StoreError) as error:
        told = error.text if isinstance(error, FieldError) else str(error)
        return replace(draft, errors={"data": told}, source="data")
    points = read_canonical(service.datasets[stored])
    units = needed_units(TrainingData(points.x, points.y))
    own = {"data": f"@{stored}", "units": ",".join(map(format_number, units)) if units else None}
    named = {} if draft.texts.get("data") else dict.fromkeys(("labels", "calendar"))
    changed = draft.after(**own, target=None, **named, **dict.fromkeys(SAMPLED))
    return replace(changed, notes=notes, pasted=draft.pasted)


def _dataset(draft: Draft, _: str, value: Any, _service: RunService) -> Draft:
    """A file that was looked at and accepted: all that it says, and nothing of the last one."""
    told = value if isinstance(value, Mapping) else {}
    texts = {key: told[key] for key in OF_FILE if isinstance(told.get(key), str)}
    if "data" not in texts:
        return draft
    gone = dict.fromkeys((*OF_DATA, *SAMPLED, "target"))
    notes = told.get("notes")
    said = tuple(note for note in notes if isinstance(note, str)) if isinstance(notes, list) else ()
    return replace(draft.after(**{**gone, **texts}), notes=said)


def _preset(draft: Draft, _: str, value: Any, _service: RunService) -> Draft:
    found = [preset for preset in PRESETS if preset.name == value]
    return Draft(texts_of(found[0].query)) if found else draft


def _dice(draft: Draft, _: str, _value: Any, _service: RunService) -> Draft:
    return draft.after(seed=str(secrets.randbelow(SEEDS)))


def _network(draft: Draft, _: str, value: Any, _service: RunService) -> Draft:
    """A network edited by hand, in the data's units, with as many digits as fit into a link."""
    b, c = (_numbers(value.get(key)) for key in "bc") if isinstance(value, Mapping) else ([], [])
    try:
        scale = scale_in(query_of(draft.texts))
    except ValueError:
        scale = PLAIN
    b = [(place - scale.x_origin) / scale.x_unit for place in b]
    c = [slope * scale.x_unit / scale.y_unit for slope in c]
    for digits in DIGITS if b and len(b) == len(c) else ():
        biases, coefficients = (
            ",".join(format_number(float(f"{x:.{digits}g}")) for x in row) for row in (b, c)
        )
        if len(biases) + len(coefficients) < LONGEST:
            return draft.after(biases=biases, coefficients=coefficients, width=None)
    return replace(draft, errors={"query": "So wide a network does not fit into a link."})


def _numbers(value: Any) -> list[float]:
    return [float(x) for x in value if isinstance(x, int | float)] if isinstance(value, list) else []


ACTS: dict[str, Callable[[Draft, str, Any, RunService], Draft]] = {
    "field": _field,
    "budget": _budget,
    "methods": _methods,
    "source": _source,
    "gallery": _gallery,
    "preset": _preset,
    "dice": _dice,
    "network": _network,
    "dataset": _dataset,
}
