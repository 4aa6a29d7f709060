"""The workers of several machines: `celery -A core.service.celery_app worker`.

Every process of the pool has one thread that renews the leases of its runs and helps to
look after the queue; the runs themselves are computed as in the embedded back end.
"""

import ctypes
import logging
import os
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from typing import Any

from celery import Task
from celery.signals import (
    celeryd_init,
    setup_logging,
    worker_process_init,
    worker_ready,
    worker_shutting_down,
)
from threadpoolctl import threadpool_limits

from .cluster.celery_portions import CeleryPortions
from .cluster.celery_runs import CeleryRuns
from .cluster.celery_watchdog import PoolWatchdog
from .cluster.redis_backend import RedisPresence
from .cluster.redis_connection import PREFIX, WRITER_PATIENCE, connection
from .cluster.redis_queue import WORKERS, RedisQueue
from .cluster.redis_store import RedisStore
from .cluster.redis_studies import RedisStudies
from .cluster.tasks import PORTION_TASK, RUN_TASK, celery_for, run_tasks
from .events import configure_logging
from .settings import Settings
from .store import StoreError
from .workers.child import FOR_RUNS, step_back
from .workers.kernel_jobs import KernelJobs
from .workers.kernels import all_compiled, load_kernels
from .workers.pool import WorkerPool
from .workers.process import worker_environment
from .workers.troubles import Troubles
from .workers.watchdog import guard_process

_PR_SET_PDEATHSIG = 1

settings = Settings.from_environment()
app = celery_for(settings)


_LIFE = os.environ.get("PLATEAU_CELERY_LIFE") or f"{socket.gethostname()}:{secrets.token_hex(4)}"
"""This worker with its pool: a container that is started again has the same name and process number."""
_EXIT = f"{PREFIX}exit:{_LIFE}"


class CeleryWorker:
    """One process of the pool."""

    def __init__(self) -> None:
        client = connection(settings.redis_url, WRITER_PATIENCE)
        store = RedisStore(client, settings.limits, settings.lease_seconds)
        self._client, self._name = client, f"{_LIFE}:{os.getpid()}"
        self._queue = RedisQueue(settings, store, RedisPresence(store), run_tasks(app))
        self._is_waiting = False
        """Whether an interpreted process has its work."""
        self.runs = CeleryRuns(settings, store, self._queue, self._ending, self._name)
        self.portions = CeleryPortions(
            settings,
            store,
            RedisStudies(client),
            self._queue,
            client,
            self.work,
            self._ending,
            self._name,
        )
        threading.Thread(target=self._renew, name="lease", daemon=True).start()

    def work(self, run_id: str = "") -> None:
        """A run, and others that wait. Where kernels are not compiled yet, a process of its own begins with
        them, interpreted, and gives them back when they are."""
        if not all_compiled() and (not run_id or self.runs.is_cold(run_id)):
            self._is_waiting = True
            environment = worker_environment(settings, is_interpreted=True) | {"PLATEAU_CELERY_LIFE": _LIFE}
            self._greet()
            subprocess.run([sys.executable, "-m", __name__, run_id], env=environment, check=False)
            self._is_waiting = False
        self.runs.work(run_id)

    def _ending(self) -> bool:
        return bool(self._client.exists(_EXIT))

    def _greet(self) -> None:
        if self._is_waiting or self._ending():
            self._queue.say_goodbye(self._name)
        else:
            self._queue.greet(self._name, at_study=self.portions.is_at_work)

    def _renew(self) -> None:
        """Three times within a lease, so that one hiccup does not lose it."""
        troubles = Troubles("thread of the leases", pause=0.0)
        while True:
            time.sleep(min(1.0, settings.lease_seconds / 3))
            troubles.attempt("renew the leases of runs", self.runs.renew)
            troubles.attempt("end what hangs", self.runs.end_hanging)
            troubles.attempt("say that it lives", self._greet)
            troubles.attempt("renew the lease of a portion", self.portions.renew)
            troubles.attempt("look after the queue", self._queue.tick)


_worker: CeleryWorker | None = None


@celeryd_init.connect
@setup_logging.connect
def log_as_others_do(loglevel: int = logging.WARNING, **_: Any) -> None:
    """In place of Celery's own lines."""
    configure_logging("celery worker", loglevel)


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
    load_kernels()
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
    pool = WorkerPool(settings)
    KernelJobs(pool)
    pool.start()


def _ready() -> CeleryWorker:
    if _worker is None:
        begin()
    assert _worker is not None
    return _worker


@app.task(name=RUN_TASK)
def run(run_id: str) -> None:
    """A run, and with it others that wait."""
    _ready().work(run_id)


@app.task(name=PORTION_TASK, bind=True)
def portion(self: Task, study: str, runs: list[tuple[int, str]]) -> None:
    """A part of a study."""
    _ready().portions.work(self.request.id, study, runs)


if __name__ == "__main__":
    # An interpreted process, for another one that has a run whose kernels are not compiled yet.
    configure_logging("celery worker", logging.WARNING)
    _ready().runs.work(sys.argv[1])
