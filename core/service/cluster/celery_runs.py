"""The single runs of one process of Celery's pool: one alone, or several in turn, chunk by chunk.

A Celery task is a function that goes to its end: Celery has priorities and rate limits between tasks, but
nothing that lets one pause while another goes on. So the turns are inside a task, as on the embedded back
end: a process that has a run and finds others waiting takes its share of them, and the curves of a race grow
together however few workers there are. A process that is free takes what waits before the others look.
"""

import os
import signal
import time
from collections.abc import Callable

from ..settings import Settings
from ..store import ClaimedError
from ..workers.compute import Progress
from ..workers.deaths import Death
from ..workers.kernels import all_compiled, is_compiled, is_interpreted, method_of
from ..workers.run_turns import RunTurns
from .redis_claim import RedisClaim
from .redis_queue import RedisQueue
from .redis_store import RedisStore

LOOK_SECONDS = 0.1
"""How often a process that has a run looks for others that wait."""
STOP_SECONDS = 2.0
"""A step that has taken so long when its run shall stop is not waited for."""
_COMMAND_SECONDS = 0.2


class CeleryRuns(RunTurns):
    """What a process of the pool computes; another thread of it renews the leases."""

    def __init__(
        self,
        settings: Settings,
        store: RedisStore,
        queue: RedisQueue,
        ending: Callable[[], bool],
        worker: str,
    ) -> None:
        super().__init__(store, settings.limits)
        self._settings, self._redis, self._queue, self._ending = settings, store, queue, ending
        self._worker, self._turn = worker, ""
        self._held: dict[str, RedisClaim] = {}
        self.lost: set[str] = set()
        """Runs that another worker has been given meanwhile."""
        self._looked = 0.0
        self._step = "", 0.0
        """The run that is computed now, and since when."""
        self._heard: dict[str, float] = {}
        """When it was last looked for a command."""

    def work(self, run_id: str = "") -> None:
        """This run and others that wait, one after another or in turn, while there are any and nobody has
        asked this machine to end."""
        if run_id and self._queue.begin(run_id, self._worker):
            self.begin_run(run_id)
        self._look()
        while self._chunks:
            self.take_turn()
            if time.monotonic() - self._looked >= LOOK_SECONDS or not self._chunks:
                self._look()

    def is_cold(self, run_id: str) -> bool:
        """Whether the kernels of a run are not compiled yet."""
        record = None if all_compiled() else self._store.record(run_id)
        return record is not None and not is_compiled(method_of(record.request.query))

    def _suits(self, run_id: str) -> bool:
        return self.is_cold(run_id) == is_interpreted()

    def _is_leaving(self) -> bool:
        """Whether runs are given back: this machine ends, or what began interpreted can go on compiled."""
        return self._ending() or (is_interpreted() and not all(map(self.is_cold, self._held.copy())))

    def renew(self) -> None:
        """Called from the other thread: this process is alive, and has what it has."""
        for run_id, claim in list(self._held.items()):
            try:
                claim.renew()
            except ClaimedError:
                self.lost.add(run_id)
        for run_id in self._chunks.copy().keys() - self._held.keys():
            self._queue.keep(run_id)

    def _look(self) -> None:
        """Take a run, or the share of what waits that is this worker's."""
        self._looked = time.monotonic()
        share, most = 1, self._settings.runs_per_worker
        if self._chunks:
            workers = max(1, self._queue.workers())
            share = -(-self._queue.waiting() // workers)
        for _ in range(min(share, 2 * most - len(self._chunks))):
            # Beyond the usual number only of those who have nothing under way anywhere.
            limit = 0 if len(self._chunks) < most else 1
            run_id = None if self._is_leaving() else self._queue.take(self._worker, limit, self._suits)
            if run_id is None:
                return
            self.begin_run(run_id)

    def take_turn(self, first: str | None = None) -> None:
        try:
            super().take_turn(first)
        finally:
            self._step = "", 0.0

    def on_turn(self, run_id: str) -> None:
        if run_id != self._turn:
            self._turn = run_id
            self._queue.turn(self._worker, run_id)
        self._step = run_id, time.monotonic()

    def on_left(self, run_id: str) -> None:
        self.lost.discard(run_id)
        self._heard.pop(run_id, None)

    def on_written(self, run_id: str) -> None:
        """See RunTurns: the other thread does not renew what is given up."""
        self._held.pop(run_id, None)

    def on_ended(self, run_id: str) -> None:
        self._held.pop(run_id, None)
        self._queue.give_up(run_id)

    def on_refused(self, run_id: str, error: Exception) -> None:  # noqa: ARG002
        """See RunTurns: somebody else has it, or will be given it when this lease has run out."""
        self._held.pop(run_id, None)

    def claim(self, run_id: str) -> RedisClaim:
        claim = self._held[run_id] = self._redis.claim(run_id)
        return claim

    def end_hanging(self) -> None:
        """Called from the other thread: a step that takes too long, or that shall stop and does not, ends
        this process. Its run is told why and not tried again; the other runs here go on elsewhere."""
        run_id, begun = self._step
        taken, limit = time.monotonic() - begun, self._settings.limits.step_seconds
        claim = self._held.get(run_id)
        if claim is None:
            return
        record = self._store.record(run_id)
        if record is None:
            return
        if taken <= limit and not (taken > STOP_SECONDS and record.state.command == "stop"):
            return
        death = Death("a step did not come back", is_overdue=taken > limit)
        claim.change(lambda known: death.of_run(known, self._settings))
        claim.release()
        self._queue.give_up(run_id)
        os.kill(os.getpid(), signal.SIGKILL)

    def shall_end(self, run_id: str, attempt: int) -> bool:
        now = time.monotonic()
        if now - self._heard.get(run_id, 0.0) < _COMMAND_SECONDS:
            return False
        self._heard[run_id] = now
        if run_id in self.lost:
            raise ClaimedError("the lease was lost")
        record = self._store.record(run_id)
        if record is None or record.status != "running" or record.state.attempt != attempt:
            raise ClaimedError("the run goes on elsewhere")
        return bool(record.state.command) or self._is_leaving()

    def report(self, run_id: str, progress: Progress) -> None:
        self._queue.report(run_id, progress)
