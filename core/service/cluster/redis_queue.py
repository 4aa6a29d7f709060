"""The fair queue of several machines, and what keeps it going.

The queue itself is in Redis (see redis_scripts); a Celery message carries no run but
says only "there is work", and whoever gets it takes the next run in turn. A message
that comes twice or late therefore finds nothing to do, and one that is lost is sent
again by the tick, which every web process and every worker calls once a second.

A worker that holds a run renews its lease. When it has been silent for longer, the
tick of anybody else counts a death and puts the run back to the front of the queue.
"""

import json
import logging
import socket
from collections.abc import Callable, Collection
from typing import Any

from ...config import NUMERICS_VERSION
from .. import lifecycle
from ..accounts import line_of, refusal
from ..people import HERE_SECONDS
from ..presence import Presence
from ..queue import FairQueue
from ..records import DamageError
from ..run_record import Record
from ..settings import Settings
from ..store import ClaimedError, StoreError
from ..workers.compute import Progress
from . import redis_scripts as scripts
from .redis_connection import PREFIX, add_once, key
from .redis_people import LAST, RedisPeople
from .redis_store import RedisStore

_QUEUE = f"{PREFIX}queue-{NUMERICS_VERSION}:"
"""A queue for each version of the numerics: workers of an older one never take newer work."""
LINES, WAITING, OWNERS, RUNNING, RESTING = (
    _QUEUE + part for part in ("lines", "waiting", "quotas", "running", "resting")
)
LINE = f"{_QUEUE}runs:"
WORKERS, REAPER = f"{PREFIX}workers-{NUMERICS_VERSION}", f"{PREFIX}reaper-{NUMERICS_VERSION}"
DONE = f"{PREFIX}done"
MESSAGES = f"plateau-work-{NUMERICS_VERSION}"
"""Celery's queue: a Redis list of this name, behind the prefix."""
_WORKER_SECONDS = 10
_FRESH_SECONDS = 5
"""A worker reports twice a second; the rate of one that has been silent for so long is not what it was."""
_AWAY_LEASES = 4
"""A Redis that has been up for fewer leases than this may have kept workers from renewing theirs."""

log = logging.getLogger(__name__)


