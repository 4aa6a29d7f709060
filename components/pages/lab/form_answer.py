"""One question of the page, one answer: the settings after what a hand did, what they mean, and the runs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from components.common.comparison import ALSO
from components.common.settings import Texts, query_of, texts_of
from components.common.view import DEFAULT_QUERY, split_query
from components.pages.lab.edits import Draft, edited
from components.pages.lab.resolve import resolve
from components.pages.lab.starting import run_asked
from components.panels import PANELS
from core.config import FIELDS, field_names
from core.service import Client, RunService

_TOLD = ("canonical", "runs", "seconds", "instant")
"""What the browser must know of the meaning of a link: whether it is on screen, and what it would cost."""


@dataclass
class Answer:
    """What a question came to."""

    draft: Draft
    cause: str
    """A link was opened, a control changed, a draft is typed; or a button: run, continue, stop."""
    found: Mapping[str, Any]
    """See components.pages.lab.resolve."""
    told: dict[str, Any] = field(default_factory=dict)
    """What goes to the browser beside the controls."""
    ignored: tuple[str, ...] = ()
    """What of the link means nothing here: mailers and chats append keys of their own, a panel has another
    name."""

    @property
    def errors(self) -> Texts:
        """One message a field: of the control itself, or of the codec."""
        placed = {entry["field"]: entry["error"] for entry in reversed(self.found["errors"])}
        return {**placed, **self.draft.errors}

    @property
    def texts(self) -> Texts:
        """The settings, in the codec's spelling where they can be read."""
        return texts_of(self.found["canonical"]) if "canonical" in self.found else self.draft.texts

    @property
    def way_out(self) -> str:
        """The same settings without those that are wrong."""
        wrong = {*self.errors, *((ALSO,) if "query" in self.errors else ())}
        kept = {name: text for name, text in self.texts.items() if name not in wrong}
        return query_of(kept) or DEFAULT_QUERY

    @property
    def refusal(self) -> str:
        """What is wrong, each message with the name of its field."""
        labels = {spec.name: spec.label for spec in FIELDS}
        named = [f"{labels[name]}: {text}" if name in labels else text for name, text in self.errors.items()]
        return f"These settings cannot be run. {' '.join(_sentence(text) for text in named)}" if named else ""


def _sentence(text: str) -> str:
    return text if text.endswith((".", "?")) else f"{text}."


def answer_to(ask: Mapping[str, Any], service: RunService, client: Client) -> Answer:
    """Apply the edits, say what they mean, and do what was asked."""
    cause = str(ask.get("cause"))
    config, ignored = recognised(str(ask.get("config", "")))
    ignored += unknown_panels(str(ask.get("view", "")))
    edits = ask.get("edits") or []
    draft = edited(Draft(texts_of(config)), edits, service, client)
    # A link that nobody has touched is judged as it was written, with a repeated key if it has one.
    query = query_of(draft.texts) if edits else config
    view = "" if cause == "draft" else str(ask.get("view", ""))
    found: Mapping[str, Any] = resolve(f"{query}&{view}", service, client.quota, measured=cause != "draft")
    answer = Answer(draft, "draft" if draft.errors else cause, found, ignored=ignored)
    if cause != "draft" and not answer.errors:
        found, told = run_asked(cause, found, service, client)
        answer = Answer(draft, cause, found, told, ignored)
    answer.told |= {key: found[key] for key in _TOLD if key in found}
    errors = [{"field": name, "error": text} for name, text in answer.errors.items()]
    answer.told["refusal"] = answer.refusal
    answer.told |= {"version": ask.get("version"), "cause": answer.cause, "config": query, "errors": errors}
    return answer


def unknown_panels(view: str) -> tuple[str, ...]:
    """Panels that a link asks for and that are not here."""
    try:
        _, asked = split_query(view)
    except ValueError:
        return ()
    return tuple(f"the panel {name}" for name in asked.panels if name not in PANELS)


def recognised(config: str) -> tuple[str, tuple[str, ...]]:
    """The part of a link that the codec is to judge, and the keys that it does not know."""
    known, ignored = {*field_names(), ALSO}, []
    kept = []
    for pair in config.split("&"):
        key = unquote(pair.partition("=")[0])
        if not pair or key in known:
            kept.append(pair)
        else:
            ignored.append(key)
    return "&".join(kept), tuple(dict.fromkeys(ignored))
