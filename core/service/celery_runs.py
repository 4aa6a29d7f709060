"""The single runs of one process of Celery's pool: one alone, or several in turn, chunk by chunk.

A Celery task is a function that goes to its end: Celery has priorities and rate limits between tasks, but
nothing that lets one pause while another goes on. So the turns are inside a task, as on the embedded back
end: a process that has a run and finds others waiting takes its share of them, and the curves of a race grow
together however few workers there are. A process that is free takes what waits before the others look.
"""

import time
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager

from core.service.compute import Progress, Wish, share_of, turns
from core.service.redis_claim import RedisClaim
from core.service.redis_queue import RedisQueue
from core.service.redis_store import RedisStore
from core.service.settings import Settings
from core.service.store import ClaimedError, StoreError
from core.service.watchdog import limited

LOOK_SECONDS = 0.1
"""How often a process that has a run looks for others that wait."""
_WISH_SECONDS = 0.2

Chunks = Generator[None, None, None]


class CeleryRuns:
    """What a process of the pool computes; another thread of it renews the leases."""

    def __init__(
        self, settings: Settings, store: RedisStore, queue: RedisQueue, ending: Callable[[], bool]
    ) -> None:
        self.settings, self.queue, self.ending = settings, queue, ending
        self._store = store
        self._chunks: dict[str, Chunks] = {}
        """The runs that are under way here; the first one is next."""
        self._resting: set[str] = set()
        self._held: dict[str, RedisClaim] = {}
        self.lost: set[str] = set()
        """Runs that another worker has been given meanwhile."""
        self._looked = 0.0

    def work(self) -> None:
        """One run after another or several in turn, while there are any and nobody has asked this machine
        to end."""
        self._look()
        while self._chunks:
            self._take_turn()
            if time.monotonic() - self._looked >= LOOK_SECONDS or not self._chunks:
                self._look()

    def renew(self) -> None:
        """Called from the other thread: this process is alive, and has what it has."""
        for run_id, claim in list(self._held.items()):
            try:
                claim.renew()
                self.queue.keep(run_id)
            except ClaimedError:
                self.lost.add(run_id)

    def _look(self) -> None:
        """Take a run, or the share of what waits that is this worker's."""
        self._looked = time.monotonic()
        wanted = 1
        if self._chunks:
            workers = max(1, self.queue.workers())
            wanted = -(-self.queue.waiting() // workers)
        for _ in range(min(wanted, self.settings.runs_per_worker - len(self._chunks))):
            run_id = None if self.ending() else self.queue.take()
            if run_id is None:
                return
            self._chunks = {run_id: self._work(run_id), **self._chunks}

    def _take_turn(self) -> None:
        """One chunk of the run that has waited longest; if this process dies in it, that run is to blame."""
        run_id = next(iter(self._chunks))
        chunks = self._chunks.pop(run_id)
        others = set(self._chunks)
        if others != self._resting:
            self.queue.rest(others - self._resting, self._resting - others)
            self._resting = others
        try:
            next(chunks)
        except StopIteration:
            self.lost.discard(run_id)
        else:
            self._chunks[run_id] = chunks

    def _work(self, run_id: str) -> Chunks:
        limits, again = self.settings.limits, False
        try:
            with self._store.claim(run_id) as claim:
                self._held[run_id] = claim
                state = yield from turns(
                    self._store,
                    claim,
                    run_id,
                    _RunControl(self, run_id),
                    limits,
                    lambda: share_of(len(self._chunks)),
                )
                self._held.pop(run_id)
            order = self._store.order(run_id)
            longer = order is not None and state.outcome == "budget" and order.epochs > state.epochs
            again = order is not None and order.wanted == "run" and (state.status == "queued" or longer)
        except (ClaimedError, StoreError):
            # Somebody else has it, or will be given it when this lease has run out.
            return
        finally:
            self._held.pop(run_id, None)
        if again and order is not None:
            self.queue.push(run_id, order.quota, back=True)
        else:
            self.queue.leave(run_id)


class _RunControl:
    """See Control: one run's."""

    def __init__(self, runs: CeleryRuns, run_id: str) -> None:
        self._runs, self._run_id = runs, run_id
        self._heard = 0.0

    def wish(self) -> tuple[Wish, str]:
        """See Control."""
        now = time.monotonic()
        if now - self._heard < _WISH_SECONDS:
            return "", ""
        self._heard = now
        if self._run_id in self._runs.lost:
            raise ClaimedError("the lease was lost")
        if self._runs.ending():
            return "exit", ""
        return self._runs.queue.wished(self._run_id)

    def report(self, progress: Progress) -> None:
        """See Control."""
        self._runs.queue.report(self._run_id, progress)

    def limited(self, seconds: float) -> AbstractContextManager[None]:
        """See Control; Celery replaces the process, and a run that has cost several is given up."""
        return limited(seconds)
