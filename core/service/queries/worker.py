"""The process that answers background queries: they come as JSON lines, answers go into files.

Started fresh and ended with its input, like the workers of runs (core.service.workers). The operating system
ends it when an answer takes too long, and refuses it memory beyond its limit; it makes room by itself after a
number of answers.
"""

import json
import logging
import sys
from pathlib import Path
from typing import IO

from ...limits import Limits
from ..backend import open_store
from ..files.library import StoreWithLibrary
from ..store import StoreError
from ..workers.child import FOR_ANSWERS, begin_child, go_behind, say, step_back
from ..workers.reading import Reader
from ..workers.watchdog import limited, too_large
from .query import BackgroundQuery, write_answer

ANSWERS = 500
"""After so many a fresh process takes over: what libraries keep for themselves is given back."""


def answer_all(reader: Reader, limits: Limits, commands: IO[str], events: IO[str]) -> None:
    """One query after the other; with the last answer it says that it is to be asked no more."""
    for count, line in zip(range(1, ANSWERS + 1), commands, strict=False):
        command = json.loads(line)
        go_behind(command["runs"])
        failure = ""
        try:
            with limited(limits.answer_seconds):
                write_answer(reader, BackgroundQuery(**command["query"]), Path(command["path"]))
        except MemoryError:
            failure = too_large(limits.memory_bytes)
        except (OSError, StoreError, ValueError) as error:
            failure = f"This could not be computed: {error}"
        except Exception:
            logging.exception("no answer to %s", command["query"])
            failure = "Something went wrong in the server; its log says what."
        say(events, {"event": "done", "failure": failure, "last": count == ANSWERS})


def main() -> None:
    """See core.service.workers.process for how it is started."""
    settings, events = begin_child("query worker")
    step_back(FOR_ANSWERS)
    store = StoreWithLibrary(open_store(settings), settings.library)
    answer_all(Reader(store, settings.limits), settings.limits, sys.stdin, events)
