"""The view half of a link to the Study page: how somebody looked at a study.

| key    | values                       | meaning                                     |
|--------|------------------------------|---------------------------------------------|
| group  | a column                     | what the runs are grouped by                |
| level  | 0.1, 0.01, ..., 1e-6         | the loss whose first crossing is counted    |
| across | a column of numbers          | of the picture of any two columns           |
| up     | a column of numbers          | the other one                               |

The rest of the query names the study. The keys of the Lab's own view (components.view) have no part in
either. A value that means nothing is left out: a study is no worse for it.
"""

import re
from contextlib import suppress
from typing import NamedTuple
from urllib.parse import unquote

from components.study.grid import NUMBERS
from components.view import split_query
from core.spelling import format_number
from core.study import LEVELS

LEVEL_TEXTS = tuple(format_number(level) for level in LEVELS)
_NAME = re.compile(r"[a-z_]{1,40}", re.ASCII)


class StudyView(NamedTuple):
    """Every field is a query key, every default is left out of a link."""

    group: str = ""
    """Empty: what is usual for the study."""
    level: str = "0.001"
    across: str = "longest_plateau"
    up: str = "loss"

    def query(self, study: str) -> str:
        """The link of a study that is looked at so."""
        usual = StudyView()._asdict()
        own = [f"{key}={value}" for key, value in self._asdict().items() if value != usual[key]]
        return "&".join([*filter(None, [study]), *own])


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
    allowed = {"level": LEVEL_TEXTS, "across": NUMBERS, "up": NUMBERS}
    kept = {
        key: value
        for key, value in found.items()
        if (value in allowed[key] if key in allowed else _NAME.fullmatch(value))
    }
    query = "&".join(rest)
    with suppress(ValueError):
        query = split_query(query)[0]
    return query, StudyView(**kept)
