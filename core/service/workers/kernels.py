"""Which kernels are compiled already: after an installation the first run of a method waits for its own.

A mark beside the compiled kernels says so; it goes with them when the sources change.
"""

import time
from contextlib import suppress
from pathlib import Path

from ... import kernel_cache
from ...config.fields import method_field
from ...config.query import split_query

COMPILING = "Compiling the numerical kernels, once after an installation."
LOADED_AFTER = 2.0
"""seconds; to load kernels that are compiled takes less"""


def note_compiled(method: str) -> None:
    """A run of the method has been computed here."""
    mark = _mark(method)
    if mark is not None:
        with suppress(OSError):
            mark.touch()


def awaited(query: str, placed: float) -> str:
    """What a run that has not begun waits for, in words; empty where it is not the kernels of its method."""
    mark = _mark(split_query(query, len(query.encode())).get("method", method_field().default))
    late = time.time() - placed > LOADED_AFTER
    return COMPILING if late and mark is not None and not mark.exists() else ""


def _mark(method: str) -> Path | None:
    """None where kernels are kept in no place of their own."""
    place = kernel_cache.CACHE_DIR
    return place / f"{method}.compiled" if place is not None else None