class RedisQueue:
    """Shared by web processes and workers; `call` sends a Celery message."""

    def __init__(
        self, settings: Settings, store: RedisStore, presence: Presence, call: Callable[[], None]
    ) -> None:
        self._settings, self._store, self._presence, self._call = settings, store, presence, call
        self._client = store.client

    def enqueue(self, run_id: str, quota: str) -> None:
        """See RunScheduler."""
        if self._enqueue(run_id, quota, 0):
            self._call()

    def follow(self, run_id: str) -> None:
        """See RunScheduler: workers look at the record themselves for a command."""
        record = self._store.record(run_id)
        self._act(run_id, record)
        # What was read may be old by the time it is acted on; then there is something newer to act on.
        while (newer := self._store.record(run_id)) != record:
            record = newer
            self._act(run_id, record)

    def _act(self, run_id: str, record: Record | None, *, back: bool = False) -> None:
        """`back`: whoever had the run gives it up, in one go with what else there is to do."""
        if record is not None and record.status == "queued":
            if self._enqueue(run_id, record.request.quota, 2 if back else 1):
                self._call()
        elif back:
            self.leave(run_id)
        elif record is not None and record.status == "running":
            self._eval(scripts.ADOPT, [RUNNING], [run_id, self._settings.lease_seconds])
        else:
            self.remove(run_id)
            self.leave(run_id)

    def give_up(self, run_id: str) -> None:
        """The worker that had the run, or whoever found it dead, is done with it; it waits again if its
        record says so."""
        self._act(run_id, self._store.record(run_id), back=True)
        self.follow(run_id)

    def has(self, run_id: str) -> bool:
        """See RunScheduler."""
        pipeline = self._client.pipeline(transaction=False)
        pipeline.hexists(WAITING, run_id).zscore(RUNNING, run_id)
        waits, lease = pipeline.execute()
        return bool(waits) or lease is not None

    def charge(self, run_id: str, quota: str) -> None:
        """Somebody else answers for the run from now on; its place does not change."""
        self._enqueue(run_id, quota, 3)

    def _enqueue(self, run_id: str, quota: str, how: int) -> bool:
        limits = self._settings.limits
        largest = [limits.queued, limits.per_address, limits.per_client]
        arguments = [run_id, quota, line_of(quota), how, *largest, LINE]
        code, *numbers = self._eval(scripts.ENQUEUE, [LINES, WAITING, OWNERS, RUNNING], arguments)
        if code == -1 and (refused := refusal(numbers[0], numbers[1], numbers[2], limits)) is not None:
            raise refused
        return bool(code == 1)

    def take(self, limit: int = 0) -> str | None:
        """The next run in turn, from now on this worker's; of lines with fewer than `limit` under way."""
        limit = limit or self._settings.limits.running_per_client
        arguments = [self._settings.lease_seconds, LINE, limit, HERE_SECONDS]
        run_id = self._eval(scripts.NEXT, [LINES, WAITING, OWNERS, RUNNING, LAST], arguments)
        return run_id.decode() if run_id else None

    def keep(self, run_id: str) -> None:
        """The worker that has the run is alive."""
        self._eval(scripts.KEEP, [RUNNING], [run_id, self._settings.lease_seconds])

    def rest(self, begun: Collection[str], over: Collection[str]) -> None:
        """Of the runs that take turns on a worker these wait from now on, and those no more."""
        pipeline = self._client.pipeline()
        if begun:
            pipeline.sadd(RESTING, *begun)
        if over:
            pipeline.srem(RESTING, *over)
        pipeline.execute()

    def leave(self, run_id: str) -> None:
        """The worker that had the run is done with it."""
        self._eval(scripts.LEAVE, [WAITING, OWNERS, RUNNING], [run_id])

    def remove(self, run_id: str) -> bool:
        """Take a run out of the queue; whether it was there."""
        return bool(self._eval(scripts.REMOVE, [LINES, WAITING, OWNERS], [run_id, LINE]))

    def running(self, run_id: str) -> bool:
        """Whether a worker has it."""
        return self._client.zscore(RUNNING, run_id) is not None

    def queued(self, run_id: str) -> bool:
        """Whether it waits."""
        return bool(self._client.hexists(WAITING, run_id))

    def waiting(self) -> int:
        """Runs that wait for a worker."""
        return int(self._client.hlen(WAITING))

    def under_way(self) -> list[str]:
        """Runs that workers have, and that wait for one."""
        return [
            name.decode() for name in (*self._client.zrange(RUNNING, 0, -1), *self._client.hkeys(WAITING))
        ]

    def busy(self) -> int:
        """How many these are."""
        return self.waiting() + int(self._client.zcard(RUNNING))

    def position(self, run_id: str) -> int | None:
        """Runs that go first."""
        lines = self._eval(scripts.LINES_OF_QUEUE, [LINES, WAITING], [run_id, LINE])
        queue = FairQueue()
        for line, runs in lines or ():
            for waiting in runs:
                queue.push(line.decode(), waiting.decode())
        return queue.position(run_id)

    def report(self, run_id: str, progress: Progress) -> None:
        """How far a run is."""
        told = json.dumps([progress.epoch, progress.rate])
        self._client.set(key(run_id, "progress"), told, ex=_FRESH_SECONDS)
        add_once(self._client, DONE, {"frames": progress.frames, "epochs": progress.epochs})

    def progress(self, run_id: str) -> Progress | None:
        """How far it is; None when no worker has it."""
        if not self.running(run_id):
            return None
        found = self._client.get(key(run_id, "progress"))
        return Progress(*json.loads(found)) if found else Progress(0.0, 0.0)

    def done(self) -> tuple[float, int]:
        """See RunScheduler: since Redis has been there, the same in every web process."""
        epochs, frames = self._client.hmget(DONE, "epochs", "frames")
        return float(epochs or 0.0), int(frames or 0)

    def greet(self, name: str) -> None:
        """A worker is alive."""
        self._eval(scripts.SEE, [WORKERS], [name, 0])

    def workers(self) -> int:
        """Workers that have been alive lately."""
        return int(self._eval(scripts.SINCE, [WORKERS], [_WORKER_SECONDS]))

    def tick(self) -> None:
        """Once a second: revive, pause, call. One process at a time does it for all."""
        if not self._client.set(REAPER, socket.gethostname(), nx=True, px=900):
            return
        for name in self._eval(scripts.SILENT, [RUNNING], []):
            try:
                self._revive(name.decode())
            except StoreError as error:
                # One run that cannot be read, or a Redis without memory, must not keep the others waiting.
                log.warning("run %s cannot go on: %s", name.decode(), error)
                if isinstance(error.__cause__, DamageError):
                    self.leave(name.decode())
        for name in self._client.zrange(RUNNING, 0, -1):
            if self._presence.idle(name.decode()) > self._settings.pause_after_seconds:
                self._store.change(name.decode(), lambda run: lifecycle.pause(run) if run else None)
        if self._client.hlen(WAITING) and not self._client.llen(PREFIX + MESSAGES):
            # Lost with a Redis that forgot, or eaten by a worker that died before it took a run.
            self._call()
        self._eval(scripts.FORGET, [WORKERS], [_WORKER_SECONDS])
        RedisPeople(self._client).forget()

    def _revive(self, run_id: str) -> None:
        """The lease has run out: the worker is dead, or so slow that it must not go on."""
        # Of several runs that took turns, the one whose turn it was has cost the worker; none has cost it
        # where nobody could renew a lease because Redis itself was away.
        resting = self._client.srem(RESTING, run_id)
        away = self._client.info("server")["uptime_in_seconds"] < _AWAY_LEASES * self._settings.lease_seconds
        most, guilty = self._settings.deaths, not (resting or away)
        reason = "Its worker fell silent {deaths} times; it was given up."

        def died(record: Record) -> Record:
            attempt = record.state.attempt
            return lifecycle.die(record, attempt, guilty=guilty, most=most, reason=reason)

        if self._store.record(run_id) is not None:
            try:
                with self._store.claim(run_id) as claim:
                    log.warning("a worker fell silent that had run %s", run_id)
                    claim.change(died)
            except ClaimedError:
                return
        self.give_up(run_id)

    def _eval(self, script: str, keys: list[str], arguments: list[Any]) -> Any:
        return self._client.eval(script, len(keys), *keys, *arguments)
