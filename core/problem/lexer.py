"""The words of a formula: numbers, names and operators, and advice for what is none of them."""

import re
from dataclasses import dataclass
from typing import NoReturn

from core.spelling import NUMBER, format_number, shorten

WORDS = ("and", "or", "not")
"""Operators that are spelled as words, and so need room around them."""
_TOKEN = re.compile(
    rf"(?P<number>{NUMBER.pattern})|(?P<name>[A-Za-z_]\w*)|(?P<operator>\*\*|[<>=!]=|[-+*/(),<>])", re.ASCII
)
_ADVICE = {
    "^": "write ** for powers",
    "=": "write == to compare",
    "%": "write mod(a, b)",
    "&": "write 'and'",
    "|": "write 'or', or abs(…)",
    "!": "write 'not'",
    "[": "use round brackets",
    "]": "use round brackets",
    "{": "use round brackets",
    "}": "use round brackets",
    "π": "write pi",
    "²": "write **2",
    "³": "write **3",
    "−": "write a plain minus sign -",
    "–": "write a plain minus sign -",
    "·": "write *",
    "×": "write *",
    "√": "write sqrt(…)",
    "≤": "write <=",
    "≥": "write >=",
}


@dataclass(frozen=True)
class Token:
    """One word of a formula: kind is number, name, operator or end."""

    kind: str
    text: str
    position: int


def tokenize(text: str) -> list[Token]:
    """Names in lower case and numbers in canonical spelling, ended by an `end` token."""
    tokens: list[Token] = []
    position = 0
    while position < len(text):
        if text[position] in " \t\r\n":
            position += 1
            continue
        match = _TOKEN.match(text, position)
        if not match:
            _refuse_character(text[position], position)
        kind, spelling = str(match.lastgroup), match.group().lower()
        if kind == "number":
            if float(spelling) == float("inf"):
                raise ValueError(f"at character {position + 1}: {shorten(spelling, 20)} is too large")
            spelling = format_number(float(spelling))
        tokens.append(Token("operator" if spelling in WORDS else kind, spelling, position))
        position = match.end()
    return [*tokens, Token("end", "", len(text))]


def _refuse_character(character: str, position: int) -> NoReturn:
    reason = "only ASCII is allowed" if ord(character) > 127 else "it has no meaning here"
    raise ValueError(f"at character {position + 1}: {character!r}: {_ADVICE.get(character, reason)}")
