"""The view half of a link: what is on screen, as opposed to what is computed.

A link holds two things: the run configuration, which names a computation and is
read by `core.config`, and the view, which says how somebody looked at it. Both
live in one query string, so the keys must never collide and the view keys have
to be taken off before a configuration is read (it refuses keys it does not know).

| key      | values                          | meaning                                             |
|----------|---------------------------------|-----------------------------------------------------|
| panels   | comma list of panel names       | the panels on screen, in order                      |
| tab      | panel name                      | which of the panels that share a tile is in front   |
| enlarged | panel name                      | this panel fills the whole grid                     |
| xaxis    | epoch, seconds, gradients, solves | what the horizontal axis of the histories counts  |
| zoom     | two numbers, 10,1e5             | the part of that axis that is looked at             |
| at       | a number >= 0                   | the moment, as an epoch; absent: the latest frame   |
| neuron   | 1, 2, ...                       | the selected neuron, counted from 1                 |
| focus    | name of a method or a run       | whose pictures the one-run panels show              |
| previous | run id                          | the run whose curve stays, in grey: the parent      |
| stages   | 1                               | the stage table is open                             |
| theme    | light, dark                     | overrides the reader's own choice                   |
| present  | 1                               | present mode                                        |
| embed    | 1                               | embedded in another page                            |
| lesson   | lesson name                     | the guided lesson beside the panels                 |
| step     | 1, 2, ...                       | the step of the lesson                              |
| highlight| comma list of panel names       | panels with a frame that says: look here            |
| controls | 0, 1                            | 0: without the settings; 1: with them in a lesson   |
| forecast | 0, 1                            | 1: say what comes next; absent: but in a lesson     |
| follow   | 16 hexadecimal digits           | the presenter whose moment is followed              |
"""

import math
import re
from dataclasses import dataclass, fields
from urllib.parse import quote, unquote

from core.config import FORMER_VIEW_KEYS
from core.spelling import format_number, read_number

TIMES: dict[str, tuple[str, str]] = {
    "epoch": ("epochs", "epoch k"),
    "seconds": ("seconds", "seconds"),
    "gradients": ("gradients", "gradient evaluations"),
    "solves": ("solves", "least-squares solves"),
}
"""What the time axis of the histories can count, a column of the frames each: in the list, as a title."""
THEMES = ("light", "dark")
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}", re.ASCII)


@dataclass(frozen=True)
class View:
    """One way of looking at a race; every field is a query key, every default is left out of a link."""

    panels: tuple[str, ...] = ()
    tab: str = ""
    enlarged: str = ""
    xaxis: str = "epoch"
    zoom: tuple[float, ...] = ()
    at: float | None = None
    neuron: int | None = None
    focus: str = ""
    previous: str = ""
    stages: bool = False
    theme: str = ""
    present: bool = False
    embed: bool = False
    lesson: str = ""
    step: int | None = None
    highlight: tuple[str, ...] = ()
    controls: str = ""
    forecast: str = ""
    follow: str = ""


DEFAULT_VIEW = View()
VIEW_KEYS = frozenset(field.name for field in fields(View))
DEFAULT_QUERY = "target=f1"
"""What a link says whose settings are all the defaults: one without any means the first visit."""


def split_query(query: str) -> tuple[str, View]:
    """Take the view keys off a query: the rest, untouched, is the configuration."""
    config: list[str] = []
    view: dict[str, str] = {}
    for pair in query.lstrip("?").split("&"):
        key, _, value = pair.partition("=")
        name = FORMER_VIEW_KEYS.get(unquote(key), unquote(key))
        if name in VIEW_KEYS:
            view[name] = unquote(value)
        elif pair:
            config.append(pair)
    return "&".join(config), view_from_pairs(view)


def join_query(config_query: str, view: View) -> str:
    """One canonical query: the keys of both halves together, sorted, defaults left out."""
    pairs = [pair for pair in config_query.split("&") if pair]
    pairs += [f"{key}={quote(value, safe=',')}" for key, value in view_pairs(view).items()]
    return "&".join(sorted(pairs))


