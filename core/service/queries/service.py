"""Background queries as the web process sees them: asked for once, made elsewhere, waited for a little.

Whoever asks takes turns with the others, however much each asks. A request waits a moment for its answer and
is then told to come back, so that waiting never takes all threads of the server. An answer is a file that is
kept for a minute after it was made; what failed is not tried again for as long. What the death of a worker
means for a query, core.service.workers.deaths decides, as for runs.
"""

import gzip
import logging
import secrets
import shutil
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from ..accounts import line_of
from ..files.disk import folder_with_space
from ..queue import FairQueue, QueueFullError, Quota
from ..settings import Settings
from ..store import StoreError
from ..workers.child import FOR_ANSWERS
from ..workers.deaths import Death
from ..workers.jobs import Job, JobKind, JobSource
from ..workers.kernels import is_compiled
from ..workers.pool import WorkerPool
from ..workers.process import WorkerProcess
from ..workers.reading import Reader
from .query import INCOMING, BackgroundQuery, sets_needed, shipped_path, write_answer

WAIT_SECONDS = 4.0
"""A request waits so long for its answer before it is told to come back."""
PAGE_SECONDS = 30.0
"""So long waits a callback of the page, which cannot come back."""
KEPT_SECONDS = 60.0
KEPT_BYTES = 1 << 29
ASKED = Quota("answers being made", person=64, address=256, total=1_024, retry_after=2)
INCOMING_FILES = Quota("files still being read", person=4, address=32, total=64, retry_after=1)
"""A long queue of them would be given up before it is through."""
PREFIX = "answers-"
CLOSING = "The server is shutting down."

log = logging.getLogger(__name__)


class NotYetError(Exception):
    """The answer is being made; ask again after so many seconds."""

    def __init__(self, ahead: int) -> None:
        super().__init__(f"This answer is being made; {ahead} others go first." if ahead else "Being made.")
        self.ahead, self.retry_after = ahead, 1


@dataclass(eq=False)
class QueryJob:
    """A query that was asked, and what came of it."""

    query: BackgroundQuery
    path: Path
    quota: str = ""
    """Of who asked first."""
    done: threading.Event = field(default_factory=threading.Event)
    ended: float = 0.0
    failure: str = ""
    """Why there is no answer."""
    deaths: int = 0
    """Workers that died over it."""
    sets: tuple[str, ...] = ()
    """The sets of kernels that the answer needs."""
    waits: bool = False
    """For its kernels: the interpreter took too long."""

    def suits(self, *, is_interpreted: bool) -> bool:
        """Whether a worker of this sort shall have it."""
        compiled = all(map(is_compiled, self.sets))
        return not (compiled or self.waits) if is_interpreted else compiled


