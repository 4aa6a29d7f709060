"""Which browsers are here, for all web processes and workers."""

import time
from collections.abc import Collection
from typing import Any

from ..people import FORGOTTEN_SECONDS, HERE_SECONDS, SETTLED_SECONDS, People
from . import redis_scripts as scripts
from .redis_connection import PREFIX

FIRST, LAST = f"{PREFIX}people:first", f"{PREFIX}people:last"
"""Since when, and when lately, by the clock of Redis."""
_PASSED_SECONDS = 2.0
_LARGEST = 10_000


class RedisPeople(People):
    """See People. Each web process passes somebody on every other second."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._passed: dict[str, float] = {}

    def see(self, person: str) -> None:
        now = time.monotonic()
        if now - self._passed.get(person, -_PASSED_SECONDS) < _PASSED_SECONDS:
            return
        if len(self._passed) > _LARGEST:
            self._passed.clear()
        self._passed[person] = now
        pipeline = self._client.pipeline()
        pipeline.eval(scripts.SEE, 1, FIRST, person, 0, "nx").eval(scripts.SEE, 1, LAST, person, 0)
        pipeline.execute()

    def settled(self, person: str) -> bool:
        age = self._client.eval(scripts.AGE, 1, FIRST, person)
        return age is not None and float(age) >= SETTLED_SECONDS

    def here(self, people: Collection[str]) -> set[str]:
        gone = self._client.eval(scripts.SILENT, 1, LAST, HERE_SECONDS, *people) if people else []
        return set(people) - {name.decode() for name in gone}

    def forget(self) -> None:
        """Those who went long ago."""
        self._client.eval(scripts.FORGET, 2, LAST, FIRST, FORGOTTEN_SECONDS)
