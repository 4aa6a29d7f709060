"""The store of several machines: the same promises, kept by Redis.

    plateau:run:<id>:order state token lease frames checkpoints
    plateau:runs                 every run
    plateau:sizes                bytes of frames by run
    plateau:data:<id>            uploads, see redis_uploads

Records are framed and check-summed as in the embedded store. A Redis that is being
restarted is waited for: a run survives if its data do.
"""

from contextlib import suppress
from typing import Any

import redis

from core.limits import LIMITS, Limits
from core.service.cluster import redis_scripts as scripts
from core.service.cluster.redis_claim import RedisClaim
from core.service.cluster.redis_connection import RUNS, SIZES, key
from core.service.cluster.redis_uploads import RedisUploads
from core.service.records import DOCUMENT, FRAME, DamageError, frame_index, frame_record, only_record
from core.service.store import (
    ClaimedError,
    Document,
    Order,
    RunState,
    Store,
    StoreError,
    Uploads,
    from_json,
    to_json,
)

PARTS = ("order", "state", "token", "lease", "frames", "checkpoints", "wish", "progress", "viewers", "seen")


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

    def place(self, run_id: str, order: Order) -> None:
        self.datasets.hold(run_id, order.query)
        record = frame_record(DOCUMENT, to_json(order))
        pipeline = self.client.pipeline()
        pipeline.set(key(run_id, "order"), record).sadd(RUNS, run_id)
        pipeline.execute()

    def order(self, run_id: str) -> Order | None:
        return self._document(run_id, "order", Order)

    def state(self, run_id: str) -> RunState:
        return self._document(run_id, "state", RunState) or RunState()

    def claim(self, run_id: str) -> RedisClaim:
        keys = [key(run_id, part) for part in ("order", "token", "lease")]
        token = self.client.eval(scripts.CLAIM, 3, *keys, self._lease)
        if token == -2:
            raise StoreError("No such run.")
        if token == -1:
            raise ClaimedError(f"run {run_id} is being written by another process")
        return RedisClaim(self, self.client, run_id, token, self._lease, self._limits.run_bytes)

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

    def runs(self) -> list[str]:
        return [name.decode() for name in self.client.smembers(RUNS)]

    def sizes(self) -> dict[str, tuple[int, float]]:
        names, sizes = self.runs(), self.client.hgetall(SIZES)
        if not names:
            return {}
        states = self.client.mget([key(name, "state") for name in names])
        found = {}
        for name, record in zip(names, states, strict=True):
            changed = 0.0
            with suppress(DamageError):
                changed = from_json(RunState, bytes(only_record(record or b"", DOCUMENT))).updated
            found[name] = int(sizes.get(name.encode(), 0)), changed
        return found

    def delete(self, run_id: str) -> None:
        keys = [key(run_id, "lease"), RUNS, SIZES, *(key(run_id, part) for part in PARTS)]
        if self.client.eval(scripts.DELETE, len(keys), *keys, run_id) == -1:
            raise ClaimedError(f"run {run_id} is being written")
        self.datasets.let_go(run_id)

    def close(self) -> None:
        self.client.close()

    def _document(self, run_id: str, part: str, kind: type[Document]) -> Document | None:
        record = self.client.get(key(run_id, part))
        try:
            return from_json(kind, bytes(only_record(record, DOCUMENT))) if record else None
        except DamageError as error:
            raise StoreError(f"The {part} of this run is damaged.") from error
