"""One question of the page, one answer: the settings after what a hand did, what they mean, and the runs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from components.edits import Draft, edited
from components.resolve import resolve
from components.settings import Texts, query_of, texts_of
from components.starting import run_asked
from core.service import Client, RunService

_TOLD = ("canonical", "runs", "seconds")
"""What the browser must know of the meaning of a link: whether it is on screen, and what it would cost."""


@dataclass
class Answer:
    """What a question came to."""

    draft: Draft
    cause: str
    """A link was opened, a control changed, a draft is typed; or a button: run, continue, stop."""
    found: Mapping[str, Any]
    """See components.resolve."""
    told: dict[str, Any] = field(default_factory=dict)
    """What goes to the browser beside the controls."""

    @property
    def errors(self) -> Texts:
        """One message a field: of the control itself, or of the codec."""
        placed = {entry["field"]: entry["error"] for entry in reversed(self.found["errors"])}
        return {**placed, **self.draft.errors}

    @property
    def texts(self) -> Texts:
        """The settings, in the codec's spelling where they can be read."""
        return texts_of(self.found["canonical"]) if "canonical" in self.found else self.draft.texts


def answer_to(ask: Mapping[str, Any], service: RunService, client: Client) -> Answer:
    """Apply the edits, say what they mean, and do what was asked."""
    cause, config = str(ask.get("cause")), str(ask.get("config", ""))
    edits = ask.get("edits") or []
    draft = edited(Draft(texts_of(config)), edits, service)
    # A link that nobody has touched is judged as it was written, with a repeated key if it has one.
    query = query_of(draft.texts) if edits else config
    view = "" if cause == "draft" else str(ask.get("view", ""))
    found: Mapping[str, Any] = resolve(f"{query}&{view}", service, measured=cause != "draft")
    answer = Answer(draft, "draft" if draft.errors else cause, found)
    if cause != "draft" and not answer.errors:
        found, told = run_asked(cause, found, service, client)
        answer = Answer(draft, cause, found, told)
    answer.told |= {key: found[key] for key in _TOLD if key in found}
    errors = [{"field": name, "error": text} for name, text in answer.errors.items()]
    answer.told |= {"serial": ask.get("serial"), "cause": answer.cause, "config": query, "errors": errors}
    return answer
