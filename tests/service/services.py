"""Run services for tests: one that computes at once in the caller's thread, and whole processes."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
import redis

from core.limits import Limits
from core.service import lifecycle
from core.service.accounts import Client
from core.service.backend import Backend
from core.service.files.browser_documents import DatabaseDocuments
from core.service.files.database import Database
from core.service.files.file_store import FileStore
from core.service.presence import MemoryPresence, Presence
from core.service.queue import QueueFullError
from core.service.run_record import Record
from core.service.service import RunService
from core.service.settings import Settings
from core.service.store import Claim, StorageFullError, Store
from core.service.studies.local_portions import LocalPortions
from core.service.studies.table import DatabaseStudies
from core.service.workers.compute import Control, Progress, turns
from core.service.workers.pool import WorkerPool
from core.service.workers.run_scheduler import RunScheduler

ALICE = Client("alice", "alice")
BOB = Client("bob", "bob")


def compute(store: Store, claim: Claim, run_id: str, control: Control, limits: Limits) -> Record:
    """All chunks of a run, one after the other."""
    chunks = turns(store, claim, run_id, control, limits)
    while True:
        try:
            next(chunks)
        except StopIteration as end:
            record: Record = end.value
            return record


class AtOnce(RunScheduler):
    """See RunScheduler: computes in `follow`, unless it is told to hold runs back or to be full."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self._settings, self._store = settings, store
        self.holding = self.full = False
        self._epochs, self._frames = 0.0, 0
        self.held: list[str] = []
        self.enqueued: list[str] = []
        self.charged: list[tuple[str, str]] = []

    def start(self) -> None: ...

    def close(self) -> None: ...

    def enqueue(self, run_id: str, quota: str) -> None:  # noqa: ARG002
        if self.full:
            raise QueueFullError("Full.", 7)
        self.enqueued.append(run_id)

    def charge(self, run_id: str, quota: str) -> None:
        if self.full:
            raise QueueFullError("Full.", 7)
        self.charged.append((run_id, quota))

    def follow(self, run_id: str, record: Record | None = None) -> Record | None:
        record = record or self._store.record(run_id)
        if record is None or record.status != "queued":
            if run_id in self.held:
                self.held.remove(run_id)
        elif self.holding:
            self.held += [] if run_id in self.held else [run_id]
        else:
            try:
                with self._store.claim(run_id) as claim:
                    compute(self._store, claim, run_id, self, self._settings.limits)
            except StorageFullError:
                self._store.change(run_id, lambda known: lifecycle.recover(known) if known else None)
                raise
        return self._store.record(run_id)

    def has(self, run_id: str) -> bool:
        return run_id in self.held

    def position(self, run_id: str) -> int | None:
        return self.held.index(run_id) if run_id in self.held else None

    def progress(self, run_id: str) -> Progress | None:  # noqa: ARG002
        return None

    def under_way(self) -> list[str]:
        return list(self.held)

    def busy(self) -> int:
        return len(self.held)

    def workers(self) -> int:
        return 1

    def shall_end(self, run_id: str, attempt: int) -> bool:  # noqa: ARG002
        return False

    def report(self, run_id: str, progress: Progress) -> None:  # noqa: ARG002
        self._epochs, self._frames = self._epochs + progress.epochs, self._frames + progress.frames

    def done(self) -> tuple[float, int]:
        return self._epochs, self._frames


def at_once(home: Path, settings: Settings | None = None) -> tuple[RunService, AtOnce, FileStore]:
    """A service over real files that computes in the caller's thread."""
    settings = settings or Settings(home=home, library=home / "library")
    store = FileStore(home, settings.limits)
    return *service_over(store, settings), store


def service_over(store: Store, settings: Settings) -> tuple[RunService, AtOnce]:
    """The same over any store."""
    scheduler = AtOnce(settings, store)
    backend = backend_over(settings, WorkerPool(settings), store, MemoryPresence(), scheduler)
    return RunService(settings, backend), scheduler


def backend_over(
    settings: Settings, pool: WorkerPool, store: Store, presence: Presence, scheduler: RunScheduler
) -> Backend:
    """A back end with these parts; everything else is embedded."""
    database = Database(settings.home)
    studies = DatabaseStudies(database)
    portions = LocalPortions(settings, store, studies, scheduler.busy, pool)
    documents = partial(DatabaseDocuments, database)
    return Backend(pool, store, presence, scheduler, studies, portions, documents, "secret" * 8)


ROOT = Path(__file__).parents[2]


def worker_environment(settings: Settings) -> dict[str, str]:
    """What a process of these settings needs."""
    return {**os.environ, **settings.to_environment(), "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


def start_celery(
    settings: Settings, name: str, log: Path, processes: int = 1, cache: Path | None = None
) -> subprocess.Popen[bytes]:
    """A Celery worker as on another machine; with a `cache` of kernels of its own."""
    command = [
        sys.executable,
        "-m",
        "celery",
        "--quiet",
        "-A",
        "core.service.celery_app",
        "worker",
        "-c",
        str(processes),
    ]
    with log.open("ab") as file:
        return subprocess.Popen(
            [*command, "-n", f"{name}@test", "--without-gossip", "--without-mingle", "-l", "WARNING"],
            cwd=ROOT,
            env=worker_environment(settings) | ({"XDG_CACHE_HOME": str(cache)} if cache else {}),
            stdout=file,
            stderr=file,
            start_new_session=True,
        )


def end_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and all that it started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(10)


def wait_for(condition: Callable[[], object], seconds: float = 60.0, step: float = 0.02) -> float:
    """How long it takes until a condition holds; an error when it never does."""
    start = time.monotonic()
    while not condition():
        if time.monotonic() - start > seconds:
            raise TimeoutError(f"not within {seconds} s")
        time.sleep(step)
    return time.monotonic() - start


@contextmanager
def with_real_workers(settings: Settings, redis_url: str | None, name: str) -> Iterator[RunService]:
    """A service with one worker, ready: an embedded one, or Celery's on an emptied Redis."""
    worker = None
    if redis_url is not None:
        client = redis.Redis.from_url(redis_url)
        client.flushall()
        client.close()
        settings = replace(settings, redis_url=redis_url)
        worker = start_celery(settings, name, settings.home / "celery.log")
    made = RunService(settings)
    made.start()
    try:
        wait_for(lambda: made.workers == 1, 240)
        yield made
    finally:
        made.close()
        if worker is not None:
            end_group(worker)


def redis_of(request: pytest.FixtureRequest) -> str | None:
    """The address of the test's Redis, where the parameter of a fixture asks for it."""
    return str(request.getfixturevalue("redis_server").url) if request.param == "redis" else None
