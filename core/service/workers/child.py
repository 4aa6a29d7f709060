"""What every process that the web process starts does first, how it speaks (see process), and who goes first
where there are fewer cores than work."""

import json
import logging
import os
import threading
import time
from contextlib import suppress
from typing import IO, Any

from ..events import configure_logging
from ..settings import Settings
from .pulse import BEAT_SECONDS
from .watchdog import guard_process

FOR_RUNS, FOR_ANSWERS, FOR_STUDIES = 7, 17, 19
"""How far each steps back, as `nice` counts. On a core that two share, the web process has four fifths
against training, training nine tenths against background queries, and those three fifths against studies.
Linux shares the processor out by sessions first: all of them are in that of the web process (see process)."""
BEAT = {"event": "beat"}
_speaking = threading.Lock()


def step_back(niceness: int) -> None:
    """From now on this process goes after what is more urgent."""
    os.nice(niceness)


def begin_child(name: str) -> tuple[Settings, IO[str]]:
    """Its settings, and where its events go: anything that a library prints must not be taken for one."""
    os.umask(0o077)
    configure_logging(name, logging.WARNING)
    events = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    settings = Settings.from_environment()
    guard_process(settings.limits.memory_bytes)
    threading.Thread(target=_beat, args=(events,), name="beat", daemon=True).start()
    return settings, events


def _beat(events: IO[str]) -> None:
    """Say that this process lives, for as long as its threads can run and it has anything to say."""
    with suppress(ValueError):  # the events were closed: it is about to end
        while True:
            with suppress(MemoryError):  # the work that takes too much is told of it as well
                say(events, BEAT)
            time.sleep(BEAT_SECONDS)


def say(events: IO[str], event: dict[str, Any]) -> None:
    """One event, as a line; when nobody listens any more, the process ends."""
    try:
        with _speaking:
            events.write(json.dumps(event) + "\n")
            events.flush()
    except OSError:
        os._exit(0)
