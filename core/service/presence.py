"""Who is watching what, and what presenters show. Kept only for a while."""

import time
from collections import Counter
from collections.abc import Mapping
from typing import Protocol

from .accounts import Client
from .people import MemoryPeople, People

WATCHING_SECONDS = 10.0
"""A viewer that has not asked for so long is gone."""
PRESENTATION_SECONDS = 6 * 3_600.0
"""A presenter who has said nothing for so long has gone home."""
ANSWERS_SECONDS = 3_600.0
"""What an audience answered is forgotten after the hour."""
_LARGEST = 10_000


class Presence(Protocol):
    """Shared between all web processes of one installation."""

    people: People
    """Which browsers are here."""

    def touch(self, run_id: str, viewer: str) -> None:
        """A viewer has just asked for this run."""

    def watching(self, run_id: str) -> int:
        """Viewers within the last seconds."""

    def idle(self, run_id: str) -> float:
        """Seconds since anybody asked for the run (since the start of the server at most)."""

    def publish(self, presentation: str, document: str) -> None:
        """What a presenter shows now; takes the place of what was said before."""

    def published(self, presentation: str) -> str | None:
        """What a presenter shows."""

    def presentations(self) -> list[str]:
        """Presentations that are under way."""

    def answer(self, question: str, viewer: str, option: int) -> None:
        """Somebody's prediction; the last one counts. `question` names the presentation, too."""

    def answers(self, question: str) -> Mapping[int, int]:
        """How many have chosen each option; nobody is told who."""

    def close(self) -> None:
        """Write what is kept in memory alone, as far as it shall last."""
        return


class MemoryPresence(Presence):
    """For one web process. A single dictionary operation needs no lock."""

    def __init__(self) -> None:
        self._viewers: dict[str, dict[str, float]] = {}
        self._seen: dict[str, float] = {}
        self._presentations: dict[str, tuple[float, str]] = {}
        self._answers: dict[str, tuple[float, dict[str, int]]] = {}
        self._start = time.monotonic()
        self.people: People = MemoryPeople()

    def touch(self, run_id: str, viewer: str) -> None:
        now = time.monotonic()
        if len(self._seen) > _LARGEST:
            self._forget(now)
        self._seen[run_id] = now
        self._viewers.setdefault(run_id, {})[viewer] = now

    def watching(self, run_id: str) -> int:
        viewers = self._viewers.get(run_id, {})
        limit = time.monotonic() - WATCHING_SECONDS
        for viewer, seen in list(viewers.items()):
            if seen < limit:
                viewers.pop(viewer, None)
        return len(viewers)

    def idle(self, run_id: str) -> float:
        return time.monotonic() - self._seen.get(run_id, self._start)

    def publish(self, presentation: str, document: str) -> None:
        self._presentations.pop(presentation, None)
        while len(self._presentations) >= _LARGEST:
            # The longest silent one alone: a flood of new presentations must not close them all.
            self._presentations.pop(next(iter(self._presentations)), None)
        self._presentations[presentation] = time.monotonic(), document

    def published(self, presentation: str) -> str | None:
        stamp, document = self._presentations.get(presentation, (-PRESENTATION_SECONDS, ""))
        return document if time.monotonic() - stamp < PRESENTATION_SECONDS and document else None

    def presentations(self) -> list[str]:
        return [presentation for presentation in list(self._presentations) if self.published(presentation)]

    def answer(self, question: str, viewer: str, option: int) -> None:
        now = time.monotonic()
        if len(self._answers) > _LARGEST:
            self._answers.clear()
        stamp, chosen = self._answers.get(question, (now, {}))
        if now - stamp > ANSWERS_SECONDS:
            stamp, chosen = now, {}
        if viewer in chosen or len(chosen) < _LARGEST:
            chosen[viewer] = option
        self._answers[question] = stamp, chosen

    def answers(self, question: str) -> Mapping[int, int]:
        stamp, chosen = self._answers.get(question, (0.0, {}))
        return Counter(list(chosen.values())) if time.monotonic() - stamp < ANSWERS_SECONDS else {}

    def _forget(self, now: float) -> None:
        for run_id, seen in list(self._seen.items()):
            if now - seen > WATCHING_SECONDS:
                self._seen.pop(run_id, None)
                self._viewers.pop(run_id, None)


class Presentations:
    """What presenters show, who follows them, and what those predict; nobody is known by name."""

    def __init__(self, presence: Presence) -> None:
        self._presence = presence
        self.publish = presence.publish
        self.published = presence.published
        self.names = presence.presentations

    def attend(self, presentation: str, client: Client | None) -> None:
        """Somebody follows a presenter."""
        if client is not None:
            self._presence.touch(f"presentation {presentation}", client.viewer)

    def followers(self, presentation: str) -> int:
        """How many follow a presenter."""
        return self._presence.watching(f"presentation {presentation}")

    def answer(self, presentation: str, question: str, viewer: str, option: int) -> None:
        """A prediction from the audience of a presentation."""
        self._presence.answer(f"{presentation} {question}", viewer, option)

    def answers(self, presentation: str, question: str) -> Mapping[int, int]:
        """How many of the audience have chosen each option of a question."""
        return self._presence.answers(f"{presentation} {question}")
