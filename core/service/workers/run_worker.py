"""A worker for single runs: several take turns, chunk by chunk, so that the curves of a race grow together.

Whose turn it is, is said before it begins. Frames go straight to the store.
"""

import time
from collections.abc import Generator
from dataclasses import asdict
from typing import Any

from ..accounts import TurnOrder, line_of_run
from ..lifecycle import LateError
from ..settings import Settings
from ..store import Claim, ClaimedError, StorageFullError, Store, StoreError
from .child import FOR_RUNS
from .compute import Control, Progress, share_of, turns
from .warm import warm
from .worker import Worker

CLAIM_SECONDS = 3.0

Chunks = Generator[None, None, None]


class RunWorker(Worker, Control):
    """See Worker and Control."""

    niceness = FOR_RUNS

    def __init__(self, settings: Settings, store: Store, *pipes: Any) -> None:
        super().__init__(settings, store, *pipes)
        self._chunks: dict[str, Chunks] = {}
        """The runs that are under way here; the first one is next."""
        self._order = TurnOrder(lambda run_id: line_of_run(store, run_id))
        self._turn = ""

    def prepare(self) -> None:
        warm(self.is_waited_for)

    def prepare_more(self) -> None:
        warm(self.is_waited_for, rivals=True)

    def has_work(self) -> bool:
        return bool(self._chunks)

    def work(self, new: list[dict[str, Any]]) -> None:
        """One chunk of the run that somebody wants to stop, else of the one whose turn it is."""
        self._chunks = {**{job["job"]: self._work(job["job"]) for job in new}, **self._chunks}
        stopping = next((run for run in self._chunks if run in self._given_back), None)
        run_id = stopping or self._order.next(self._chunks)
        if run_id != self._turn:
            self._turn = run_id
            self.say("turn", run_id)
        chunks = self._chunks.pop(run_id)
        try:
            next(chunks)
        except StopIteration:
            self.end_job(run_id)
        else:
            self._chunks[run_id] = chunks

    def _work(self, run_id: str) -> Chunks:
        record = self._store.record(run_id)
        if record is None or record.status != "queued":
            # Handed out before it was written, or stopped since: its record says what has to be done.
            self.say("ended", run_id)
            return
        try:
            with self._claim(run_id) as claim:
                yield from turns(
                    self._store, claim, run_id, self, self._limits, lambda: share_of(len(self._chunks))
                )
        except (StorageFullError, OSError):
            self.say("parked", run_id)
        except (ClaimedError, StoreError) as error:
            self.say("refused", run_id, reason=str(error))
        except LateError:
            # It was stopped in this moment, or goes on elsewhere.
            self.say("ended", run_id)
        else:
            self.say("ended", run_id)

    def _claim(self, run_id: str) -> Claim:
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
        return run_id in self._given_back and self._given_back[run_id] in (None, attempt)

    def report(self, run_id: str, progress: Progress) -> None:
        """See Control: the scheduler passes it on."""
        self.say("progress", run_id, **asdict(progress))
