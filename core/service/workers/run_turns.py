"""Runs that take turns in one process, chunk by chunk, so that the curves of a race grow together.

The same on one machine and in a cluster. What differs is a few methods: how a run is claimed, what a command
is heard from, and who is told that a run has ended.
"""

from abc import abstractmethod
from collections.abc import Generator

from ...limits import Limits
from ..accounts import line_of
from ..lifecycle import LateError
from ..queue import TurnOrder
from ..store import Claim, ClaimedError, Store, StoreError
from .compute import Control, share_of, turns

Chunks = Generator[None, None, None]


class RunTurns(Control):
    """See Control. One thread takes the turns."""

    def __init__(self, store: Store, limits: Limits) -> None:
        self._store, self._limits = store, limits
        self._chunks: dict[str, Chunks] = {}
        """The runs that are under way here; the first one is next."""
        self._order = TurnOrder(self._line_of)

    def _line_of(self, run_id: str) -> str:
        record = self._store.record(run_id)
        return line_of(record.request.quota) if record else ""

    def begin_run(self, run_id: str) -> None:
        """One more run, which comes before those that have had a turn."""
        self._chunks = {run_id: self._run(run_id), **self._chunks}

    def take_turn(self, first: str | None = None) -> None:
        """One chunk of a run: of the `first`, if somebody must not wait, else of the one whose turn it is."""
        run_id = first or self._order.next(self._chunks)
        chunks = self._chunks.pop(run_id)
        self.on_turn(run_id)
        try:
            next(chunks)
        except StopIteration:
            self.on_left(run_id)
        else:
            self._chunks[run_id] = chunks

    def _run(self, run_id: str) -> Chunks:
        record = self._store.record(run_id)
        if record is None or record.status != "queued":
            # Handed out before it was written, or stopped since: its record says what has to be done.
            self.on_ended(run_id)
            return
        try:
            with self.claim(run_id) as claim:
                yield from turns(
                    self._store, claim, run_id, self, self._limits, lambda: share_of(len(self._chunks))
                )
                self.on_written(run_id)
        except LateError:
            # It was stopped in this moment, or goes on elsewhere: its record says which.
            pass
        except (ClaimedError, StoreError, OSError) as error:
            self.on_refused(run_id, error)
            return
        self.on_ended(run_id)

    def claim(self, run_id: str) -> Claim:
        """The right to write the run."""
        return self._store.claim(run_id)

    def on_written(self, run_id: str) -> None:  # noqa: ARG002
        """Nothing more is written; the claim is about to be given up."""
        return

    @abstractmethod
    def on_turn(self, run_id: str) -> None:
        """Its turn begins; if the process dies in it, this run is to blame."""

    @abstractmethod
    def on_left(self, run_id: str) -> None:
        """It is not under way here any more, however that came about."""

    @abstractmethod
    def on_ended(self, run_id: str) -> None:
        """Its record says what has become of it."""

    @abstractmethod
    def on_refused(self, run_id: str, error: Exception) -> None:
        """It cannot be worked on here, or not now."""
