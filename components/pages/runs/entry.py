"""One entry of the page /runs: how its run stands, what tells it apart, and what can be done with it."""

import time
from typing import Any, NamedTuple
from urllib.parse import urlencode

from dash import html

from components.common.native import Input
from components.common.run_styles import plain_title
from components.common.settings import Texts, budgets_of, methods_of, spelled, texts_of, value_of
from core.config import FIELDS
from core.methods import METHODS
from core.narrative import number
from core.problem import TARGETS
from core.service import MAX_TAGS, NAME_LENGTH, NOTE_LENGTH, TAG_LENGTH, HistoryEntry, RunInfo
from core.spelling import read_number

BUTTON = {"className": "button", "type": "submit"}
TICKS = "compare"
"""The form of all ticks; what changes an entry is sent with it, so that they stay."""
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


class Place(NamedTuple):
    """Where somebody is in the list, for the way back to it."""

    search: str = ""
    first: int = 0
    ticked: frozenset[str] = frozenset()

    def link(self, entry: str = "", **more: Any) -> str:
        """The page there; with an entry, at that entry."""
        pairs = {"q": self.search, "from": self.first or "", **more}
        query = urlencode([(key, value) for key, value in pairs.items() if value])
        ticks = urlencode([("run", run) for run in sorted(self.ticked)])
        told = "&".join(filter(None, (query, ticks)))
        return "/runs" + (f"?{told}" if told else "") + (f"#run-{entry}" if entry else "")

    def hidden(self) -> list[Input]:
        """The same, as a part of a form."""
        pairs = [("q", self.search), ("from", str(self.first or ""))]
        pairs += [("run", run) for run in sorted(self.ticked)]
        return [Input(type="hidden", name=name, value=value) for name, value in pairs if value]


def label(text: str) -> dict[str, str]:
    """The name of a control that shows another text, or none."""
    return {"aria-label": text}


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


def entry_item(entry: HistoryEntry, info: RunInfo | None, place: Place) -> html.Li:
    """The entry; a picture is asked for only where there is something to draw."""
    title, settings = title_of(entry), settings_of(entry.query)
    day = html.Time(time.strftime("%Y-%m-%d %H:%M", time.gmtime(entry.at)) + " UTC")
    epochs = number(float(settings["epochs"])) if settings["epochs"] else "no"
    usual = f"width {settings['width']} · seed {settings['seed']} · {epochs} epochs"
    return html.Li(
        [
            Input(
                type="checkbox",
                name="run",
                value=entry.id,
                form=TICKS,
                checked=entry.id in place.ticked,
                **label(f"Compare {title}"),
            ),
            html.A(
                html.Img(src=f"/runs/{entry.id}.svg", alt="") if info and info.frames else "",
                href=f"/?{entry.query}",
                className="runs-picture",
                tabIndex=-1,
                **{"aria-hidden": "true"},
            ),
            html.Div(
                [
                    html.A(title, href=f"/?{entry.query}", className="runs-title"),
                    html.Span([html.Span(tag, className="runs-tag") for tag in entry.tags]),
                    html.Span(plain_title(entry.query) if entry.name else "", className="note"),
                    html.Span([f"{usual} · {stands(info)} · ", day], className="note"),
                    html.P(entry.note, className="runs-note") if entry.note else None,
                ],
                className="runs-text",
            ),
            _tools(entry, title, place),
        ],
        id=f"run-{entry.id}",
        tabIndex=-1,
        className="pinned" if entry.pinned else None,
    )


def _tools(entry: HistoryEntry, title: str, place: Place) -> html.Div:
    pin = ("unpin", "Unpin") if entry.pinned else ("pin", "Pin")
    sent = {**BUTTON, "name": "do", "form": TICKS, "formMethod": "post", "formAction": f"/runs/{entry.id}"}
    return html.Div(
        [
            html.Div(
                [
                    html.Button(pin[1], value=pin[0], **sent, **label(f"{pin[1]} {title}")),
                    html.Button("Delete", value="delete", **sent, **label(f"Delete {title} from this list")),
                ],
                className="runs-buttons",
            ),
            html.Details([html.Summary("Rename", **label(f"Rename {title}")), _naming(entry, place)]),
        ],
        className="runs-side",
    )


def _naming(entry: HistoryEntry, place: Place) -> html.Form:
    tags = f"Up to {MAX_TAGS} tags of {TAG_LENGTH} letters, parted by commas"
    fields = (
        ("name", "Name", entry.name, NAME_LENGTH),
        ("tags", tags, ", ".join(entry.tags), MAX_TAGS * (TAG_LENGTH + 2) - 2),
        ("note", "Note", entry.note, NOTE_LENGTH),
    )
    return html.Form(
        [
            *place.hidden(),
            *(
                html.Label([text, Input(type="text", name=name, value=value, maxLength=length)])
                for name, text, value, length in fields
            ),
            html.Button("Save", name="do", value="save", **BUTTON),
        ],
        method="post",
        action=f"/runs/{entry.id}",
        className="runs-form",
    )
