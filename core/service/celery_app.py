"""The workers of several machines: `celery -A core.service.celery_app worker`.

Every process of the pool has one thread that renews the leases of its runs and helps to
look after the queue; the runs themselves are computed as in the embedded back end.
"""

import ctypes
import logging
import os
import signal
import socket
import sys
import threading
import time
from typing import Any

from celery.signals import worker_process_init, worker_shutting_down
from threadpoolctl import threadpool_limits

from core.service.celery_runs import CeleryRuns
from core.service.redis_backend import TASK, RedisPresence, caller, celery_for, watch_once
from core.service.redis_connection import PREFIX, WRITER_PATIENCE, connection, patiently
from core.service.redis_queue import RedisQueue
from core.service.redis_store import RedisStore
from core.service.settings import Settings
from core.service.studies.celery_crew import PORTION, CeleryPortions
from core.service.studies.redis_studies import RedisStudies
from core.service.warm import warm
from core.service.watchdog import guard_process

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
        store = RedisStore(client, settings.limits, settings.lease_seconds, WRITER_PATIENCE)
        self._client = client
        self._queue = RedisQueue(settings, store, RedisPresence(store), caller(app))
        self.runs = CeleryRuns(settings, store, self._queue, self._ending)
        self.portions = CeleryPortions(
            settings,
            store,
            RedisStudies(client, WRITER_PATIENCE),
            self._queue,
            client,
            self.runs.work,
            self._ending,
        )
        threading.Thread(target=self._renew, name="lease", daemon=True).start()

    def _ending(self) -> bool:
        name = _exit_key(os.getppid())
        return bool(patiently(lambda: self._client.exists(name), WRITER_PATIENCE))

    def _renew(self) -> None:
        """Three times within a lease, so that one hiccup does not lose it."""
        name = f"{socket.gethostname()}:{os.getpid()}"
        while True:
            time.sleep(min(1.0, settings.lease_seconds / 3))
            try:
                self.runs.renew()
                self._queue.greet(name)
                self.portions.renew()
            except Exception as error:
                log.warning("could not renew the lease: %s", error)
            watch_once(self._queue)


_worker: CeleryWorker | None = None


@worker_process_init.connect
def begin(**_: Any) -> None:
    """In each new process of the pool: low priority, one thread for linear algebra, compiled kernels."""
    global _worker
    if sys.platform == "linux":
        # Die with the main process: its machine counts as gone.
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    threadpool_limits(1)
    guard_process(settings.limits.memory_bytes)
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
    _ready().runs.work()


@app.task(name=PORTION)
def portion(study: str, first: int, runs: list[tuple[int, str]]) -> None:
    """A part of a study."""
    _ready().portions.work(study, first, runs)
