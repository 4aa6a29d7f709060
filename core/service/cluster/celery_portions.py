"""The workers of several machines: a portion is a Celery message, and few of them are under way at a time.

A portion that is out has an entry with an expiry, which its worker renews; one whose worker has died, or
whose message is lost, is out no more when that has passed, and the scheduler hands it out again. A record
that comes twice is kept once.
"""

import secrets
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from celery import Celery

from ..records import DamageError
from ..settings import Settings
from ..store import ClaimedError, Store, StoreError
from ..studies.scheduler import Portion, PortionWorkers
from ..studies.work import PauseControl, compute_record, failed_record
from ..workers.deaths import Death
from ..workers.kernels import is_compiled, method_of
from . import redis_scripts as scripts
from .redis_connection import PREFIX, add_once
from .redis_queue import RedisQueue
from .redis_studies import RedisStudies, study_key
from .tasks import PORTION_MESSAGES, PORTION_TASK, revoke, send

OUT, LEADER = f"{PREFIX}portions", f"{PREFIX}scheduler"
WAITING_SECONDS = 120.0
"""A message that no worker has taken for so long is taken for lost."""
AHEAD = 2
"""Portions under way or waiting for each worker."""
_LEADER_SECONDS = 3.0
_HEARD_SECONDS = 0.2


class CeleryPortionWorkers(PortionWorkers):
    """See PortionWorkers: what the web processes do."""

    def __init__(self, queue: RedisQueue, client: Any, app: Celery) -> None:
        self._queue, self._client, self._app = queue, client, app
        self._token = secrets.token_hex(8).encode()

    def leads(self) -> bool:
        """See PortionWorkers: whoever was first, for as long as it lives."""
        life = int(1_000 * _LEADER_SECONDS)
        if self._client.set(LEADER, self._token, nx=True, px=life):
            return True
        if self._client.get(LEADER) != self._token:
            return False
        return bool(self._client.pexpire(LEADER, life))

    def out(self) -> set[tuple[str, int]]:
        found = (name.split(":") for name in self._tasks())
        return {(study, int(first)) for study, first, *_ in found}

    def _tasks(self) -> list[str]:
        """Ids of the portions that are out: study, first place, and what tells this time from others."""
        self._client.eval(scripts.FORGET, 1, OUT, 0)
        return [name.decode() for name in self._client.zrange(OUT, 0, -1)]

    def free_slots(self) -> int:
        """See PortionWorkers: by messages as well, since one that is late must not be sent over and over."""
        messages = int(self._client.llen(PREFIX + PORTION_MESSAGES))
        return AHEAD * self.workers() - max(len(self.out()), messages)

    def hand(self, portion: Portion) -> None:
        name = f"{portion.study}:{portion.first}:{secrets.token_hex(4)}"
        self._client.eval(scripts.SEE, 1, OUT, name, WAITING_SECONDS)
        send(self._app, PORTION_TASK, name, [portion.study, portion.runs])

    def drop(self, study: str) -> None:
        """See PortionWorkers: workers that have begun read the request themselves, and say until then that
        they have it. What was waiting is out no more: a study that is resumed does not wait for it."""
        if names := [name for name in self._tasks() if name.startswith(f"{study}:")]:
            revoke(self._app, names)
            self._client.zrem(OUT, *names)

    def workers(self) -> int:
        return max(1, self._queue.workers())

    def close(self) -> None:
        """See PortionWorkers: the workers are Celery's; another web process may lead."""
        with suppress(StoreError):  # in a Redis that is away nobody leads for long
            if self._client.get(LEADER) == self._token:
                self._client.delete(LEADER)


class CeleryPortions(PauseControl):
    """What a process of Celery's pool does with a portion; single runs go first, between two steps."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        studies: RedisStudies,
        queue: RedisQueue,
        client: Any,
        singles: Callable[[], None],
        ending: Callable[[], bool],
        worker: str,
    ) -> None:
        self._settings, self._store, self._studies = settings, store, studies
        self._queue, self._client = queue, client
        self._singles, self._ending, self._worker = singles, ending, worker
        self._study, self._name = "", ""
        self._heard = 0.0

    def work(self, name: str, study: str, runs: Sequence[tuple[int, str]]) -> None:
        """Compute what is missing, and say that the portion is out no more."""
        self._study, self._name = study, name
        try:
            self._queue.greet(self._worker, at_study=True)
            self.renew()
            missing = set(self._studies.missing(study, (place for place, _ in runs)))
            while not all(is_compiled(method_of(query)) for _, query in runs) and self.go_on():
                time.sleep(_HEARD_SECONDS)
            for place, query in runs:
                if place in missing and not (self.go_on() and self._work(place, query)):
                    break
        except (ClaimedError, StoreError):
            # Given back; the scheduler hands it out again.
            pass
        finally:
            name, self._name = self._name, ""
            with suppress(StoreError):  # it is out no more when its entry has expired
                self._client.zrem(OUT, name)
                self._queue.greet(self._worker, at_study=False)

    def _work(self, place: int, query: str) -> bool:
        """Whether the run is done."""
        limits, tries = self._settings.limits, study_key(self._study, "tries")
        begun = int(add_once(self._client, tries, {str(place): 1}))
        is_kept = is_damaged = False
        try:
            if Death("it fell silent").is_final(begun - 1, self._settings):
                record: bytes | None = failed_record(self._store, place, query, limits)
            else:
                record = compute_record(self._store, place, query, limits, self)
            if record is not None:
                self._studies.add(self._study, record)
                is_kept = True
        except StoreError as error:
            # What is damaged cannot be read the next time either.
            is_damaged = isinstance(error.__cause__, DamageError)
            raise
        finally:
            if not (is_kept or is_damaged):
                add_once(self._client, tries, {str(place): -1})
        return is_kept

    def go_on(self) -> bool:
        now = time.monotonic()
        if now - self._heard < _HEARD_SECONDS:
            return True
        self._heard = now
        if self._ending():
            return False
        if self._queue.waiting():
            self._singles()
        request = self._studies.request(self._study)
        return request is not None and request.command == "run"

    @property
    def is_at_work(self) -> bool:
        """Whether it has a portion."""
        return bool(self._name)

    def renew(self) -> None:
        """The worker that has the portion is alive."""
        if name := self._name:
            self._client.eval(scripts.SEE, 1, OUT, name, 2 * self._settings.lease_seconds)
