"""A process of the embedded crew: portions come as JSON lines, records go back as JSON lines.

Started fresh, at the lowest priority, like the workers of single runs (core.service.workers), and ends with
its input as they do.
"""

import base64
import json
import logging
import os
import sys
import threading
from collections.abc import Sequence
from typing import IO, Any

from ...limits import Limits
from ..files.file_store import FileStore
from ..files.library import StoreWithLibrary
from ..store import ClaimedError, Store, StoreError
from ..workers.child import FOR_STUDIES, begin_child, go_behind, say, step_back
from ..workers.warm import warm
from .work import PauseControl, compute_record


class PortionWorker(PauseControl):
    """Reads commands in a thread of its own, so that it can be told to rest during a computation."""

    def __init__(self, store: Store, limits: Limits, commands: IO[str], events: IO[str]) -> None:
        self._store, self._limits = store, limits
        self._commands, self._events = commands, events
        self._heard = threading.Condition()
        self._portions: list[tuple[str, Sequence[tuple[int, str]]]] = []
        self._resting, self._dropped = False, ""
        self._study = ""

    def serve(self) -> None:
        """One portion after the other."""
        threading.Thread(target=self._listen, daemon=True).start()
        warm(lambda: bool(self._portions))
        step_back(FOR_STUDIES)
        go_behind(True)
        say(self._events, {"event": "ready"})
        while True:
            with self._heard:
                while not self._portions:
                    self._heard.wait()
                self._study, runs = self._portions.pop(0)
            self._work(runs)
            with self._heard:
                self._dropped = ""
            say(self._events, {"event": "done", "study": self._study})

    def _work(self, runs: Sequence[tuple[int, str]]) -> None:
        for place, query in runs:
            if not self.go_on():
                return
            say(self._events, {"event": "begin", "study": self._study, "place": place})
            try:
                record = compute_record(self._store, place, query, self._limits, self)
            except (ClaimedError, StoreError) as error:
                logging.warning("a run of a study could not be computed now: %s", error)
                return
            if record is None:
                return
            text = base64.b64encode(record).decode()
            say(self._events, {"event": "record", "study": self._study, "record": text})

    def go_on(self) -> bool:
        with self._heard:
            while self._resting and self._dropped != self._study:
                self._heard.wait()
            return self._dropped != self._study

    def _listen(self) -> None:
        for line in self._commands:
            command: dict[str, Any] = json.loads(line)
            with self._heard:
                if command["do"] == "portion":
                    self._portions.append((command["study"], command["runs"]))
                elif command["do"] == "drop":
                    self._dropped = command["study"]
                else:
                    self._resting = command["do"] == "rest"
                self._heard.notify_all()
        # End of input: the web process is gone, or needs this one no more.
        os._exit(0)


def main() -> None:
    """What a process of the crew does; see core.service.workers.process for how it is started."""
    settings, events = begin_child("study worker")
    store = StoreWithLibrary(FileStore(settings.home, settings.limits, create=False), settings.library)
    PortionWorker(store, settings.limits, sys.stdin, events).serve()
