"""A sentence and the condition under which it is true, side by side.

Everything that the program writes about a run is a `SentenceRule` about its facts. Rules are read from the
top, and the first whose condition holds gives the sentence, so that the last one always holds. The tests go
through thousands of moments with their own reading of every condition, and every template for its length.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import Any, Generic, TypeVar

Facts = TypeVar("Facts")


@dataclass(frozen=True)
class SentenceRule(Generic[Facts]):
    """A template whose {names} are attributes of the facts, and when it is true."""

    name: str
    template: str
    holds: Callable[[Facts], bool]

    def sentence(self, facts: Facts) -> str:
        """The sentence; {loss} and {excess} may stay open, to be filled in for a moment."""
        return filled_in(self.template, facts)


def filled_in(template: str, facts: object) -> str:
    """A template with the attributes of the facts in the places of their names."""
    return _Names().vformat(template, (), {"facts": facts})


class _Names(Formatter):
    """Looks names up in the facts."""

    def get_value(self, key: int | str, args: Sequence[Any], kwargs: Any) -> Any:  # noqa: ARG002
        return getattr(kwargs["facts"], str(key))


def always(facts: object) -> bool:  # noqa: ARG001
    """The condition of what is always true."""
    return True


def first_true(rules: Sequence[SentenceRule[Facts]], facts: Facts) -> SentenceRule[Facts]:
    """The first rule that holds."""
    return next(rule for rule in rules if rule.holds(facts))
