"""What differs between one machine and many: the embedded parts, or Redis and Celery when a URL is set."""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import NamedTuple

from .files.browser_documents import BrowserDocuments, DatabaseDocuments
from .files.file_store import FileStore
from .files.home import prepare_home
from .files.presentations import DatabasePresence
from .files.unsaved import PatientFileStore
from .presence import Presence
from .settings import Settings
from .store import Store
from .studies.local_portions import LocalPortions
from .studies.scheduler import PortionWorkers
from .studies.store import StudyStore
from .studies.table import DatabaseStudies
from .workers.local_runs import LocalRuns
from .workers.pool import WorkerPool
from .workers.run_scheduler import RunScheduler


class Backend(NamedTuple):
    """Where everything is kept, and who computes it."""

    pool: WorkerPool
    store: Store
    presence: Presence
    scheduler: RunScheduler
    studies: StudyStore
    portion_workers: PortionWorkers
    documents: Callable[[str], BrowserDocuments]
    """Those of each browser, by their kind."""
    secret: str
    """Signs cookies."""


def connect(settings: Settings) -> Backend:
    """All parts, none of them started."""
    pool = WorkerPool(settings)
    if settings.redis_url:
        # By name, because an embedded server must start without loading Celery.
        redis_backend = import_module(".cluster.redis_backend", __package__)
        return Backend(pool, *redis_backend.connect_redis(settings, pool))
    prepare_home(settings.home)
    store = PatientFileStore(settings.home, settings.limits)
    database = store.database
    pool.add_step("give back what is free in the database", database.give_back)
    presence = DatabasePresence(database)
    scheduler = LocalRuns(settings, store, presence, pool)
    studies = DatabaseStudies(database)
    return Backend(
        pool,
        store,
        presence,
        scheduler,
        studies,
        LocalPortions(settings, store, studies, scheduler.busy, pool),
        partial(DatabaseDocuments, database),
        settings.with_secret().secret.get_secret_value(),
    )


def open_store(settings: Settings) -> Store:
    """The store alone, for a process that only reads."""
    if settings.redis_url:
        store: Store = import_module(".cluster.redis_backend", __package__).connect_store(settings)
        return store
    return FileStore(settings.home, settings.limits, create=False)
