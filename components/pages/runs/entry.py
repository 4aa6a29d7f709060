"""One entry of the page /runs: how its run stands, what tells it apart, and what can be done with it."""

import time

from dash import dcc, html

from components.common.run_styles import plain_title
from components.common.settings import Texts, budgets_of, methods_of, spelled, texts_of, value_of
from components.figures.thumbnail import HEIGHT, WIDTH
from core.config import FIELDS
from core.methods import METHODS
from core.narrative import number
from core.problem import TARGETS
from core.service import MAX_TAGS, NAME_LENGTH, NOTE_LENGTH, TAG_LENGTH, HistoryEntry, RunInfo
from core.spelling import read_number

SEARCH_LENGTH = 80
_STATES = {"queued": "waiting", "running": "computing", "paused": "paused", "finished": "finished"}
_STATES |= {"stopped": "stopped", "failed": "failed"}
_NUMBERS = frozenset(spec.name for spec in FIELDS if spec.kind in ("int", "float"))
_KEYS = {
    word: spec.name
    for spec in FIELDS
    for word in (spec.name, spec.name.replace("_", " "), spec.label.lower(), spec.symbol.lower())
    if word
}
"""What a setting may be called in a search."""


def title_of(entry: HistoryEntry) -> str:
    """What an entry is called."""
    return entry.name or plain_title(entry.query)


def stands(info: RunInfo | None) -> str:
    """How a run stands, in words."""
    if info is None:
        return "not kept here, computed again when it is opened"
    state = "diverged" if info.outcome == "diverged" else _STATES[info.status]
    if info.loss is not None:
        return f"{state}, loss {number(info.loss)}"
    if info.reason and info.status in ("queued", "running"):
        return f"{state} ({info.reason[0].lower()}{info.reason[1:].rstrip('.')})"
    if info.position:
        return f"{state}, {info.position} before it"
    return state


def settings_of(query: str) -> Texts:
    """Every setting of a run, also those that its link leaves out because they are usual."""
    texts = texts_of(query)
    method = next(iter(methods_of(texts)), "")
    found = {
        spec.name: value_of(spec.name, texts)
        for spec in FIELDS
        if spec.name != "epochs" and (not spec.methods or method in spec.methods)
    }
    own = texts.get("biases", "")
    return found | {
        "width": str(len(own.split(","))) if own else found["width"],
        "epochs": budgets_of(texts).get(method, ""),
    }


def matches(entry: HistoryEntry, search: str) -> bool:
    """Whether an entry has every setting that a search names, as in "width 10", and every other word."""
    words = search.lower().replace("=", " ").split()
    if not words:
        return True
    parts = (entry.name, entry.note, *entry.tags, entry.query, plain_title(entry.query))
    told, settings = " ".join(parts).lower(), settings_of(entry.query)
    typed = " ".join(parts[:-2]).lower()
    while words:
        size = next((size for size in (2, 1) if " ".join(words[:size]) in _KEYS and len(words) > size), 0)
        phrase, words = words[: size + 1], words[size + 1 :]
        if size and _is(settings, _KEYS[" ".join(phrase[:-1])], phrase[-1]):
            continue
        if " ".join(phrase) not in (typed if size else told):
            return False
    return True


def _is(settings: Texts, key: str, wanted: str) -> bool:
    """Whether a setting has this value: a number however it is written, a name or a part of a title."""
    value = settings.get(key, "")
    if key in _NUMBERS:
        return bool(value) and _number(value) == _number(wanted)
    title = ""
    if key == "method" and value in METHODS:
        title = METHODS[value].title
    elif key == "target" and value in TARGETS:
        title = TARGETS[value].title
    return wanted == value.lower() or wanted in title.lower().split()


def _number(text: str) -> float | str:
    try:
        return read_number(spelled(text))
    except ValueError:
        return text


def button_id(what: str, run: str) -> dict[str, str]:
    """The id of a button of an entry."""
    return {"type": "runs-do", "do": what, "run": run}