def view_pairs(view: View) -> dict[str, str]:
    """The keys of a view that differ from the default, as text."""
    texts: dict[str, str] = {}
    for field in fields(View):
        value = getattr(view, field.name)
        if value == field.default:
            continue
        if isinstance(value, bool):
            texts[field.name] = "1"
        elif isinstance(value, tuple):
            texts[field.name] = ",".join(moment_text(x) if isinstance(x, float) else x for x in value)
        elif isinstance(value, float):
            texts[field.name] = moment_text(value)
        else:
            texts[field.name] = str(value)
    return texts


def default_texts() -> dict[str, str]:
    """Every key of a view, and what it says where it is left out."""
    return {field.name: field.default if isinstance(field.default, str) else "" for field in fields(View)}


def view_from_pairs(pairs: dict[str, str]) -> View:
    """Read a view; a value that means nothing is refused with the ones that would."""
    return View(
        panels=tuple(_name("panels", name) for name in _listed(pairs.get("panels", ""))),
        tab=_name("tab", pairs.get("tab", "")),
        enlarged=_name("enlarged", pairs.get("enlarged", "")),
        xaxis=_choice("xaxis", pairs.get("xaxis", "epoch"), tuple(TIMES)),
        zoom=_window(pairs.get("zoom", "")),
        at=_moment(pairs.get("at", "")),
        neuron=_count("neuron", pairs.get("neuron", "")),
        focus=_name("focus", pairs.get("focus", "")),
        previous=_name("previous", pairs.get("previous", "")),
        stages=_switch("stages", pairs.get("stages", "")),
        theme=_choice("theme", pairs.get("theme", ""), ("", *THEMES)),
        present=_switch("present", pairs.get("present", "")),
        embed=_switch("embed", pairs.get("embed", "")),
        lesson=_name("lesson", pairs.get("lesson", "")),
        step=_count("step", pairs.get("step", "")),
        highlight=tuple(_name("highlight", name) for name in _listed(pairs.get("highlight", ""))),
        controls=_choice("controls", pairs.get("controls", ""), ("", "0", "1")),
        forecast=_choice("forecast", pairs.get("forecast", ""), ("", "0", "1")),
        follow=_name("follow", pairs.get("follow", "")),
    )


def moment_text(epoch: float) -> str:
    """Seven digits tell any two frames apart, and keep the link short."""
    return format_number(float(f"{epoch:.7g}"))


def _listed(text: str) -> list[str]:
    return [name for name in text.split(",") if name]


def _name(key: str, text: str) -> str:
    if text and not _NAME.fullmatch(text):
        raise ValueError(f"{key} = {text[:40]!r}: a name of lower-case letters, digits, _ and - is allowed")
    return text


def _choice(key: str, text: str, choices: tuple[str, ...]) -> str:
    if text not in choices:
        raise ValueError(f"{key} = {text[:40]!r}: one of {', '.join(filter(None, choices))} is allowed")
    return text


def _switch(key: str, text: str) -> bool:
    return _choice(key, text, ("", "0", "1")) == "1"


def _count(key: str, text: str) -> int | None:
    if not text:
        return None
    if not re.fullmatch(r"[1-9][0-9]{0,5}", text, re.ASCII):
        raise ValueError(f"{key} = {text[:40]!r}: a whole number from 1 to 999999 is allowed")
    return int(text)


def _moment(text: str) -> float | None:
    if not text:
        return None
    try:
        epoch = read_number(text)
    except ValueError:
        epoch = math.nan
    if not epoch >= 0:
        raise ValueError(f"at = {text[:40]!r}: an epoch, a number from 0 on, is allowed")
    return epoch


def _window(text: str) -> tuple[float, ...]:
    if not text:
        return ()
    try:
        low, high = (read_number(part) for part in text.split(","))
    except ValueError:
        low = high = math.nan
    if not 0 < low < high < math.inf:
        raise ValueError(f"zoom = {text[:40]!r}: two positive numbers, the smaller first, are allowed")
    return low, high