class QueryService(JobSource):
    """See JobSource. Thread-safe. Until the pool is started, answers are made by whoever asks."""

    def __init__(self, settings: Settings, reader: Reader, pool: WorkerPool) -> None:
        self._settings, self._reader, self._pool = settings, reader, pool
        limit = settings.limits.answer_seconds
        self.kind = JobKind(
            "query",
            niceness=FOR_ANSWERS,
            workers=settings.query_workers,
            seconds=limit,
            busy_seconds=limit,
            is_never_cold=True,
        )
        self.module = ""
        """A module that workers import before their first query: it may register further kinds."""
        self._folders: dict[Path, Path] = {}
        """Where answers lie, by the disk."""
        self._jobs: dict[str, QueryJob] = {}
        self._queue = FairQueue()
        self._waiting, self._made, self._closed = 0, 0, False
        self._making = threading.Lock()
        """For folders: a disk that is slow holds up nobody who needs the lock of the pool."""
        pool.add(self)

    def start(self) -> None:
        """Remove what an earlier server has left behind."""
        self._sweep()

    def close(self) -> None:
        """Who still waits is told that there is no answer."""
        with self._pool.lock:
            self._closed = True
            for job in self._jobs.values():
                self._end(job, job.failure or CLOSING)
            self._jobs.clear()
            self._queue = FairQueue()
        for folder in self._folders.values():
            shutil.rmtree(folder, ignore_errors=True)

    def ask(self, query: BackgroundQuery, client: str, patience: float = WAIT_SECONDS) -> BinaryIO:
        """The answer as an open file, which may be gone from its folder before it is read.

        NotYetError and QueueFullError say when to ask again, StoreError why there is none.
        """
        query = self.dated(query)
        shipped = shipped_path(self._settings.answer_library, query)
        if shipped.exists():
            return shipped.open("rb")
        job = self._made_in_time(query, client, patience)
        if job.failure and self.dated(query) != query:
            # The run has gone on meanwhile: the next who ask get an answer about what it shows now.
            raise NotYetError(0)
        if job.failure:
            raise StoreError(job.failure)
        return job.path.open("rb")

    def _made_in_time(self, query: BackgroundQuery, client: str, patience: float) -> QueryJob:
        path, sets = self.scratch(secrets.token_hex(8)), sets_needed(self._reader, query)
        if not self._pool.is_started:
            return self._answer_here(query, path)
        with self._pool.lock:
            if self._closed:
                raise StoreError(CLOSING)
            job = self._jobs.get(query.key) or self._ask(query, client, path, sets)
            if not job.done.is_set():
                if self._waiting >= max(1, self._settings.threads // 2):
                    raise NotYetError(self._queue.position(query.key) or 0)
                self._waiting += 1
                try:
                    self._pool.lock.wait_for(job.done.is_set, patience)
                finally:
                    self._waiting -= 1
            if not job.done.is_set():
                raise NotYetError(self._queue.position(query.key) or 0)
            return job

    def dated(self, query: BackgroundQuery) -> BackgroundQuery:
        """The query, with the present frames that its answer may be made from."""
        if not query.head and not query.number:
            return query
        return replace(query, present=self._reader.presents(*query.run.split(",")))

    def table(self, query: BackgroundQuery, client: str, patience: float = WAIT_SECONDS) -> Any:
        """A table as it is, for the pages; errors as above."""
        with self.ask(query, client, patience) as file:
            return orjson.loads(gzip.decompress(file.read()))

    def table_in_time(self, query: BackgroundQuery, client: str) -> Any:
        """The same for a callback of the page, which cannot come back; None when it cannot be had in time."""
        with suppress(NotYetError, QueueFullError, StoreError):
            return self.table(query, client, PAGE_SECONDS)
        return None

    def scratch(self, name: str) -> Path:
        """Where something may be put for a worker to read; it is gone when the service is closed."""
        disk = folder_with_space(self._settings.home)
        with self._making:
            if self._closed:
                raise StoreError(CLOSING)
            if disk not in self._folders:
                disk.mkdir(parents=True, exist_ok=True)
                self._folders[disk] = Path(tempfile.mkdtemp(prefix=PREFIX, dir=disk))
            return self._folders[disk] / name

    def figures(self) -> dict[str, float]:
        """For whoever looks after the server."""
        with self._pool.lock:
            workers = len(self._pool.workers("query"))
            return {"workers": workers, "queued": len(self._queue), "made": self._made}

    def _ask(self, query: BackgroundQuery, client: str, path: Path, sets: tuple[str, ...]) -> QueryJob:
        under_way = [job for job in self._jobs.values() if not job.done.is_set()]
        ASKED.check(client, [job.quota for job in under_way])
        if query.kind == INCOMING:
            INCOMING_FILES.check(client, [job.quota for job in under_way if job.query.kind == INCOMING])
        job = self._jobs[query.key] = QueryJob(query, path, client, sets=sets)
        self._queue.push(line_of(client), query.key)
        self._pool.assign(self)
        self._pool.wake()
        return job

    def _answer_here(self, query: BackgroundQuery, path: Path) -> QueryJob:
        write_answer(self._reader, query, path)
        job = self._jobs[query.key] = QueryJob(query, path)
        self._end(job)
        self.tick()
        return job

    def tick(self) -> None:
        """Forget old answers, and the oldest when all together are too large."""
        with self._pool.lock:
            self._hand_over()
            ended = [job for job in self._jobs.values() if job.done.is_set()]
        ended.sort(key=lambda job: job.ended)
        sizes = {job: job.path.stat().st_size if job.path.exists() else 0 for job in ended}
        total = sum(sizes.values())
        for job in ended:
            is_old = time.monotonic() - job.ended > KEPT_SECONDS
            if is_old or (total > KEPT_BYTES and job is not ended[-1]):
                total -= sizes[job]
                with self._pool.lock:
                    self._jobs.pop(job.query.key, None)
                job.path.unlink(missing_ok=True)

    def _hand_over(self) -> None:
        """What the interpreter is at is left to a compiled worker as soon as its kernels are there."""
        for worker in self._pool.workers("query"):
            jobs = worker.jobs.values() if worker.is_interpreted else ()
            if any(job.suits(is_interpreted=False) for job in jobs):
                worker.kill()

    def wants_worker(self, *, is_interpreted: bool) -> bool:
        return any(self._jobs[key].suits(is_interpreted=is_interpreted) for key in self._queue.runs())

    def cold_sets(self) -> list[str]:
        return [name for job in self._jobs.values() if not job.done.is_set() for name in job.sets]

    def next_job(self, worker: WorkerProcess, is_full: bool) -> Job | None:  # noqa: ARG002
        key = self._queue.pop(
            lambda _: True, lambda key: self._jobs[key].suits(is_interpreted=worker.is_interpreted)
        )
        if key is None:
            return None
        job = self._jobs[key]
        return Job(key, {"query": asdict(job.query), "path": str(job.path), "module": self.module}, job)

    def on_message(self, worker: WorkerProcess, event: dict[str, Any]) -> None:
        with self._pool.lock:
            worker.jobs.pop(event["job"], None)
            self._made += 1
            if (job := self._jobs.get(event["job"])) is not None:
                self._end(job, event["failure"])

    def on_death(self, worker: WorkerProcess, name: str, death: Death) -> None:
        with self._pool.lock:
            worker.jobs.pop(name, None)
            job = self._jobs.get(name)
            if job is None or job.done.is_set():
                return
            job.deaths += death.is_guilty and not worker.is_interpreted
            if not worker.is_interpreted and death.is_final(job.deaths, self._settings):
                how = f"its process died ({death.how})"
                if death.is_overdue:
                    how = f"it took longer than {self._settings.limits.answer_seconds:g} s"
                self._end(job, f"This could not be computed: {how}.")
                return
            # The interpreter was too slow, or the kernels are there by now.
            job.waits = job.waits or worker.is_interpreted
            self._queue.push(line_of(job.quota), name, front=True)

    def _end(self, job: QueryJob, failure: str = "") -> None:
        if not job.done.is_set():
            job.failure, job.ended = failure, time.monotonic()
            job.done.set()
            self._pool.wake()

    def _sweep(self) -> None:
        """What an earlier server left behind: nothing in a folder that is in use gets old."""
        for folder in self._settings.home.glob(f"{PREFIX}*"):
            with suppress(OSError):
                if time.time() - folder.stat().st_mtime > 10 * KEPT_SECONDS:
                    shutil.rmtree(folder)