def field_id(field: str, run: str) -> dict[str, str]:
    """The id of a field of the form that names an entry."""
    return {"type": "runs-field", "field": field, "run": run}


def entry_item(
    entry: HistoryEntry,
    info: RunInfo | None,
    *,
    decades: int,
    is_selected: bool,
    is_edited: bool,
    can_stop: bool = False,
) -> html.Li:
    """The entry; a picture is asked for only where there is something to draw."""
    title, settings = title_of(entry), settings_of(entry.query)
    day = html.Time(time.strftime("%Y-%m-%d %H:%M", time.gmtime(entry.at)) + " UTC")
    epochs = number(float(settings["epochs"])) if settings["epochs"] else "no"
    told = plain_title(entry.query)
    sizes = [f"{key} {settings[key]}" for key in ("width", "seed")]
    usual = [*(size for size in sizes if size not in told.split(", ")), f"{epochs} epochs", stands(info), day]
    parts = [part for fact in usual for part in (" · ", html.Span(fact, className="runs-fact"))]
    return html.Li(
        [
            # Dash's own checklist is a list box around checkboxes, which screen readers cannot tell apart.
            html.Button(
                _hidden(f"Compare {title}"),
                id={"type": "runs-select", "run": entry.id},
                role="checkbox",
                type="button",
                className="runs-select",
                **{"aria-checked": "true" if is_selected else "false"},
            ),
            html.A(
                html.Img(src=f"/runs/{entry.id}.svg?decades={decades}", alt="", width=WIDTH, height=HEIGHT)
                if info and info.frames
                else "",
                href=f"/?{entry.query}",
                className="runs-picture",
                tabIndex=-1,
                **{"aria-hidden": "true"},
            ),
            html.Div(
                [
                    html.A(title, href=f"/?{entry.query}", className="runs-title"),
                    html.Span([html.Span(tag, className="runs-tag") for tag in entry.tags]),
                    html.Span(told if entry.name else "", className="note"),
                    html.Span(parts[1:], className="note"),
                    html.P(entry.note, className="runs-note") if entry.note else None,
                ],
                className="runs-text",
            ),
            _buttons(entry, title, can_stop=can_stop),
            _naming(entry) if is_edited else None,
        ],
        id=f"run-{entry.id}",
        tabIndex=-1,
        className="pinned" if entry.pinned else None,
    )


def _hidden(text: str) -> html.Span:
    return html.Span(text, className="visually-hidden")


def _buttons(entry: HistoryEntry, title: str, *, can_stop: bool) -> html.Div:
    stop = (("stop", "Stop"),) if can_stop else ()
    pin = ("unpin", "Unpin") if entry.pinned else ("pin", "Pin")
    return html.Div(
        [
            html.Button(
                [text, _hidden(f" {title}")],
                id=button_id(what, entry.id),
                className="button",
                type="button",
            )
            for what, text in (*stop, pin, ("rename", "Rename"), ("delete", "Delete"))
        ],
        className="runs-buttons",
    )


def _naming(entry: HistoryEntry) -> html.Div:
    """Name, tags and note, to be changed."""
    tags = f"Tags, up to {MAX_TAGS}, separated by commas"
    fields = (
        ("name", "Name", entry.name, NAME_LENGTH),
        ("tags", tags, ", ".join(entry.tags), MAX_TAGS * (TAG_LENGTH + 2) - 2),
        ("note", "Note", entry.note, NOTE_LENGTH),
    )
    return html.Div(
        [
            *(
                html.Label(
                    [
                        text,
                        dcc.Input(id=field_id(name, entry.id), type="text", value=value, maxLength=length),
                    ]
                )
                for name, text, value, length in fields
            ),
            html.Div(
                [
                    html.Button(
                        "Save",
                        id=button_id("save", entry.id),
                        className="button primary",
                        type="button",
                    ),
                    html.Button(
                        "Cancel", id=button_id("cancel", entry.id), className="button", type="button"
                    ),
                ],
                className="runs-buttons",
            ),
        ],
        className="runs-form",
    )
