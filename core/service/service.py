"""Runs as the rest of the product sees them: submit, look, stop.

A run is named by what is asked, so that any number of people who ask the same thing
watch one computation. Looking never starts one; it only wakes a run that was paused
because nobody was looking.
"""

import threading
import time
from contextlib import suppress
from dataclasses import replace

from core.config.run_config import RunConfig, check_cost
from core.problem.csv import canonical_csv, parse_csv
from core.service.accounts import Client, person_of
from core.service.audience import Audience
from core.service.backend import Backend, connect, connect_studies
from core.service.desk.desk import Desk
from core.service.desk.prices import Estimates
from core.service.events import tell
from core.service.files.library import StoreWithLibrary
from core.service.files.logbook import open_logbook
from core.service.files.uploads import UploadQuotas
from core.service.people import People
from core.service.presence import Presence
from core.service.queue import QueueFullError
from core.service.records import decode_frame
from core.service.room import Room
from core.service.settings import Settings
from core.service.snapshot import RunInfo, Snapshot
from core.service.store import ENDED, Order, RunState, RunStatus, Store
from core.service.studies.service import Studies
from core.service.workers.dispatcher import Dispatcher
from core.service.workers.kernels import awaited
from core.service.workers.reading import Reader

SNAPSHOT_SECONDS = 0.2
"""So old may be what viewers are told of a run's status."""


__all__ = ["RunInfo", "RunService"]


