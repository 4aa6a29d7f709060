"""The queue of runs as all machines share it: one document in Redis, changed by the rule of one machine.

The document has what waits and who is charged (core.service.queue), and which worker has which run.
Whoever changes it reads it, applies a function to it and writes it back if it is still what was read; else
it begins again. So the rules are in Python alone, and Redis only compares. At most a few hundred runs wait
(`Limits.queued`), so that the document has some ten kilobytes.

    plateau:queue-<version>            the document; workers of older numerics never take newer work
    plateau:run:<id>:taken             a worker has it, or a message names it: it expires
"""

from collections.abc import Callable, Collection
from typing import Any, TypeVar

import orjson

from ...config import NUMERICS_VERSION
from ...limits import Limits
from ..queue import RunQueue
from ..store import StoreError
from . import redis_scripts as scripts
from .redis_connection import PREFIX
from .redis_people import RedisPeople

QUEUE = f"{PREFIX}queue-{NUMERICS_VERSION}"
HANDED = ""
"""The worker of a run that was handed to Celery and that no process has begun with."""
CHANGE_TRIES = 100
"""So often in a row somebody else may be quicker."""

Answer = TypeVar("Answer")


class QueueState(RunQueue):
    """What the document says."""

    def __init__(self, document: bytes, limits: Limits, here: Callable[[Collection[str]], set[str]]) -> None:
        self.running: dict[str, str] = {}
        """Runs that workers have, and which worker has each."""
        super().__init__(limits, here, lambda: self.running)
        if document:
            found = orjson.loads(document)
            self.running.update(found.pop("running"))
            self.read(found)

    def to_json(self) -> bytes:
        """The document."""
        return orjson.dumps(self.to_document() | {"running": self.running})

    def take(self, worker: str, limit: int, suits: Callable[[str], bool] = lambda _: True) -> str | None:
        """The next run in turn that suits, now a worker's; of lines with fewer than `limit` under way."""
        run_id = self.pop(limit, suits)
        if run_id is not None:
            self.running[run_id] = worker
        return run_id

    def begin(self, run_id: str, worker: str) -> bool:
        """A message has reached a worker; False when the run is another's by now, or nobody's business."""
        if self.running.get(run_id, HANDED) != HANDED or not self.has(run_id):
            return False
        self.running[run_id] = worker
        self.remove(run_id)
        return True

    def leave(self, run_id: str) -> None:
        """No worker has the run any more, and it does not wait."""
        self.running.pop(run_id, None)
        self.remove(run_id)

    def idle(self, workers: list[str]) -> int:
        """How many of these workers have no run, and are not about to be given one."""
        at_work = set(self.running.values())
        handed = sum(worker == HANDED for worker in self.running.values())
        return sum(worker not in at_work for worker in workers) - handed


class SharedQueue:
    """The document, read and changed."""

    def __init__(self, client: Any, limits: Limits) -> None:
        self._client, self._limits = client, limits
        self._here = RedisPeople(client).here

    def read(self) -> QueueState:
        """What it says now."""
        return QueueState(self._client.get(QUEUE) or b"", self._limits, self._here)

    def change(self, rule: Callable[[QueueState], Answer]) -> Answer:
        """Apply a rule, as often as it takes until nobody else has changed the document meanwhile. What the
        rule raises is passed on, and nothing is written."""
        for _ in range(CHANGE_TRIES):
            found = self._client.get(QUEUE) or b""
            state = QueueState(found, self._limits, self._here)
            answer = rule(state)
            new = state.to_json()
            # A Redis without memory lets go of runs, and takes on no more.
            script = scripts.REPLACE if len(new) > len(found) else scripts.SMALL + scripts.REPLACE
            if new == found or self._client.eval(script, 1, QUEUE, found, new):
                return answer
        raise StoreError("The queue changes all the time; try again in a while.")
