"""A worker for single runs on this machine. Frames go straight to the store."""

import time
from dataclasses import asdict
from typing import Any

from ..settings import Settings
from ..store import Claim, ClaimedError, StorageFullError, Store
from .compute import Progress
from .kernels import load_kernels
from .run_turns import RunTurns
from .worker import Worker

CLAIM_SECONDS = 3.0


class RunWorker(Worker, RunTurns):
    """See Worker and RunTurns."""

    def __init__(self, settings: Settings, store: Store, *pipes: Any) -> None:
        Worker.__init__(self, settings, store, *pipes)
        RunTurns.__init__(self, store, settings.limits)
        self._turn = ""

    def prepare(self) -> None:
        load_kernels(self.is_waited_for)

    def prepare_more(self) -> None:
        load_kernels(self.is_waited_for, rivals=True)

    def has_work(self) -> bool:
        return bool(self._chunks)

    def work(self, new: list[dict[str, Any]]) -> None:
        """One chunk of the run that somebody wants to stop, else of the one whose turn it is."""
        for job in reversed(new):
            self.begin_run(job["job"])
        self.take_turn(next((run for run in self._chunks if run in self._given_back), None))

    def claim(self, run_id: str) -> Claim:
        """The claim; a worker of a web process that was killed may need a moment to let it go."""
        end = time.monotonic() + CLAIM_SECONDS
        while True:
            try:
                return self._store.claim(run_id)
            except ClaimedError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)

    def on_turn(self, run_id: str) -> None:
        if run_id != self._turn:
            self._turn = run_id
            self.say("turn", run_id)

    def on_left(self, run_id: str) -> None:
        self.end_job(run_id)

    def on_ended(self, run_id: str) -> None:
        self.say("ended", run_id)

    def on_refused(self, run_id: str, error: Exception) -> None:
        if isinstance(error, StorageFullError | OSError):
            self.say("parked", run_id)
        else:
            self.say("refused", run_id, reason=str(error))

    def shall_end(self, run_id: str, attempt: int) -> bool:
        return run_id in self._given_back and self._given_back[run_id] in (None, attempt)

    def report(self, run_id: str, progress: Progress) -> None:
        """See Control: the scheduler passes it on."""
        self.say("progress", run_id, **asdict(progress))
