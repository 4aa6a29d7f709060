"""Redis and Celery, as the web side sees them."""

import secrets
import time
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial

from ..files.browser_documents import BrowserDocuments
from ..people import People
from ..presence import ANSWERS_SECONDS, PRESENTATION_SECONDS, WATCHING_SECONDS, Presence
from ..settings import Settings
from ..store import NAME, Store
from ..studies.scheduler import PortionWorkers
from ..studies.store import StudyStore
from ..workers.pool import WorkerPool
from ..workers.run_scheduler import RunScheduler
from . import redis_scripts as scripts
from .celery_portions import CeleryPortionWorkers
from .redis_connection import PREFIX, connection, key
from .redis_documents import RedisDocuments
from .redis_people import RedisPeople
from .redis_queue import RedisQueue
from .redis_store import RedisStore
from .redis_studies import RedisStudies
from .tasks import celery_for, run_tasks

_TOUCH_SECONDS = 2.0


def connect_store(settings: Settings) -> RedisStore:
    """The store alone."""
    return RedisStore(connection(settings.redis_url), settings.limits, settings.lease_seconds)


def connect_redis(
    settings: Settings, pool: WorkerPool
) -> tuple[Store, Presence, RunScheduler, StudyStore, PortionWorkers, Callable[[str], BrowserDocuments], str]:
    """The parts of core.service.backend.Backend, with the secret that all web processes share. The pool has
    workers for background queries and kernels alone; its rounds look after the queue in Redis."""
    store = connect_store(settings)
    client, app = store.client, celery_for(settings)
    presence = RedisPresence(store)
    queue = RedisQueue(settings, store, presence, run_tasks(app))
    pool.add_step("look after the queue", queue.tick)
    name = f"{PREFIX}secret"
    client.set(name, secrets.token_hex(32), nx=True)
    secret = settings.secret.get_secret_value() or client.get(name).decode()
    workers = CeleryPortionWorkers(queue, client, app)
    return store, presence, queue, RedisStudies(client), workers, partial(RedisDocuments, client), secret


class RedisPresence(Presence):
    """See Presence: shared by all web processes. Each of them passes a viewer on every other second."""

    def __init__(self, store: RedisStore) -> None:
        self._client = store.client
        self.people: People = RedisPeople(store.client)
        self._passed: dict[tuple[str, str], float] = {}

    def touch(self, run_id: str, viewer: str) -> None:
        now = time.monotonic()
        if now - self._passed.get((run_id, viewer), -_TOUCH_SECONDS) < _TOUCH_SECONDS:
            return
        if len(self._passed) > 10_000:
            self._passed.clear()
        self._passed[run_id, viewer] = now
        kept, known = 2 * WATCHING_SECONDS, int(PRESENTATION_SECONDS)
        self._client.eval(scripts.SMALL + scripts.TOUCH, 2, *self._keys(run_id), viewer, kept, known)

    def watching(self, run_id: str) -> int:
        seconds = WATCHING_SECONDS + _TOUCH_SECONDS
        return int(self._client.eval(scripts.SINCE, 1, self._keys(run_id)[0], seconds))

    def idle(self, run_id: str) -> float:
        return float(self._client.eval(scripts.IDLE, 1, self._keys(run_id)[1]))

    def _keys(self, watched: str) -> tuple[str, str]:
        """Of what is watched: a run, or a presentation with whoever follows its presenter."""
        if NAME.fullmatch(watched):
            return key(watched, "viewers"), key(watched, "seen")
        return f"{PREFIX}viewers:{watched}", f"{PREFIX}seen:{watched}"

    def publish(self, presentation: str, document: str) -> None:
        self._client.set(f"{PREFIX}presentation:{presentation}", document, ex=int(PRESENTATION_SECONDS))

    def published(self, presentation: str) -> str | None:
        found = self._client.get(f"{PREFIX}presentation:{presentation}")
        return found.decode() if found else None

    def presentations(self) -> list[str]:
        start = f"{PREFIX}presentation:"
        presentations = [
            name.decode().removeprefix(start) for name in self._client.scan_iter(f"{start}*", 1_000)
        ]
        return [presentation for presentation in presentations if self.published(presentation)]

    def answer(self, question: str, viewer: str, option: int) -> None:
        name = f"{PREFIX}answers:{question}"
        pipeline = self._client.pipeline()
        pipeline.hset(name, viewer, str(option)).expire(name, int(ANSWERS_SECONDS), nx=True)
        pipeline.execute()

    def answers(self, question: str) -> Mapping[int, int]:
        chosen = self._client.hvals(f"{PREFIX}answers:{question}")
        return Counter(int(option) for option in chosen)
