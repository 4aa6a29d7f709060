"""Which kernels are compiled already, and the runs that compile or load them.

Nobody waits for the compiler. What is asked while its kernels are not there is computed by interpreted
workers (NUMBA_DISABLE_JIT=1): they give the same bits, a hundred times more slowly. When the kernels are
there, it goes on in a compiled one, from a checkpoint. Kernels come in sets: for each method those of its
runs, and those of their tables and forecasts; and those of the search for the best network. A mark beside the
compiled kernels says that a set is there. It goes with them when the sources change.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

import numba

from ... import kernel_cache
from ...analysis import best_known
from ...config.fields import method_field
from ...config.query import split_query
from ...config.run_config import RunConfig
from ...frames.frame import Frame
from ...methods import METHODS
from ...run.train import Training

BEST = "best"
"""The set of the search for the best network."""
FIRST = ("gd", "anls")
"""What the first page offers is compiled first."""

_compiled: set[Path] = set()
"""Marks that were seen: they do not go while a process lives."""
_loaded: dict[str, list[Frame]] = {}
"""The methods whose kernels this process has, with what was computed for that."""


def kernel_sets() -> list[str]:
    """The names of all sets, in the order in which they are needed."""
    others = sorted((name for name in METHODS if name not in FIRST), key=lambda name: METHODS[name].rival)
    pairs = [name for method in others for name in (method, tables_of(method))]
    return [*FIRST, *map(tables_of, FIRST), *pairs, BEST]


def tables_of(method: str) -> str:
    """The set of all that is told of the runs of a method."""
    return f"{method}.tables"


def is_compiled(name: str) -> bool:
    """Whether the kernels of a set are compiled. Yes where they are kept in no place of their own: then each
    process compiles what it needs."""
    mark = _mark(name)
    if mark is None or mark in _compiled:
        return True
    if mark.exists():
        _compiled.add(mark)
    return mark in _compiled


def all_compiled() -> bool:
    """Whether no set is missing."""
    return all(map(is_compiled, kernel_sets()))


def note_compiled(name: str, *, kept: bool = True) -> None:
    """The kernels of a set are compiled; or, if this is not to be `kept`, nobody tries any more to have them
    beforehand while this process lives."""
    mark = _mark(name)
    if mark is not None:
        _compiled.add(mark)
        with suppress(OSError):
            if kept:
                mark.touch()


def _mark(name: str) -> Path | None:
    place = kernel_cache.cache_dir()
    return place / f"{name}.compiled" if place is not None else None


def is_interpreted() -> bool:
    """Whether this process has no compiled kernels at all."""
    return bool(numba.config.DISABLE_JIT)


@lru_cache(maxsize=4_096)
def method_of(query: str) -> str:
    """The method of a run, from its query: the name of the set that it needs. Every poll of a run asks."""
    return split_query(query, len(query.encode())).get("method", method_field().default)


def load_kernels(interrupted: Callable[[], bool] = lambda: False, *, rivals: bool = False) -> None:
    """Take the compiled kernels of the methods of the paper (or of the rivals) from the disk.

    A run that comes meanwhile goes first, and loads what it needs itself.
    """
    if is_interpreted():
        return
    for name, method in METHODS.items():
        if interrupted():
            return
        if method.rival == rivals and is_compiled(name):
            load_method(name)
    if rivals and is_compiled(BEST) and not interrupted():
        load_best()


def load_method(name: str) -> tuple[RunConfig, list[Frame]]:
    """Have the kernels of one method in this process, loaded or compiled: what follows may be measured.

    A real run rather than a list of kernels, so that a new method needs not be named here. The problem is one
    that ANLS+ needs all of its kinds of moves for.
    """
    config = RunConfig.from_query(f"target=seven&epochs=100&method={name}")
    if name not in _loaded:
        _loaded[name] = Training(config).run()
    return config, _loaded[name]


def load_best() -> None:
    """The same for the search for the best network."""
    config = RunConfig.from_query("target=seven")
    best_known(config.training_data(), config.width)
