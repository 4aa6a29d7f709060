"""The words of a formula: numbers, names and operators, and advice for what is none of them."""

import re
from dataclasses import dataclass
from typing import NoReturn

from ..spelling import NUMBER, format_number, shorten

WORD_OPERATORS = ("and", "or", "not")
"""Operators that are spelled as words, and so need room around them."""
_TOKEN = re.compile(
    rf"(?P<number>{NUMBER.pattern})|(?P<name>[A-Za-z_]\w*)|(?P<operator>\*\*|[<>=!]=|[-+*/(),<>|√])", re.ASCII
)
_SYNONYMS = {
    "^": "**", "·": "*", "×": "*", "⋅": "*", "∙": "*", "÷": "/", "−": "-", "–": "-",
    "≤": "<=", "≥": ">=", "≠": "!=", "[": "(", "]": ")", "{": "(", "}": ")", "\u00a0": " ", "\u2009": " ",
}  # fmt: skip
"""Signs that mean an operator of the grammar."""
_NAMES = {"π": "pi", "arcsin": "asin", "arccos": "acos", "arctan": "atan", "sgn": "sign"}
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_RAISED = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_ADVICE = {
    "=": "write == to compare",
    "%": "write mod(a, b)",
    "&": "write 'and'",
    "!": "write 'not'",
}


@dataclass(frozen=True)
class Token:
    """One word of a formula: kind is number, name, operator or end."""

    kind: str
    text: str
    position: int
    stop: int = -1
    """Where it ends in the text as it was written."""


def tokenize(text: str) -> list[Token]:
    """Names in lower case and numbers in canonical spelling, ended by an `end` token."""
    tokens: list[Token] = []
    position = 0
    while position < len(text):
        here = text[position]
        raised = _RAISED.match(text, position)
        sign = _SYNONYMS.get(here, here)
        stop = position + 1
        if raised:
            stop = raised.end()
            exponent = format_number(float(raised.group().translate(_SUPERSCRIPTS)))
            tokens += [Token("operator", "**", position, stop), Token("number", exponent, position, stop)]
        elif here in _NAMES:
            tokens.append(Token("name", _NAMES[here], position, stop))
        elif sign not in " \t\r\n":
            match = _TOKEN.match(text, position) if sign == here else _TOKEN.match(sign)
            if not match:
                _refuse_character(here, position)
            stop = position + 1 if sign != here else match.end()
            tokens.append(_token(str(match.lastgroup), match.group().lower(), position, stop))
        position = stop
    return [*tokens, Token("end", "", len(text), len(text))]


def _token(kind: str, spelling: str, position: int, stop: int) -> Token:
    if kind == "number":
        if float(spelling) == float("inf"):
            raise ValueError(f"at character {position + 1}: {shorten(spelling, 20)} is too large")
        spelling = format_number(float(spelling))
    spelling = _NAMES.get(spelling, spelling)
    return Token("operator" if spelling in WORD_OPERATORS else kind, spelling, position, stop)


def _refuse_character(character: str, position: int) -> NoReturn:
    reason = _ADVICE.get(character, "it has no meaning in a formula")
    raise ValueError(f"at character {position + 1}: {character!r}: {reason}")
