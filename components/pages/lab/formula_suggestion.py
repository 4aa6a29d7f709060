"""What somebody meant by a formula with a slip in it: the nearest known names in place of unknown ones."""

import re
from difflib import get_close_matches

from core.problem import CONSTANTS, FUNCTIONS, parse

_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_KNOWN = ("x", *CONSTANTS, *FUNCTIONS)
MAX_LENGTH = 200
"""Characters of a formula that is looked at."""


def meant_formula(text: str) -> str:
    """A formula that can be read, or nothing.

    >>> meant_formula("sine(x) + cosh(pie*x)")
    'sin(x) + cosh(pi*x)'
    >>> meant_formula("sin(x"), meant_formula("sin(x)")
    ('', '')
    """
    if len(text) > MAX_LENGTH:
        return ""
    found = _NAME.sub(lambda name: next(iter(get_close_matches(name[0], _KNOWN, 1)), name[0]), text)
    try:
        parse(found)
    except ValueError:
        return ""
    return "" if found == text else found
