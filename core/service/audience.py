"""Who follows a presenter, and what they predict."""

from collections.abc import Mapping

from .accounts import Client
from .presence import Presence


class Audience:
    """The followers of all presentations; nobody is known by name."""

    def __init__(self, presence: Presence) -> None:
        self._presence = presence

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
