"""Runs as the rest of the product sees them: submit, look, stop.

A run is named by what is asked, so that any number of people who ask the same thing
watch one computation. Looking changes nothing, except that it wakes a run that was
paused because nobody was looking, which is a transition like any other. Every change
is made to the run's record (core.service.lifecycle); queue and workers follow it.
"""

import time
from contextlib import suppress
from typing import Any

from ..config.codec import scale_in
from ..config.run_config import RunConfig
from ..config.run_list import check_cost
from . import lifecycle
from .accounts import Client, person_of
from .backend import Backend, connect
from .disk_quota import DiskQuota
from .events import log_event
from .files.library import StoreWithLibrary
from .files.run_history import RunHistory
from .files.tokens import Tokens
from .files.uploads import UploadQuotas
from .people import People
from .presence import Presentations
from .queries.estimates import Estimates
from .queries.incoming import read_incoming
from .queries.service import QueryService
from .queue import QueueFullError
from .records import decode_frame
from .remaining import RemainingTimes
from .run_record import ENDED, Record, Request, RunInfo, RunStatus
from .settings import Settings
from .store import StorageFullError
from .studies.service import Studies
from .workers.kernel_jobs import KernelJobs
from .workers.kernels import method_of
from .workers.reading import Reader

SNAPSHOT_SECONDS = 0.2
"""So old may be what viewers are told of a run's status."""


__all__ = ["RunInfo", "RunService"]


