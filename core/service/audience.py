"""Who follows a presenter, and what they predict."""

from collections.abc import Mapping

from .accounts import Client
from .presence import Presence


class Audience:
    """The followers of all rooms; nobody is known by name."""

    def __init__(self, presence: Presence) -> None:
        self._presence = presence

    def attend(self, room: str, client: Client | None) -> None:
        """Somebody follows the presenter of a room."""
        if client is not None:
            self._presence.touch(f"room {room}", client.viewer)

    def followers(self, room: str) -> int:
        """How many follow the presenter of a room."""
        return self._presence.watching(f"room {room}")

    def answer(self, room: str, question: str, viewer: str, option: int) -> None:
        """A prediction from the audience of a room."""
        self._presence.answer(f"{room} {question}", viewer, option)

    def answers(self, room: str, question: str) -> Mapping[int, int]:
        """How many of the audience have chosen each option of a question."""
        return self._presence.answers(f"{room} {question}")
