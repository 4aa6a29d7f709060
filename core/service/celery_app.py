"""The workers of several machines: `celery -A core.service.celery_app worker`.

Every process of the pool has one thread that renews the leases of its runs and helps to
look after the queue; the runs themselves are computed as in the embedded back end.
"""

import ctypes
import os
import secrets
import signal
import socket
import sys
import threading
import time
from contextlib import suppress
from typing import Any

from celery.signals import worker_process_init, worker_ready, worker_shutting_down
from threadpoolctl import threadpool_limits

from .cluster.celery_portions import PORTION, CeleryPortions
from .cluster.celery_runs import CeleryRuns
from .cluster.celery_watchdog import PoolWatchdog
from .cluster.redis_backend import TASK, RedisPresence, caller, celery_for
from .cluster.redis_connection import PREFIX, WRITER_PATIENCE, connection
from .cluster.redis_queue import WORKERS, RedisQueue
from .cluster.redis_store import RedisStore
from .cluster.redis_studies import RedisStudies
from .settings import Settings
from .store import StoreError
from .workers.child import FOR_RUNS, step_back
from .workers.troubles import Troubles
from .workers.warm import warm
from .workers.watchdog import guard_process

_PR_SET_PDEATHSIG = 1

settings = Settings.from_environment()
app = celery_for(settings)


_LIFE = f"{socket.gethostname()}:{secrets.token_hex(4)}"
"""This worker with its pool: a container that is started again has the same name and process number."""
_EXIT = f"{PREFIX}exit:{_LIFE}"


class CeleryWorker:
    """One process of the pool."""

    def __init__(self) -> None:
        client = connection(settings.redis_url, WRITER_PATIENCE)
        store = RedisStore(client, settings.limits, settings.lease_seconds)
        self._client = client
        self._queue = RedisQueue(settings, store, RedisPresence(store), caller(app))
        self.runs = CeleryRuns(settings, store, self._queue, self._ending)
        self.portions = CeleryPortions(
            settings,
            store,
            RedisStudies(client),
            self._queue,
            client,
            self.runs.work,
            self._ending,
        )
        threading.Thread(target=self._renew, name="lease", daemon=True).start()

    def _ending(self) -> bool:
        return bool(self._client.exists(_EXIT))

    def _renew(self) -> None:
        """Three times within a lease, so that one hiccup does not lose it."""
        name = f"{_LIFE}:{os.getpid()}"
        troubles = Troubles("thread of the leases", pause=0.0)
        while True:
            time.sleep(min(1.0, settings.lease_seconds / 3))
            troubles.attempt("renew the leases of runs", self.runs.renew)
            troubles.attempt("end what hangs", self.runs.end_hanging)
            troubles.attempt("say that it lives", lambda: self._queue.greet(name))
            troubles.attempt("renew the lease of a portion", self.portions.renew)
            troubles.attempt("look after the queue", self._queue.tick)


_worker: CeleryWorker | None = None


@worker_process_init.connect
def begin(**_: Any) -> None:
    """In each new process of the pool: low priority, one thread for linear algebra, compiled kernels."""
    global _worker
    if sys.platform == "linux":
        # Die with the main process: its machine counts as gone.
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    threadpool_limits(1)
    # The thread that renews the leases comes first, if it can: it tells what has happened.
    guard_process(settings.limits.memory_bytes, grace=5.0)
    warm()
    step_back(FOR_RUNS)
    _worker = CeleryWorker()


@worker_shutting_down.connect
def end(**_: Any) -> None:
    """In the main process: tell the pool to save what it has, so that another machine can go on."""
    with suppress(StoreError):  # a Redis that is away has nobody to hand a run to
        connection(settings.redis_url).set(_EXIT, 1, ex=120)


@worker_ready.connect
def look_after_the_pool(**_: Any) -> None:
    """In the main process: end what does not come back."""
    client: Any = connection(settings.redis_url)

    def greetings() -> dict[int, float]:
        found = client.zrange(WORKERS, 0, -1, withscores=True)
        names = ((name.decode().rpartition(":"), score) for name, score in found)
        return {int(pid): score for (life, _, pid), score in names if life == _LIFE}

    PoolWatchdog(greetings).start()


def _ready() -> CeleryWorker:
    if _worker is None:
        begin()
    assert _worker is not None
    return _worker


@app.task(name=TASK)
def work() -> None:
    """There is work."""
    _ready().runs.work()


@app.task(name=PORTION)
def portion(study: str, first: int, runs: list[tuple[int, str]]) -> None:
    """A part of a study."""
    _ready().portions.work(study, first, runs)
