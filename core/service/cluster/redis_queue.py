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
import time
from collections.abc import Callable, Collection
from typing import Any

from core.config import NUMERICS_VERSION
from core.service.accounts import line_of, refusal
from core.service.cluster import redis_scripts as scripts
from core.service.cluster.redis_connection import PREFIX, key
from core.service.cluster.redis_people import LAST, RedisPeople
from core.service.cluster.redis_store import RedisStore
from core.service.people import HERE_SECONDS
from core.service.presence import Presence
from core.service.queue import FairQueue
from core.service.records import DamageError
from core.service.settings import Settings
from core.service.store import ClaimedError, StoreError
from core.service.workers.compute import Progress, Wish
from core.service.workers.dispatcher import NOT_WATCHED, STOPPED

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

    def enqueue(self, run_id: str, quota: str, *, again: bool = False, back: bool = False) -> None:
        """Queue a run and call for a worker; `back` takes it from the worker that had it, in one go."""
        if self._enqueue(run_id, quota, 2 if back else int(again)):
            self._client.delete(key(run_id, "wish"))
            self._call()

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
        self._client.zrem(RUNNING, run_id)
        if not self._client.hexists(WAITING, run_id):
            self._client.hdel(OWNERS, run_id)

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
        if not self.queued(run_id):
            return None
        queue = FairQueue()
        for line in self._client.lrange(LINES, 0, -1):
            for waiting in self._client.lrange(LINE + line.decode(), 0, -1):
                queue.push(line.decode(), waiting.decode())
        return queue.position(run_id)

    def wish(self, run_id: str, wish: Wish, reason: str) -> None:
        """Ask the worker that has a run to do something else."""
        self._client.set(key(run_id, "wish"), json.dumps([wish, reason]), ex=3600)

    def wished(self, run_id: str) -> tuple[Wish, str]:
        """What has been asked of the worker that has the run."""
        found = self._client.get(key(run_id, "wish"))
        if not found:
            return "", ""
        wish, reason = json.loads(found)
        return wish, reason

    def report(self, run_id: str, progress: Progress) -> None:
        """How far a run is."""
        pipeline = self._client.pipeline()
        pipeline.set(key(run_id, "progress"), json.dumps([progress.epoch, progress.rate]), ex=60)
        pipeline.hincrbyfloat(DONE, "epochs", progress.epochs).hincrby(DONE, "frames", progress.frames)
        pipeline.execute()

    def progress(self, run_id: str) -> Progress | None:
        """How far it is; None when no worker has it."""
        if not self.running(run_id):
            return None
        found = self._client.get(key(run_id, "progress"))
        return Progress(*json.loads(found)) if found else Progress(0.0, 0.0)

    def done(self) -> tuple[float, int]:
        """See Dispatcher: since Redis has been there, the same in every web process."""
        epochs, frames = self._client.hmget(DONE, "epochs", "frames")
        return float(epochs or 0.0), int(frames or 0)

    def greet(self, name: str) -> None:
        """A worker is alive."""
        self._client.zadd(WORKERS, {name: time.time()})

    def workers(self) -> int:
        """Workers that have been alive lately."""
        return int(self._client.zcount(WORKERS, time.time() - _WORKER_SECONDS, "+inf"))

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
                self.wish(name.decode(), "pause", NOT_WATCHED)
        if self._client.hlen(WAITING) and not self._client.llen(PREFIX + MESSAGES):
            # Lost with a Redis that forgot, or eaten by a worker that died before it took a run.
            self._call()
        self._client.zremrangebyscore(WORKERS, "-inf", time.time() - _WORKER_SECONDS)
        RedisPeople(self._client).forget()

    def _revive(self, run_id: str) -> None:
        """The lease has run out: the worker is dead, or so slow that it must not go on."""
        owner = (self._client.hget(OWNERS, run_id) or b"").decode()
        order, state = self._store.order(run_id), self._store.state(run_id)
        if order is None:
            self.leave(run_id)
            return
        # Of several runs that took turns, the one whose turn it was has cost the worker; none has cost it
        # where nobody could renew a lease because Redis itself was away.
        resting = self._client.srem(RESTING, run_id)
        away = self._client.info("server")["uptime_in_seconds"] < _AWAY_LEASES * self._settings.lease_seconds
        deaths = state.deaths + (0 if resting or away else 1)
        try:
            with self._store.claim(run_id) as claim:
                if state.status not in ("queued", "running"):
                    pass
                elif order.wanted == "stop":
                    claim.write(state.but(status="stopped", reason=STOPPED, frames=claim.frames))
                elif deaths >= self._settings.deaths:
                    reason = f"Its worker fell silent {deaths} times; it was given up."
                    lost = state.but(status="failed", reason=reason, deaths=deaths)
                    claim.write(lost.but(frames=claim.frames, updated=time.time()))
                else:
                    log.warning("a worker fell silent; run %s goes on from its checkpoint", run_id)
                    claim.write(state.but(status="queued", deaths=deaths))
        except ClaimedError:
            return
        if self._store.state(run_id).status == "queued":
            self.enqueue(run_id, owner or order.quota, back=True)
        else:
            self.leave(run_id)

    def _eval(self, script: str, keys: list[str], arguments: list[Any]) -> Any:
        return self._client.eval(script, len(keys), *keys, *arguments)
