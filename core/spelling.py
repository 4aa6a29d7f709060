"""Numbers in their one canonical spelling, and refusals of what cannot be read.

A number has one spelling, the shortest that reads back to the same float: two
links to the same run are then the same text, and the run's id is its hash.
"""

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from difflib import get_close_matches
from types import MappingProxyType

NUMBER = re.compile(r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
"""An unsigned decimal number; no underscores, no hexadecimal, no nan or inf."""

_SIGNED = re.compile(rf"[+-]?{NUMBER.pattern}", re.ASCII)


class FieldError(ValueError):
    """A refusal that knows which key of a query it concerns."""

    def __init__(self, field: str, text: str) -> None:
        super().__init__(field, text)
        self.field, self.text = field, text

    def __str__(self) -> str:
        return f"{self.field}: {self.text}"


def read_number(text: str) -> float:
    """A decimal number as a float; ValueError for everything else, nan and inf included."""
    if not _SIGNED.fullmatch(text.strip()):
        raise ValueError(f"{shorten(text)!r} is not a number")
    value = float(text) + 0.0  # turns -0.0 into 0.0, which would be spelled differently
    if value in (float("inf"), -float("inf")):
        raise ValueError(f"{shorten(text)} is too large a number")
    return value


def format_number(value: float) -> str:
    """The canonical spelling: shortest round-trip digits, powers of ten where they save two characters."""
    if isinstance(value, int) or value == 0.0:
        return str(int(value))
    spelling = repr(float(value)).removesuffix(".0")
    if "e" not in spelling and not spelling.endswith("00") and not spelling.lstrip("-").startswith("0.000"):
        return spelling  # a power of ten could not save two characters
    sign, digits, exponent = Decimal(spelling).normalize().as_tuple()
    assert isinstance(exponent, int)
    mantissa = "".join(map(str, digits))
    plain = format(Decimal((0, digits, exponent)), "f")
    if len(mantissa) > 1:
        exponent += len(mantissa) - 1
        mantissa = f"{mantissa[0]}.{mantissa[1:]}"
    power = f"{mantissa}e{exponent}"
    return ("-" if sign else "") + (power if len(power) <= len(plain) - 2 else plain)


def shorten(text: str, length: int = 40) -> str:
    """Text for an error message: never longer than a line."""
    return text if len(text) <= length else text[: length - 1] + "…"


def near_miss(word: str, known: Iterable[str], other_names: Mapping[str, str] = MappingProxyType({})) -> str:
    """A question for who wrote a word that is not known, or one that others use; empty where none is near."""
    spellings = {name.lower(): name for name in known}
    close = get_close_matches(word.lower(), list(spellings), n=1)
    meant = other_names.get(word.lower()) or (spellings[close[0]] if close else "")
    return f"did you mean {meant}?" if meant else ""
