"""The store of several machines: the same promises, kept by Redis.

    plateau:run:<id>:order state token lease frames checkpoints
    plateau:runs                 every run
    plateau:sizes                bytes of frames by run
    plateau:data:<id>            uploads; plateau:uploads says when each was last used

Records are framed and check-summed as in the embedded store. A Redis that is being
restarted is waited for: a run survives if its data do.
"""

import hashlib
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import redis

from core.limits import LIMITS, Limits
from core.service import redis_scripts as scripts
from core.service.records import DOCUMENT, FRAME, DamageError, frame_index, frame_record, only_record
from core.service.redis_claim import RedisClaim
from core.service.redis_connection import PREFIX, READER_PATIENCE, RUNS, SIZES, UPLOADS, key, patiently
from core.service.store import (
    NAME,
    ClaimedError,
    Order,
    RunState,
    StoreError,
    order_from_json,
    state_from_json,
    to_json,
)

PARTS = ("order", "state", "token", "lease", "frames", "checkpoints", "wish", "progress", "viewers", "seen")


class RedisStore:
    """A `Store` in Redis."""

    def __init__(
        self,
        client: "redis.Redis",
        limits: Limits = LIMITS,
        lease_seconds: float = 5.0,
        patience: float = READER_PATIENCE,
    ) -> None:
        self.client: Any = client
        self.patience = patience
        self._limits, self._lease = limits, int(1_000 * lease_seconds)
        self.datasets: Mapping[str, str] = RedisUploads(client)

    def place(self, run_id: str, order: Order) -> None:
        """See Store."""
        record = frame_record(DOCUMENT, to_json(order))
        pipeline = self.client.pipeline()
        pipeline.set(key(run_id, "order"), record).sadd(RUNS, run_id)
        self._call(pipeline.execute)

    def order(self, run_id: str) -> Order | None:
        """See Store."""
        record = self._document(run_id, "order")
        return order_from_json(record) if record else None

    def state(self, run_id: str) -> RunState:
        """See Store."""
        record = self._document(run_id, "state")
        return state_from_json(record) if record else RunState()

    def claim(self, run_id: str) -> RedisClaim:
        """See Store."""
        keys = [key(run_id, part) for part in ("order", "token", "lease")]
        token = self._call(lambda: self.client.eval(scripts.CLAIM, 3, *keys, self._lease))
        if token == -2:
            raise StoreError("No such run.")
        if token == -1:
            raise ClaimedError(f"run {run_id} is being written by another process")
        return RedisClaim(self, run_id, token, self._lease, self._limits.run_bytes)

    def count(self, run_id: str) -> int:
        """See Store."""
        return int(self._call(lambda: self.client.llen(key(run_id, "frames"))))

    def payloads(self, run_id: str, first: int, last: int) -> list[bytes]:
        """See Store."""
        first = max(first, 0)
        if last <= first:
            return []
        records = self._call(lambda: self.client.lrange(key(run_id, "frames"), first, last - 1))
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

    def runs(self) -> list[str]:
        """See Store."""
        return [name.decode() for name in self._call(lambda: self.client.smembers(RUNS))]

    def size(self, run_id: str) -> int:
        """See Store."""
        return int(self._call(lambda: self.client.hget(SIZES, run_id)) or 0)

    def delete(self, run_id: str) -> None:
        """See Store."""
        keys = [key(run_id, "lease"), RUNS, SIZES, *(key(run_id, part) for part in PARTS)]
        if self._call(lambda: self.client.eval(scripts.DELETE, len(keys), *keys, run_id)) == -1:
            raise ClaimedError(f"run {run_id} is being written")

    def upload(self, text: str) -> str:
        """See Store."""
        name = hashlib.sha256(text.encode()).hexdigest()[:32]
        pipeline = self.client.pipeline()
        pipeline.set(f"{PREFIX}data:{name}", text.encode()).zadd(UPLOADS, {name: time.time()})
        # Uploads get a tenth of the store; the longest unused go first.
        largest = max(1, self._limits.total_bytes // 10 // self._limits.upload_bytes)
        pipeline.zrange(UPLOADS, 0, -largest - 1)
        *_, surplus = self._call(pipeline.execute)
        if surplus:
            self._call(lambda: self.client.delete(*(f"{PREFIX}data:{old.decode()}" for old in surplus)))
            self._call(lambda: self.client.zrem(UPLOADS, *surplus))
        return name

    def close(self) -> None:
        """See Store."""
        self.client.close()

    def _document(self, run_id: str, part: str) -> bytes:
        record = self._call(lambda: self.client.get(key(run_id, part)))
        try:
            return bytes(only_record(record, DOCUMENT)) if record else b""
        except DamageError as error:
            raise StoreError(f"The {part} of this run is damaged.") from error

    def _call(self, call: Callable[[], Any]) -> Any:
        return patiently(call, self.patience)


class RedisUploads(Mapping[str, str]):
    """The uploaded data sets."""

    def __init__(self, client: "redis.Redis") -> None:
        self._client: Any = client

    def __getitem__(self, name: str) -> str:
        if NAME.fullmatch(name):
            data = patiently(lambda: self._client.get(f"{PREFIX}data:{name}"), READER_PATIENCE)
            if data is not None:
                return str(data.decode())
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return (name.decode() for name in self._client.zrange(UPLOADS, 0, -1))

    def __len__(self) -> int:
        return int(self._client.zcard(UPLOADS))
