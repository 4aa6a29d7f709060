"""How many cases a test takes: `make test` a part that has every kind, `make test-long` all."""

import os

SEARCHING = os.environ.get("PLATEAU_HYPOTHESIS") == "search"


def cases(part: int, *, of: int) -> int:
    """Of so many cases, the part that is enough for every day."""
    return of if SEARCHING else part
