"""A training process of the embedded back end.

Started fresh by the supervisor (never forked: compiled kernels do not survive it),
at low priority and with single-threaded linear algebra. Commands come as JSON lines
on standard input, events go as JSON lines to standard output; frames go straight to
the store. Several runs take turns, chunk by chunk, so that the curves of a race grow
together; whose turn it is, is said before it begins. The process ends when its standard
input does, so that a web process that was killed leaves no worker behind.
"""

import json
import os
import sys
import threading
import time
from collections.abc import Generator
from dataclasses import asdict
from typing import IO, Any

from ...limits import Limits
from ..accounts import TurnOrder, line_of_run
from ..files.file_claim import FileClaim
from ..files.file_store import FileStore
from ..lifecycle import LateError
from ..store import ClaimedError, StorageFullError, StoreError
from .child import FOR_RUNS, begin_child, say, step_back
from .compute import Control, Progress, share_of, turns
from .warm import warm

CLAIM_SECONDS = 3.0
RUNS = 500
"""After so many it ends when it has nothing to do: what libraries keep for themselves is given back."""

Chunks = Generator[None, None, None]


class Worker(Control):
    """Reads commands in a thread of its own, so that a stop is heard during a computation."""

    def __init__(self, store: FileStore, limits: Limits, commands: IO[str], events: IO[str]) -> None:
        self._store, self._limits = store, limits
        self._commands, self._events = commands, events
        self._told: dict[str, int | None] = {}
        """Runs that shall be given back: at which attempt, or None for whichever it is."""
        self._waiting: list[str] = []
        self._chunks: dict[str, Chunks] = {}
        """The runs that are under way here; the first one is next."""
        self._order = TurnOrder(lambda run_id: line_of_run(store, run_id))
        self._turn, self._begun = "", 0
        self._heard = threading.Condition()

    def serve(self) -> None:
        """Compute, run by run or several in turn."""
        threading.Thread(target=self._listen, daemon=True).start()
        warm(lambda: bool(self._waiting))
        # Only now: a worker that replaces a dead one must be there soon, on a busy machine too.
        step_back(FOR_RUNS)
        self._say({"event": "ready"})
        warm(lambda: bool(self._waiting), rivals=True)
        while True:
            with self._heard:
                while not self._waiting and not self._chunks:
                    if self._begun >= RUNS:
                        return
                    self._heard.wait()
                self._begun += len(self._waiting)
                new = {run_id: self._work(run_id) for run_id in self._waiting}
                self._waiting.clear()
            self._chunks = {**new, **self._chunks}
            self._take_turn()

    def _take_turn(self) -> None:
        """One chunk of the run that somebody wants to stop, else of the one whose turn it is."""
        told = next((run for run in self._chunks if run in self._told), None)
        run_id = told or self._order.next(self._chunks)
        if run_id != self._turn:
            self._turn = run_id
            self._say({"event": "turn", "run": run_id})
        chunks = self._chunks.pop(run_id)
        try:
            next(chunks)
        except StopIteration:
            with self._heard:
                self._told.pop(run_id, None)
        else:
            self._chunks[run_id] = chunks

    def _work(self, run_id: str) -> Chunks:
        record = self._store.record(run_id)
        if record is None or record.status != "queued":
            # Handed out before it was written, or stopped since: its record says what has to be done.
            self._say({"event": "ended", "run": run_id})
            return
        try:
            with self._claim(run_id) as claim:
                yield from turns(
                    self._store, claim, run_id, self, self._limits, lambda: share_of(len(self._chunks))
                )
        except (StorageFullError, OSError):
            self._say({"event": "parked", "run": run_id})
        except (ClaimedError, StoreError) as error:
            self._say({"event": "refused", "run": run_id, "reason": str(error)})
        except LateError:
            # It was stopped in this moment, or goes on elsewhere.
            self._say({"event": "ended", "run": run_id})
        else:
            self._say({"event": "ended", "run": run_id})

    def _claim(self, run_id: str) -> FileClaim:
        """The claim; a worker of a web process that was killed may need a moment to let it go."""
        end = time.monotonic() + CLAIM_SECONDS
        while True:
            try:
                return self._store.claim(run_id)
            except ClaimedError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)

    def shall_end(self, run_id: str, attempt: int) -> bool:
        return run_id in self._told and self._told[run_id] in (None, attempt)

    def report(self, run_id: str, progress: Progress) -> None:
        """See Control: the supervisor passes it on."""
        self._say({"event": "progress", "run": run_id, **asdict(progress)})

    def _listen(self) -> None:
        for line in self._commands:
            command: dict[str, Any] = json.loads(line)
            with self._heard:
                if command["do"] == "run":
                    self._waiting.append(command["run"])
                    self._heard.notify()
                else:
                    self._told[command["run"]] = command["attempt"]
        # End of input: the web process is gone. The lock and the last checkpoint outlive this.
        os._exit(0)

    def _say(self, event: dict[str, Any]) -> None:
        say(self._events, event)


def main() -> None:
    """What a process of the pool does; see core.service.workers.process for how it is started."""
    settings, events = begin_child("worker")
    Worker(
        FileStore(settings.home, settings.limits, create=False), settings.limits, sys.stdin, events
    ).serve()
