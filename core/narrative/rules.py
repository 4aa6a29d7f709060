"""A sentence and the condition under which it is true, side by side.

Everything that a run is said to do is a `Saying` about a *scene*, the facts that sentences
speak of. Sayings are read from the top and the first whose condition holds is told, so that the last
one always holds. The tests go through thousands of scenes with their own reading of every condition.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import Any, Generic, TypeVar

Scene = TypeVar("Scene")


@dataclass(frozen=True)
class Saying(Generic[Scene]):
    """A template whose {names} are facts of the scene, and when it is true."""

    name: str
    template: str
    holds: Callable[[Scene], bool]

    def told(self, scene: Scene) -> str:
        """The sentence, with the facts of the scene; {loss} and {excess} may be facts of a later moment."""
        return _Facts().vformat(self.template, (), {"scene": scene})


class _Facts(Formatter):
    """Looks names up in the scene."""

    def get_value(self, key: int | str, args: Sequence[Any], kwargs: Any) -> Any:  # noqa: ARG002
        return getattr(kwargs["scene"], str(key))


def always(scene: object) -> bool:  # noqa: ARG001
    """The condition of what is true of every scene."""
    return True


def first_true(sayings: Sequence[Saying[Scene]], scene: Scene) -> Saying[Scene]:
    """The first saying that holds."""
    return next(saying for saying in sayings if saying.holds(scene))
