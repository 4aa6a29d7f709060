"""The workers of several machines: `celery -A core.service.celery_app worker`.

Every process of the pool has one thread that renews the lease of its run and helps to
look after the queue; the run itself is computed as in the embedded back end.
"""

import ctypes
import logging
import os
import signal
import socket
import sys
import threading
import time
from contextlib import AbstractContextManager
from typing import Any

from celery.signals import worker_process_init, worker_shutting_down
from threadpoolctl import threadpool_limits

from core.service.compute import Progress, Wish, compute
from core.service.redis_backend import TASK, RedisPresence, caller, celery_for, watch_once
from core.service.redis_claim import RedisClaim
from core.service.redis_connection import PREFIX, WRITER_PATIENCE, connection, patiently
from core.service.redis_queue import RedisQueue
from core.service.redis_store import RedisStore
from core.service.settings import Settings
from core.service.store import ClaimedError, StoreError
from core.service.studies.celery_crew import PORTION, CeleryPortions
from core.service.studies.redis_studies import RedisStudies
from core.service.warm import warm
from core.service.watchdog import limited

_WISH_SECONDS = 0.2
_PR_SET_PDEATHSIG = 1

log = logging.getLogger(__name__)

settings = Settings.from_environment()
app = celery_for(settings)


def _exit_key(main_process: int) -> str:
    return f"{PREFIX}exit:{socket.gethostname()}:{main_process}"


class CeleryWorker:
    """One process of the pool."""

    def __init__(self) -> None:
        client = connection(settings.redis_url)
        self._store = RedisStore(client, settings.limits, settings.lease_seconds, WRITER_PATIENCE)
        self.queue = RedisQueue(settings, self._store, RedisPresence(self._store), caller(app))
        self.portions = CeleryPortions(
            settings,
            self._store,
            RedisStudies(client, WRITER_PATIENCE),
            self.queue,
            client,
            self.work,
            self._ending,
        )
        self._held: RedisClaim | None = None
        self._run_id = ""
        self._lost = False
        self._heard = 0.0
        threading.Thread(target=self._renew, name="lease", daemon=True).start()

    def work(self) -> None:
        """One run after another, while there are any and nobody has asked this machine to end."""
        while not self._ending() and (run_id := self.queue.take()) is not None:
            self._work(run_id)

    def _work(self, run_id: str) -> None:
        self._run_id, self._lost = run_id, False
        again = False
        try:
            with self._store.claim(run_id) as claim:
                self._held = claim
                state = compute(self._store, claim, run_id, self, settings.limits)
                self._held = None
            order = self._store.order(run_id)
            longer = order is not None and state.outcome == "budget" and order.epochs > state.epochs
            again = order is not None and order.wanted == "run" and (state.status == "queued" or longer)
        except (ClaimedError, StoreError):
            # Somebody else has it, or will be given it when this lease has run out.
            return
        finally:
            self._held = None
        if again and order is not None:
            self.queue.push(run_id, order.quota, back=True)
        else:
            self.queue.leave(run_id)

    def wish(self) -> tuple[Wish, str]:
        """See Control."""
        now = time.monotonic()
        if now - self._heard < _WISH_SECONDS:
            return "", ""
        self._heard = now
        if self._lost:
            raise ClaimedError("the lease was lost")
        if self._ending():
            return "exit", ""
        return self.queue.wished(self._run_id)

    def report(self, progress: Progress) -> None:
        """See Control."""
        self.queue.report(self._run_id, progress)

    def limited(self, seconds: float) -> AbstractContextManager[None]:
        """See Control; Celery replaces the process, and a run that has cost several is given up."""
        return limited(seconds)

    def _ending(self) -> bool:
        name = _exit_key(os.getppid())
        return bool(patiently(lambda: self._store.client.exists(name), WRITER_PATIENCE))

    def _renew(self) -> None:
        """Three times within a lease, so that one hiccup does not lose it."""
        name = f"{socket.gethostname()}:{os.getpid()}"
        while True:
            time.sleep(min(1.0, settings.lease_seconds / 3))
            claim = self._held
            try:
                if claim is not None:
                    claim.renew()
                    self.queue.keep(self._run_id)
                self.queue.greet(name)
                self.portions.renew()
            except ClaimedError:
                self._lost = claim is self._held
            except Exception as error:
                log.warning("could not renew the lease: %s", error)
            watch_once(self.queue)


_worker: CeleryWorker | None = None


@worker_process_init.connect
def begin(**_: Any) -> None:
    """In each new process of the pool: low priority, one thread for linear algebra, compiled kernels."""
    global _worker
    if sys.platform == "linux":
        # Die with the main process: its machine counts as gone.
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    threadpool_limits(1)
    warm()
    os.nice(19)
    _worker = CeleryWorker()


@worker_shutting_down.connect
def end(**_: Any) -> None:
    """In the main process: tell the pool to save what it has, so that another machine can go on."""
    connection(settings.redis_url).set(_exit_key(os.getpid()), 1, ex=120)


def _ready() -> CeleryWorker:
    if _worker is None:
        begin()
    assert _worker is not None
    return _worker


@app.task(name=TASK)
def work() -> None:
    """There is work."""
    _ready().work()


@app.task(name=PORTION)
def portion(study: str, first: int, runs: list[tuple[int, str]]) -> None:
    """A part of a study."""
    _ready().portions.work(study, first, runs)
