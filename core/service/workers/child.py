"""What every process that the web process starts does first, and how it speaks (see process)."""

import json
import logging
import os
from typing import IO, Any

from core.service.settings import Settings
from core.service.workers.watchdog import guard_process


def begin_child(name: str) -> tuple[Settings, IO[str]]:
    """Its settings, and where its events go: anything that a library prints must not be taken for one."""
    os.umask(0o077)
    logging.basicConfig(level=logging.WARNING, format=f"{name}: %(message)s")
    events = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    settings = Settings.from_environment()
    guard_process(settings.limits.memory_bytes)
    return settings, events


def say(events: IO[str], event: dict[str, Any]) -> None:
    """One event, as a line; when nobody listens any more, the process ends."""
    try:
        events.write(json.dumps(event) + "\n")
        events.flush()
    except OSError:
        os._exit(0)
