"""The view half of a link to the Study page: how somebody looked at a study.

| key    | values                       | meaning                                     |
|--------|------------------------------|---------------------------------------------|
| group  | columns with commas          | what the runs are grouped by                |
| level  | a number                     | the loss whose first crossing is counted    |
| across | a column of numbers          | of the picture of any two columns           |
| up     | a column of numbers          | the other one                               |

The rest of the query names the study. The keys of the Lab's own view (components.common.view) have no part in
either. A value that means nothing is left out: a study is no worse for it.
"""

import re
from contextlib import suppress
from typing import NamedTuple
from urllib.parse import unquote

from components.common.view import split_query
from components.pages.study.grid import NUMBERS

_FORMS = {
    "group": re.compile(r"[a-z_]{1,40}(,[a-z_]{1,40}){0,9}", re.ASCII),
    "level": re.compile(r"\d{1,12}(\.\d{1,12})?(e-?\d{1,2})?", re.ASCII),
}


class StudyView(NamedTuple):
    """Every field is a query key, every default is left out of a link."""

    group: str = ""
    """Empty: what is usual for the study."""
    level: str = ""
    """Empty: what half of the runs reach."""
    across: str = "longest_plateau"
    up: str = "loss"

    def query(self, study: str) -> str:
        """The link of a study that is looked at so."""
        usual = StudyView()._asdict()
        own = [f"{key}={value}" for key, value in self._asdict().items() if value != usual[key]]
        return "&".join([*filter(None, [study]), *own])


def is_level(text: str) -> bool:
    """Whether a text from outside is a loss that one may ask about."""
    return bool(_FORMS["level"].fullmatch(text))


def read_view(search: str) -> tuple[str, StudyView]:
    """The study of a link, and how it is looked at."""
    rest: list[str] = []
    found: dict[str, str] = {}
    for pair in search.removeprefix("?").split("&"):
        key, _, value = pair.partition("=")
        if key in StudyView._fields:
            found[key] = unquote(value)
        elif pair:
            rest.append(pair)
    allowed = {"across": NUMBERS, "up": NUMBERS}
    kept = {
        key: value
        for key, value in found.items()
        if (value in allowed[key] if key in allowed else _FORMS[key].fullmatch(value))
    }
    query = "&".join(rest)
    with suppress(ValueError):
        query = split_query(query)[0]
    return query, StudyView(**kept)
