"""Numbers as they stand in a text, read for the tests that ask where each of them comes from."""

import re
from collections.abc import Iterator

RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
NUMERAL = re.compile(
    r"(?<![\w.,])−?(?:10(?P<alone>[⁻⁰-⁹¹²³]+)|(?P<digits>\d[\d,]*(?:\.\d+)?)(?:·10(?P<power>[⁻⁰-⁹¹²³]+))?)"
    r"(?P<million> million)?"
)
TEENS = [
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
]
TENS = {"thirty": 30.0, "forty": 40.0, "fifty": 50.0, "sixty": 60.0, "seventy": 70.0}
WORDS = {word: float(value) for value, word in enumerate(TEENS, 11)} | TENS
"""Numbers in letters that are too large to be seen at a glance."""


def written(text: str) -> Iterator[tuple[str, float, int]]:
    """Each number of a text: as it stands, its value, and to how many digits it is told."""
    for found in NUMERAL.finditer(text):
        power = found["power"] or found["alone"]
        digits = (found["digits"] or "1").replace(",", "").rstrip(".")
        value = float(digits) * (10.0 ** int(power.translate(RAISED)) if power else 1.0)
        value *= 1e6 if found["million"] else 1.0
        size = digits.replace(".", "").lstrip("0")
        told = len(size) if "." in digits else len(size.rstrip("0")) or 1
        yield found[0].rstrip(",."), -value if found[0].startswith("−") else value, told

    for word in re.findall(r"\w+", text.lower()):
        if word in WORDS:
            yield word, WORDS[word], len(f"{WORDS[word]:g}".rstrip("0"))


def agrees(value: float, digits: int, source: float) -> bool:
    """Whether a number that is told to so many digits is the source's."""
    return f"{value:.{digits - 1}e}" == f"{source:.{digits - 1}e}"