class RunService(Reader):
    """The one door to runs, for the API and the pages. Thread-safe."""

    def __init__(self, settings: Settings, backend: Backend | None = None) -> None:
        self.settings = settings
        self._store: Store
        self._presence: Presence
        self._dispatcher: Dispatcher
        self._store, self._presence, self._dispatcher, self.secret = backend or connect(settings)
        self._store = StoreWithLibrary(self._store, settings.library)
        super().__init__(self._store, settings.limits)
        # Of several machines any may have some.
        self.desk = Desk(settings, self, lambda: bool(settings.redis_url) or self.busy > 0)
        self.logbook = open_logbook(settings)
        self.estimates = Estimates(self.desk, lambda: self._dispatcher.workers() > 0)
        self._snapshots: dict[str, Snapshot] = {}
        self._guard = threading.RLock()
        self.audience = Audience(self._presence)
        self._uploads = UploadQuotas(self._store.datasets, settings.limits)
        self._room = Room(self._store, self._presence, settings.limits.total_bytes, self.logbook.pinned)
        self.studies = Studies(
            settings.limits,
            self._store,
            settings.study_library,
            lambda wake: connect_studies(settings, self._store, self._dispatcher, wake),
        )

    def start(self) -> None:
        """Begin to compute, left-over runs first."""
        self._dispatcher.start()
        self.studies.start()
        self.desk.start()

    def close(self) -> None:
        """Let running runs save themselves; they go on at the next start."""
        self.desk.close()
        self.studies.close()
        self._dispatcher.close()
        self._store.close()

    @property
    def people(self) -> People:
        """Which browsers are here."""
        return self._presence.people

    @property
    def workers(self) -> int:
        """Workers that are ready."""
        return self._dispatcher.workers()

    @property
    def busy(self) -> int:
        """Single runs that are queued or running."""
        return self._dispatcher.busy()

    @property
    def done(self) -> tuple[float, int]:
        """Epochs of single runs that were computed so far, and frames that were stored."""
        return self._dispatcher.done()

    def upload(self, text: str, client: Client) -> tuple[str, tuple[str, ...]]:
        """Keep pasted or uploaded CSV; its name, and what was done to it."""
        points, notes = parse_csv(text, self.settings.limits)
        return self._uploads.keep(canonical_csv(points), client.quota), notes

    def submit(self, config: RunConfig, client: Client) -> tuple[RunInfo, bool]:
        """Have a run computed up to the config's budget; its info, and whether it is new here.
        ValueError when it would cost too much; QueueFullError when there is no room.
        """
        check_cost(config, self.settings.limits)
        run_id = config.run_id
        with self._guard:
            snapshot = self._look(run_id, fresh=True)
            if snapshot is None:
                self._room.check(lambda other: self.status(other) in ENDED)
            self._order(run_id, config, client, snapshot)
            self._snapshots.pop(run_id, None)
            self._presence.touch(run_id, client.viewer)
            info = self.info(run_id)
        assert info is not None
        tell("run asked for", run=run_id, client=client.handle, query=info.query, new=snapshot is None)
        if client.known:
            self.logbook.add(client.handle, run_id, config.to_query(limits=self.settings.limits))
        return info, snapshot is None

    def info(self, run_id: str) -> RunInfo | None:
        """What is known of a run; None when the server does not have it."""
        snapshot = self._look(run_id)
        if snapshot is None:
            return None
        order, state = snapshot.order, snapshot.state
        progress = self._dispatcher.progress(run_id) if snapshot.status == "running" else None
        frames = self._store.count(run_id)
        epoch, loss = state.epoch, state.loss
        if snapshot.status == "running" or state.frames != frames:
            for payload in self._store.payloads(run_id, frames - 1, frames):
                last = decode_frame(payload)
                epoch, loss = last.epoch, last.loss
        begun = frames > 1 or (progress is not None and progress.rate > 0)
        waits = "" if begun or snapshot.status in ENDED else awaited(order.query, order.placed)
        return RunInfo(
            id=run_id,
            query=order.query,
            status=snapshot.status,
            reason=state.reason if snapshot.status not in ("queued", "running") else waits,
            outcome=state.outcome if snapshot.status in ENDED else "",
            epoch=max(epoch, progress.epoch) if progress else epoch,
            loss=loss,
            frames=frames,
            epochs=order.epochs,
            rate=progress.rate if progress else 0.0,
            seconds=state.seconds,
            position=self._dispatcher.position(run_id) if snapshot.status == "queued" else None,
            watching=self._presence.watching(run_id),
            starter=order.starter,
            placed=order.placed,
        )

    def status(self, run_id: str) -> RunStatus | None:
        """The status alone, cheaply; it may be a moment old."""
        snapshot = self._look(run_id)
        return snapshot.status if snapshot else None

    def watch(self, run_id: str, client: Client | None) -> None:
        """Somebody is looking: count the viewer, and wake a run that was paused or has fallen out of the
        queue, on the account of whoever looks; it stays as it is while that has no room."""
        if client is None:
            return
        self._presence.touch(run_id, client.viewer)
        snapshot = self._look(run_id)
        if snapshot is not None and snapshot.asleep:
            with self._guard, suppress(QueueFullError):
                self._dispatcher.enqueue(run_id, client.quota)
                self._store.place(run_id, replace(snapshot.order, quota=client.quota))
                self._snapshots.pop(run_id, None)

    def under_way(self) -> list[str]:
        """Runs that workers have, and that wait for one."""
        return self._dispatcher.under_way()

    def stored(self) -> tuple[int, int | None]:
        """How many runs are stored, and the bytes that they took up when they were last looked at."""
        return len(self._store.runs()), self._room.taken

    def rooms(self) -> list[str]:
        """Rooms in which somebody presents."""
        return self._presence.rooms()

    def stop(self, run_id: str, client: Client | None) -> RunInfo | None:
        """Stop a run; PermissionError for anybody but its starter and, None, who looks after the server."""
        with self._guard:
            snapshot = self._look(run_id, fresh=True)
            if snapshot is None:
                return None
            if client is not None and snapshot.order.starter != client.handle:
                raise PermissionError("Only the browser that started a run can stop it.")
            if snapshot.status not in ENDED:
                self._store.place(run_id, replace(snapshot.order, wanted="stop"))
                if snapshot.status == "paused":
                    self._write(run_id, snapshot.state.but(status="stopped", reason=""))
                self._dispatcher.stop(run_id)
            self._snapshots.pop(run_id, None)
        return self.info(run_id)

    def publish(self, room: str, document: str) -> None:
        """What the presenter of a room shows now, for all who follow."""
        self._presence.publish(room, document)

    def published(self, room: str) -> str | None:
        """What the presenter of a room shows; None when there is none."""
        return self._presence.published(room)

    def _look(self, run_id: str, *, fresh: bool = False) -> Snapshot | None:
        known = self._snapshots.get(run_id)
        now = time.monotonic()
        if known is not None and not fresh and now - known.taken < SNAPSHOT_SECONDS:
            return known
        order = self._store.order(run_id)
        if order is None:
            self._snapshots.pop(run_id, None)
            return None
        running = self._dispatcher.progress(run_id) is not None
        queued = not running and self._dispatcher.position(run_id) is not None
        state = self._dispatcher.last_word(run_id) or self._store.state(run_id)
        status: RunStatus = "running" if running else "queued" if queued else state.status
        lost = state.status == "queued" and not running and not queued and order.wanted == "run"
        asleep = status == "paused" or lost
        if status == "running" and not running:
            # Between two workers, or between a worker's last write and its last word.
            status = "queued"
        if status not in ("queued", "running") and self._store.count(run_id) < state.frames:
            whole = self._store.count(run_id)
            reason = f"Its stored frames are damaged from frame {whole} on. Run it again to recompute them."
            state, status = state.but(status="failed", reason=reason, outcome="", frames=whole), "failed"
        if len(self._snapshots) > 1_000:
            self._snapshots.clear()
        snapshot = Snapshot(order, state, status, now, asleep)
        self._snapshots[run_id] = snapshot
        return snapshot

    def _order(self, run_id: str, config: RunConfig, client: Client, known: Snapshot | None) -> None:
        """Place or change the order, and queue the run where there is something left to do."""
        limits = self.settings.limits
        epochs = max(config.epochs, known.order.epochs if known else 0.0)
        wanted = config if epochs == config.epochs else config.with_epochs(epochs, limits=limits)
        order = Order(wanted.to_query(limits=limits), epochs, client.handle, client.quota, time.time())
        if config.dataset is not None:
            self._store.datasets.keep(config.dataset[1])
        if known is None:
            self._store.place(run_id, order)
        elif known.status in ("queued", "running"):
            if epochs > known.order.epochs:
                if person_of(client.quota) != person_of(known.order.quota):
                    # Whoever wants more of somebody else's run answers for it from now on.
                    self._dispatcher.charge(run_id, client.quota)
                self._store.place(
                    run_id, replace(known.order, query=order.query, epochs=epochs, quota=client.quota)
                )
            if known.status == "queued":
                # Queued already, as a rule; not if a process died between the order and the queue.
                self._dispatcher.enqueue(run_id, known.order.quota, again=True)
            return
        elif (
            known.state.outcome in ("trained", "settled", "diverged")
            or (known.state.outcome == "budget" and epochs <= known.state.epochs)
            or (known.status in ("stopped", "paused") and known.state.epoch >= config.epochs)
        ):
            return
        else:
            # A run that only rests stays its starter's, who alone may stop it.
            starter = known.order.starter if known.status == "paused" else client.handle
            self._store.place(run_id, replace(order, placed=known.order.placed, starter=starter))
            self._write(run_id, known.state.but(status="queued", deaths=0))
        try:
            self._dispatcher.enqueue(run_id, client.quota)
        except QueueFullError:
            if known is None:
                self._store.delete(run_id)
            else:
                self._store.place(run_id, known.order)
                self._write(run_id, known.state)
            raise

    def _write(self, run_id: str, state: RunState) -> None:
        with self._store.claim(run_id) as claim:
            claim.write(state.but(updated=time.time()))
