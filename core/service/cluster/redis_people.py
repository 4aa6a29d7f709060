"""Which browsers are here, for all web processes and workers."""

import time
from typing import Any

from core.service.cluster.redis_connection import PREFIX
from core.service.people import FORGOTTEN_SECONDS, HERE_SECONDS, SETTLED_SECONDS, People

FIRST, LAST = f"{PREFIX}people:first", f"{PREFIX}people:last"
"""Since when, and when lately, by the server's clock of whoever saw them."""
_PASSED_SECONDS = 2.0
_LARGEST = 10_000


class RedisPeople(People):
    """See People. Each web process passes somebody on every other second."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._passed: dict[str, float] = {}

    def see(self, person: str) -> None:
        now = time.time()
        if now - self._passed.get(person, 0.0) < _PASSED_SECONDS:
            return
        if len(self._passed) > _LARGEST:
            self._passed.clear()
        self._passed[person] = now
        pipeline = self._client.pipeline()
        pipeline.zadd(FIRST, {person: now}, nx=True).zadd(LAST, {person: now})
        pipeline.execute()

    def settled(self, person: str) -> bool:
        first = self._client.zscore(FIRST, person)
        return first is not None and time.time() - first >= SETTLED_SECONDS

    def here(self, person: str) -> bool:
        last = self._client.zscore(LAST, person)
        return last is None or time.time() - last < HERE_SECONDS

    def forget(self) -> None:
        """Those who went long ago."""
        gone = self._client.zrangebyscore(LAST, "-inf", time.time() - FORGOTTEN_SECONDS, start=0, num=1_000)
        if gone:
            self._client.pipeline().zrem(FIRST, *gone).zrem(LAST, *gone).execute()