class RunService(Reader):
    """The one door to runs, for the API and the pages. Thread-safe."""

    def __init__(self, settings: Settings, backend: Backend | None = None) -> None:
        self.settings = settings
        backend = backend or connect(settings)
        self.pool, self.secret = backend.pool, backend.secret
        self._store = StoreWithLibrary(backend.store, settings.library)
        self._presence, self._scheduler = backend.presence, backend.scheduler
        super().__init__(self._store, settings.limits)
        self.queries = QueryService(settings, self, self.pool)
        self._kernels = KernelJobs(self.pool)
        self.history = RunHistory(backend.documents("histories"))
        self.tokens = Tokens(backend.documents("tokens"))
        self.estimates = Estimates(self.queries, lambda: self._scheduler.workers() > 0)
        self._seen: dict[str, tuple[float, Record]] = {}
        """What was last read of runs, and when."""
        self._times = RemainingTimes(1_000)
        self.presentations = Presentations(self._presence)
        self._uploads = UploadQuotas(self._store.datasets, settings.limits)
        largest = settings.limits.total_bytes
        self._disk_quota = DiskQuota(self._store, self._presence, largest, self.history.pinned)
        self.studies = Studies(
            settings.limits,
            self._store,
            settings.study_library,
            backend.studies,
            backend.portion_workers,
            self.pool,
            self.estimates.seconds,
            self._kernels.seconds_left,
        )

    def start(self) -> None:
        """Begin to compute, left-over runs first."""
        self._scheduler.start()
        self.queries.start()
        self.pool.start()

    def close(self) -> None:
        """Let running runs save themselves; they go on at the next start."""
        self.queries.close()
        self.pool.close()
        self.studies.close()
        self._scheduler.close()
        self._presence.close()
        self._store.close()

    @property
    def people(self) -> People:
        """Which browsers are here."""
        return self._presence.people

    @property
    def workers(self) -> int:
        """Workers that are ready."""
        return self._scheduler.workers()

    def troubles(self) -> list[str]:
        """What keeps the thread that hands out work from doing so, a sentence each."""
        return self.pool.troubles.sentences()

    @property
    def busy(self) -> int:
        """Single runs that are queued or running."""
        return self._scheduler.busy()

    @property
    def done(self) -> tuple[float, int]:
        """Epochs of single runs that were computed so far, and frames that were stored."""
        return self._scheduler.done()

    def upload(self, text: str, client: Client) -> tuple[str, tuple[str, ...]]:
        """Keep pasted or uploaded CSV; its name, and what was done to it."""
        found = self.read_file(text.encode(errors="surrogatepass"), (), client)
        return self.keep(found["csv"], client), tuple(found["notes"])

    def read_file(self, content: bytes, columns: tuple[str, ...], client: Client) -> dict[str, Any]:
        """What is in a file (core.problem.tables.document), with these columns as x, y and weight; without
        any, in the text of two or three."""
        return read_incoming(content, columns, client.quota, self.queries, self.settings.limits)

    def keep(self, csv: str, client: Client) -> str:
        """Keep data in their canonical text; their name."""
        return self._uploads.keep(csv, client.quota)

    def submit(self, config: RunConfig, client: Client) -> tuple[RunInfo, bool]:
        """Have a run computed up to the config's budget; its info, and whether it is new here.
        ValueError when it would cost too much; QueueFullError when there is no free place.
        """
        limits = self.settings.limits
        check_cost(config, limits)
        run_id, query = config.run_id, config.to_query(limits=limits)
        request = Request(query, config.epochs, client.handle, client.quota, time.time())

        def submitted(record: Record | None) -> Record:
            return lifecycle.submit(self._undamaged(run_id, record), request)

        if config.dataset is not None:
            self._store.datasets.keep(config.dataset[1])
        known = self._store.record(run_id)
        if known is None:
            self._disk_quota.check(self._removable)
        self._make_way(run_id, known, submitted(known), client)
        record = None
        try:
            before, record = self._store.change(run_id, submitted)
        finally:
            # A worker may have begun, or ended, since the change.
            record = self._scheduler.follow(run_id, record)
        self._remember(run_id, self._undamaged(run_id, record))
        self._presence.touch(run_id, client.viewer)
        info = self.info(run_id)
        assert info is not None
        log_event("run asked for", run=run_id, client=client.handle, query=info.query, new=before is None)
        if client.known:
            self.history.add(client.handle, run_id, query)
        return info, before is None

    def _make_way(self, run_id: str, known: Record | None, asked: Record, client: Client) -> None:
        """A place in the queue for what is about to be asked; QueueFullError when there is none."""
        if asked.status == "queued" and (known is None or known.status not in ("queued", "running")):
            self._scheduler.enqueue(run_id, client.quota)
        elif known is not None and person_of(known.request.quota) != person_of(asked.request.quota):
            self._scheduler.charge(run_id, client.quota)

    def info(self, run_id: str) -> RunInfo | None:
        """What is known of a run; None when the server does not have it."""
        record = self._look(run_id)
        if record is None:
            return None
        request, state = record.request, record.state
        progress = self._scheduler.progress(run_id) if record.status == "running" else None
        recorded, present = self.recorded(run_id), self.present(run_id)
        frames = recorded if present is None else present.index + 1
        epoch, loss, seconds = state.epoch, state.loss, state.seconds
        if present is not None:
            epoch, loss, seconds = present.epoch, present.loss, max(seconds, present.seconds)
        elif record.status == "running" or state.frames != recorded:
            for payload in self._store.payloads(run_id, recorded - 1, recorded):
                last = decode_frame(payload)
                epoch, loss, seconds = last.epoch, last.loss, max(seconds, last.seconds)
        rate = progress.rate if progress else 0.0
        full_speed = 0.0 if progress is None or progress.is_interpreted else rate
        reached = progress.epoch if progress else 0.0
        is_active = record.status in ("queued", "running")
        outcome = state.outcome if record.status in ENDED else ""
        return RunInfo(
            id=run_id,
            query=request.query,
            status=record.status,
            reason=self._kernels.warming_up(method_of(request.query)) if is_active else state.reason,
            outcome=outcome,
            epoch=max(epoch, reached),
            loss=None if loss is None else scale_in(request.query).loss(loss),
            frames=frames,
            epochs=request.epochs,
            rate=rate,
            seconds=seconds,
            position=self._scheduler.position(run_id) if record.status == "queued" else None,
            watching=self._presence.watching(run_id),
            starter=request.starter,
            placed=request.placed,
            remaining=self._times.of_run(run_id, request.epochs, reached, full_speed),
            active=is_active,
            may_continue=record.status in ("stopped", "paused") or outcome == "budget",
        )

    def status(self, run_id: str) -> RunStatus | None:
        """The status alone, cheaply; it may be a moment old."""
        record = self._look(run_id)
        return record.status if record else None

    def watch(self, run_id: str, client: Client | None) -> None:
        """Somebody is looking: count the viewer, and wake a run that was paused because nobody did, on the
        account of whoever looks; it stays as it is while that has no free place, or nothing can be
        written."""
        if client is None:
            return
        self._presence.touch(run_id, client.viewer)
        record = self._look(run_id)
        if record is None:
            return
        if record.wakes:
            with suppress(QueueFullError, StorageFullError):
                self._wake(run_id, client.quota)
        elif record.status in ("queued", "running") and not self._scheduler.has(run_id):
            # A process died between a record and the queue, or Redis has forgotten the queue.
            self._scheduler.follow(run_id)
            self._seen.pop(run_id, None)

    def _wake(self, run_id: str, quota: str) -> None:
        self._scheduler.enqueue(run_id, quota)
        try:
            _, record = self._store.change(
                run_id, lambda known: lifecycle.wake(known, quota) if known else None
            )
            self._remember(run_id, record)
        finally:
            self._scheduler.follow(run_id)

    def under_way(self) -> list[str]:
        """Runs that workers have, and that wait for one."""
        return self._scheduler.under_way()

    def stored(self) -> tuple[int, int | None]:
        """How many runs are stored, and the bytes that they took up when they were last looked at."""
        return len(self._store.runs()), self._disk_quota.taken

    def stop(self, run_id: str, client: Client | None) -> RunInfo | None:
        """Stop a run; PermissionError for anybody but its starter and, None, who looks after the server."""

        def stopped(record: Record | None) -> Record | None:
            if record is not None and client is not None and record.request.starter != client.handle:
                raise PermissionError("Only the browser that started a run can stop it.")
            return lifecycle.stop(record) if record else None

        _, record = self._store.insist(run_id, stopped)
        self._remember(run_id, self._scheduler.follow(run_id, record))
        return self.info(run_id)

    def _look(self, run_id: str) -> Record | None:
        """The record as viewers are told of it, a moment old at most. Reads alone."""
        taken, known = self._seen.get(run_id, (0.0, None))
        if known is None or time.monotonic() - taken >= SNAPSHOT_SECONDS:
            known = self._undamaged(run_id, self._store.record(run_id))
            self._remember(run_id, known)
        return known

    def _remember(self, run_id: str, record: Record | None) -> None:
        if len(self._seen) > 1_000:
            self._seen.clear()
        now = time.monotonic()
        taken, known = self._seen.get(run_id, (0.0, None))
        if record is None:
            self._seen.pop(run_id, None)
        elif known is None or record.version >= known.version or now - taken >= SNAPSHOT_SECONDS:
            # Who read before somebody else wrote comes too late with it.
            self._seen[run_id] = now, record

    def _undamaged(self, run_id: str, record: Record | None) -> Record | None:
        """A record that says more than there are frames for is seen as failed."""
        return lifecycle.damaged(record, self._store.count(run_id)) if record else None

    def _removable(self, run_id: str) -> int | None:
        """The version of a run that has ended; None for any other."""
        record = self._store.record(run_id)
        return record.version if record is not None and record.status in ENDED else None
