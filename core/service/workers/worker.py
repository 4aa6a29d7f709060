"""What every worker does, whatever its jobs are: it listens, works, says what it does, and ends in time.

A worker is started fresh by the pool (never forked: compiled kernels do not survive it), at low priority and
with single-threaded linear algebra. Commands come as JSON lines on standard input, events go as JSON lines to
standard output:

    {"do": "work", "job": name, ...}                     begin with a job
    {"do": "give back", "job": name, "attempt": number}  leave it; null for whichever attempt it is
    {"do": "rest"}, {"do": "go"}                         wait between two steps, and go on

    {"event": "ready"}, {"event": "turn", "job": name}, and what each kind says of its jobs

Commands are read by a thread of their own, so that they are heard during a computation. The process ends when
its standard input does, so that a web process that was killed leaves no worker behind; and after a number of
jobs, when it has none: what libraries keep for themselves is given back.
"""

import json
import os
import threading
from abc import abstractmethod
from typing import IO, Any

from ..settings import Settings
from ..store import Store
from .child import say, step_back

MAX_JOBS = 500


class Worker:
    """One process. A kind of worker says how it works."""

    def __init__(self, settings: Settings, store: Store, commands: IO[str], events: IO[str]) -> None:
        self._limits, self._store = settings.limits, store
        self._commands, self._events = commands, events
        self._jobs: list[dict[str, Any]] = []
        """Jobs that were not begun yet."""
        self._given_back: dict[str, int | None] = {}
        """Jobs that shall be left: at which attempt, or None for whichever it is."""
        self._begun, self._is_resting = 0, False
        self._heard = threading.Condition()

    def serve(self, niceness: int) -> None:
        """Work until there is nothing to do and enough was done, so far behind others."""
        threading.Thread(target=self._listen, daemon=True).start()
        self.prepare()
        # Only now: a worker that replaces a dead one must be there soon, on a busy machine too.
        step_back(niceness)
        self.say("ready")
        self.prepare_more()
        while True:
            with self._heard:
                while not self._jobs and not self.has_work():
                    if self._begun >= MAX_JOBS:
                        return
                    self._heard.wait()
                new, self._jobs = self._jobs, []
                self._begun += len(new)
            self.work(new)

    def prepare(self) -> None:
        """Before it says that it is ready."""
        return

    def prepare_more(self) -> None:
        """What may wait until then."""
        return

    def has_work(self) -> bool:
        """Whether there is something left to do of the jobs that were begun."""
        return False

    @abstractmethod
    def work(self, new: list[dict[str, Any]]) -> None:
        """Begin with the new jobs, and do a part of what there is to do."""

    def is_waited_for(self) -> bool:
        """Whether a job waits for this worker."""
        return bool(self._jobs)

    def rest(self, job: str) -> bool:
        """Between two steps: wait while others need the core; False when the job shall be given back."""
        with self._heard:
            while self._is_resting and job not in self._given_back:
                self._heard.wait()
            return job not in self._given_back

    def end_job(self, job: str) -> None:
        """What was said of a job concerns the next one of its name no more."""
        with self._heard:
            self._given_back.pop(job, None)

    def say(self, event: str, job: str = "", **more: Any) -> None:
        """An event, of a job."""
        say(self._events, {"event": event, **({"job": job} if job else {}), **more})

    def _listen(self) -> None:
        for line in self._commands:
            command: dict[str, Any] = json.loads(line)
            with self._heard:
                match command["do"]:
                    case "work":
                        self._given_back.pop(command["job"], None)
                        self._jobs.append(command)
                    case "give back":
                        self._given_back[command["job"]] = command["attempt"]
                    case resting:
                        self._is_resting = resting == "rest"
                self._heard.notify_all()
        # End of input: the web process is gone, or needs this one no more. Checkpoints outlive this.
        os._exit(0)
