"""The store of several machines: the same promises, kept by Redis.

    plateau:run:<id>:record token lease frames checkpoints present
    plateau:runs                 every run
    plateau:sizes                bytes of frames by run
    plateau:data:<id>            uploads, see redis_uploads

Records are framed and check-summed as in the embedded store. A Redis that is being
restarted is waited for: a run survives if its data do. Runs of version 2 (keys order and
state) are read as they are; the first change writes a record.
"""

import time
from contextlib import suppress
from typing import Any

import redis

from ...limits import LIMITS, Limits
from ..records import DOCUMENT, FRAME, DamageError, frame_index, frame_record, only_record
from ..run_record import Record, RunState
from ..store import (
    Changed,
    ClaimedError,
    Store,
    StoreError,
    Transition,
    Uploads,
    from_json,
    record_from_json,
    record_of_version_2,
    stamped,
    to_json,
)
from . import redis_scripts as scripts
from .redis_claim import RedisClaim
from .redis_connection import RUNS, SIZES, key
from .redis_uploads import RedisUploads

PARTS = (
    *("record", "order", "state", "token", "lease", "frames", "checkpoints", "present"),
    *("taken", "progress", "viewers", "seen"),
)
CHANGE_TRIES = 100
"""So often in a row somebody else may be quicker."""


class RedisStore(Store):
    """A `Store` in Redis."""

    def __init__(
        self,
        client: "redis.Redis",
        limits: Limits = LIMITS,
        lease_seconds: float = 5.0,
    ) -> None:
        self.client: Any = client
        self._limits, self._lease = limits, int(1_000 * lease_seconds)
        self.datasets: Uploads = RedisUploads(client, limits)

    def record(self, run_id: str) -> Record | None:
        return self._read(run_id)[1]

    def change(self, run_id: str, transition: Transition) -> Changed:
        return self._change(run_id, transition, "", scripts.CHANGE)

    def insist(self, run_id: str, transition: Transition) -> Changed:
        return self._change(run_id, transition, "", scripts.SMALL + scripts.CHANGE)

    def _change(self, run_id: str, transition: Transition, token: str, script: str) -> Changed:
        """With the number of a claim, or without."""
        keys = [key(run_id, part) for part in ("token", "record", "order", "state")]
        for _ in range(CHANGE_TRIES):
            found, old = self._read(run_id)
            new = transition(old)
            if new is None or new == old:
                return old, old
            new = stamped(old, new, time.time())
            if old is None or old.request.query != new.request.query:
                self.datasets.hold(run_id, new.request.query)
            record = frame_record(DOCUMENT, to_json(new))
            answer = self.client.eval(script, 5, *keys, RUNS, token, found, record, run_id)
            if answer == -1:
                raise ClaimedError(f"run {run_id} has been taken over by another worker")
            if answer == 1:
                return old, new
        raise StoreError("The record of this run changes all the time; try again in a while.")

    def _read(self, run_id: str) -> tuple[bytes, Record | None]:
        """The bytes that a change has to find again, and what they say."""
        names = [key(run_id, part) for part in ("record", "order", "state")]
        found, order, state = self.client.mget(names)
        try:
            if found:
                return found, record_from_json(bytes(only_record(found, DOCUMENT)))
            if not order:
                return b"", None
            known = from_json(RunState, bytes(only_record(state, DOCUMENT))) if state else None
            return b"", record_of_version_2(bytes(only_record(order, DOCUMENT)), known)
        except DamageError as error:
            raise StoreError("The record of this run is damaged.") from error

    def claim(self, run_id: str) -> RedisClaim:
        keys = [key(run_id, part) for part in ("record", "order", "token", "lease")]
        token = self.client.eval(scripts.CLAIM, 4, *keys, self._lease)
        if token == -2:
            raise StoreError("No such run.")
        if token == -1:
            raise ClaimedError(f"run {run_id} is being written by another process")
        largest = self._limits.run_bytes
        return RedisClaim(self, self._change, self.client, run_id, token, self._lease, largest)

    def count(self, run_id: str) -> int:
        return int(self.client.llen(key(run_id, "frames")))

    def payloads(self, run_id: str, first: int, last: int) -> list[bytes]:
        first = max(first, 0)
        if last <= first:
            return []
        records = self.client.lrange(key(run_id, "frames"), first, last - 1)
        found: list[bytes] = []
        for record in records:
            try:
                payload = bytes(only_record(record, FRAME))
            except DamageError:
                break
            if frame_index(payload) != first + len(found):
                break
            found.append(payload)
        return found

    def present(self, run_id: str) -> bytes | None:
        record = self.client.get(key(run_id, "present"))
        try:
            payload = bytes(only_record(record or b"", FRAME))
        except DamageError:
            return None
        return payload if frame_index(payload) == self.count(run_id) else None

    def runs(self) -> list[str]:
        return [name.decode() for name in self.client.smembers(RUNS)]

    def sizes(self) -> dict[str, tuple[int, float]]:
        names, sizes = self.runs(), self.client.hgetall(SIZES)
        if not names:
            return {}
        records = self.client.mget([key(name, "record") for name in names])
        found = {}
        for name, record in zip(names, records, strict=True):
            changed = 0.0
            with suppress(DamageError):
                changed = record_from_json(bytes(only_record(record or b"", DOCUMENT))).state.updated
            found[name] = int(sizes.get(name.encode(), 0)), changed
        return found

    def delete(self, run_id: str, version: int | None = None) -> None:
        expected: bytes = b"*"
        if version is not None:
            expected, record = self._read(run_id)
            if record is not None and record.version != version:
                raise ClaimedError(f"run {run_id} has changed")
        keys = [key(run_id, "lease"), RUNS, SIZES, *(key(run_id, part) for part in PARTS)]
        if self.client.eval(scripts.DELETE, len(keys), *keys, run_id, expected) == -1:
            raise ClaimedError(f"run {run_id} is being written")
        self.datasets.let_go(run_id)

    def close(self) -> None:
        self.client.close()
