"""One declaration per query key: it drives the codec, the validation and the page's controls alike."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from ..limits import LIMITS, Limits
from ..problem.data import LARGEST_VALUE, TrainingData
from ..spelling import FieldError, format_number, near_miss, read_number, shorten

Kind = Literal["int", "float", "choice", "text", "list", "domain"]
Group = Literal["Target", "Data", "Network", "Method", "Budget"]

SHORTEST_DOMAIN = 1e-6
"""Relative to the larger end, so that thousands of distinct floats fit between the ends."""


@dataclass(frozen=True)
class FieldSpec:
    """A query key: how it is read, written, bounded, and explained to people."""

    name: str
    kind: Kind
    default: Any
    """None where it depends on another field (on the method, for epochs)."""
    label: str
    symbol: str
    help: str
    group: Group
    low: float = 0.0
    high: float = LARGEST_VALUE
    limit: str = ""
    """Name of the entry of `Limits` that bounds the value, where one does."""
    log: bool = False
    choices: tuple[str, ...] = ()
    """For kind `text`: suggestions; for kind `choice`: all that is allowed."""
    methods: tuple[str, ...] = ()
    """The methods that have this hyper-parameter; empty for the fields of the problem."""
    later: bool = False
    """It came when runs had names already: where it has its default it has no part in them."""
    changed_data: Callable[[TrainingData, Any], TrainingData] | None = None
    """Of a setting that changes the data: from the data, and its value, to other data."""

    def highest(self, limits: Limits = LIMITS) -> float:
        """The largest allowed value under these limits."""
        return float(getattr(limits, self.limit)) if self.limit else self.high

    def allowed(self, limits: Limits = LIMITS) -> str:
        """The allowed values in words."""
        if self.kind == "choice":
            return ", ".join(self.choices)
        low, high = format_number(self.low), format_number(self.highest(limits))
        if self.kind == "int":
            return f"whole numbers from {int(self.low)} to {int(self.highest(limits))}"
        if self.kind == "domain":
            return f"two ascending numbers from {low} to {high}, such as -1,1"
        if self.kind == "list":
            return f"a comma list of numbers from {low} to {high}"
        return f"numbers from {low} to {high}"

    def read(self, text: str, limits: Limits = LIMITS) -> Any:
        """The value that a query text means; ValueError naming key, value and range."""
        if self.kind == "text":
            return text
        if self.kind == "choice":
            if text not in self.choices:
                raise self.error(text, limits)
            return text
        if self.kind in ("int", "float"):
            value = self.number(text, limits)
            if self.kind == "int" and value != int(value):
                raise self.error(text, limits)
            return int(value) if self.kind == "int" else value
        values = tuple(self.number(part, limits) for part in text.split(","))
        if self.kind == "domain":
            if len(values) != 2:
                raise self.error(text, limits)
            shortest = SHORTEST_DOMAIN * max(1.0, abs(values[0]), abs(values[1]))
            if values[1] - values[0] < shortest:
                raise FieldError(
                    self.name,
                    f"{shorten(text)} is empty or too short; allowed are {self.allowed(limits)}"
                    f" that lie at least {format_number(shortest)} apart",
                )
        return values

    def number(self, text: str, limits: Limits) -> float:
        """A number within the bounds."""
        try:
            value = read_number(text)
        except ValueError:
            raise self.error(text, limits) from None
        if not self.low <= value <= self.highest(limits):
            raise self.error(text, limits)
        return value

    def error(self, text: str, limits: Limits) -> ValueError:
        """The refusal of a value, naming the key, the value and what is allowed."""
        value = shorten(text.strip())
        advice = near_miss(value, self.choices)
        allowed = f"allowed are {self.allowed(limits)}"
        return FieldError(self.name, f"{value!r} is not allowed; {allowed}{advice and '; ' + advice}")

    def write(self, value: Any) -> str:
        """The canonical query text of a value."""
        if isinstance(value, tuple):
            return ",".join(format_number(entry) for entry in value)
        return value if isinstance(value, str) else format_number(value)
