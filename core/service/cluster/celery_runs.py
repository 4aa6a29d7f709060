"""The single runs of one process of Celery's pool: one alone, or several in turn, chunk by chunk.

A Celery task is a function that goes to its end: Celery has priorities and rate limits between tasks, but
nothing that lets one pause while another goes on. So the turns are inside a task, as on the embedded back
end: a process that has a run and finds others waiting takes its share of them, and the curves of a race grow
together however few workers there are. A process that is free takes what waits before the others look.
"""

import os
import signal
import time
from collections.abc import Callable, Generator

from core.service.accounts import Rota, line_of_run
from core.service.cluster.redis_claim import RedisClaim
from core.service.cluster.redis_queue import RedisQueue
from core.service.cluster.redis_store import RedisStore
from core.service.settings import Settings
from core.service.store import ClaimedError, StoreError, wants_more
from core.service.workers.compute import Control, Progress, Wish, share_of, turns
from core.service.workers.dispatcher import STOPPED
from core.service.workers.watchdog import too_long

LOOK_SECONDS = 0.1
"""How often a process that has a run looks for others that wait."""
STOP_SECONDS = 2.0
"""A step that has taken so long when its run shall stop is not waited for."""
_WISH_SECONDS = 0.2

Chunks = Generator[None, None, None]


class CeleryRuns(Control):
    """What a process of the pool computes; another thread of it renews the leases."""

    def __init__(
        self, settings: Settings, store: RedisStore, queue: RedisQueue, ending: Callable[[], bool]
    ) -> None:
        self._settings, self._store, self._queue, self._ending = settings, store, queue, ending
        self._chunks: dict[str, Chunks] = {}
        """The runs that are under way here; the first one is next."""
        self._resting: set[str] = set()
        self._held: dict[str, RedisClaim] = {}
        self.lost: set[str] = set()
        """Runs that another worker has been given meanwhile."""
        self._rota = Rota(lambda run_id: line_of_run(store, run_id))
        self._looked = 0.0
        self._step = "", 0.0
        """The run that is computed now, and since when."""
        self._heard: dict[str, float] = {}
        """When it was last looked what is wished of a run."""

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
                self._queue.keep(run_id)
            except ClaimedError:
                self.lost.add(run_id)

    def _look(self) -> None:
        """Take a run, or the share of what waits that is this worker's."""
        self._looked = time.monotonic()
        wanted, most = 1, self._settings.runs_per_worker
        if self._chunks:
            workers = max(1, self._queue.workers())
            wanted = -(-self._queue.waiting() // workers)
        for _ in range(min(wanted, 2 * most - len(self._chunks))):
            # Beyond the usual number only of those who have nothing under way anywhere.
            limit = 0 if len(self._chunks) < most else 1
            run_id = None if self._ending() else self._queue.take(limit)
            if run_id is None:
                return
            self._chunks = {run_id: self._work(run_id), **self._chunks}

    def _take_turn(self) -> None:
        """One chunk of the run whose turn it is; if this process dies in it, that run is to blame."""
        run_id = self._rota.next(self._chunks)
        chunks = self._chunks.pop(run_id)
        others = set(self._chunks)
        if others != self._resting:
            self._queue.rest(others - self._resting, self._resting - others)
            self._resting = others
        self._step = run_id, time.monotonic()
        try:
            next(chunks)
        except StopIteration:
            self.lost.discard(run_id)
        else:
            self._chunks[run_id] = chunks
        finally:
            self._step = "", 0.0

    def end_hanging(self) -> None:
        """Called from the other thread: a step that takes too long, or that shall stop and does not, ends
        this process. Its run is told why and not tried again; the other runs here go on elsewhere."""
        run_id, begun = self._step
        taken, limit = time.monotonic() - begun, self._settings.limits.step_seconds
        claim = self._held.get(run_id)
        if claim is None:
            return
        state = self._store.state(run_id).but(frames=claim.frames, updated=time.time())
        if taken > limit:
            claim.write(state.but(status="failed", reason=too_long(limit)))
        elif taken > STOP_SECONDS and self._queue.wished(run_id)[0] == "stop":
            claim.write(state.but(status="stopped", reason=STOPPED))
        else:
            return
        claim.release()
        self._queue.leave(run_id)
        os.kill(os.getpid(), signal.SIGKILL)

    def _work(self, run_id: str) -> Chunks:
        limits, again = self._settings.limits, False
        try:
            with self._store.claim(run_id) as claim:
                self._held[run_id] = claim
                state = yield from turns(
                    self._store, claim, run_id, self, limits, lambda: share_of(len(self._chunks))
                )
                self._held.pop(run_id)
            order = self._store.order(run_id)
            again = order is not None and order.wanted == "run" and state.status == "queued"
            again = again or (order is not None and wants_more(order, state))
        except (ClaimedError, StoreError):
            # Somebody else has it, or will be given it when this lease has run out.
            return
        finally:
            self._held.pop(run_id, None)
            self._heard.pop(run_id, None)
        if again and order is not None:
            self._queue.enqueue(run_id, order.quota, back=True)
        else:
            self._queue.leave(run_id)

    def wish(self, run_id: str) -> tuple[Wish, str]:
        now = time.monotonic()
        if now - self._heard.get(run_id, 0.0) < _WISH_SECONDS:
            return "", ""
        self._heard[run_id] = now
        if run_id in self.lost:
            raise ClaimedError("the lease was lost")
        return ("exit", "") if self._ending() else self._queue.wished(run_id)

    def report(self, run_id: str, progress: Progress) -> None:
        self._queue.report(run_id, progress)
