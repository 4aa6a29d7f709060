"""Which store, which queue: the embedded ones, or Redis and Celery when a URL is set."""

from importlib import import_module

from .files.database import Database
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

Backend = tuple[Store, Presence, RunScheduler, str]


def connect(settings: Settings, pool: WorkerPool) -> Backend:
    """Store, presence and scheduler, and the secret that signs cookies."""
    if settings.redis_url:
        # By name, because an embedded server must start without loading Celery.
        backend: Backend = import_module(".cluster.redis_backend", __package__).connect_redis(settings, pool)
        return backend
    prepare_home(settings.home)
    store = PatientFileStore(settings.home, settings.limits)
    presence = DatabasePresence(store.database)
    secret = settings.with_secret().secret.get_secret_value()
    return store, presence, LocalRuns(settings, store, presence, pool), secret


def open_store(settings: Settings) -> Store:
    """The store alone, for a process that only reads."""
    if settings.redis_url:
        store: Store = import_module(".cluster.redis_backend", __package__).connect_store(settings)
        return store
    return FileStore(settings.home, settings.limits, create=False)


def connect_studies(
    settings: Settings, store: Store, database: Database | None, scheduler: RunScheduler, pool: WorkerPool
) -> tuple[StudyStore, PortionWorkers]:
    """Where studies are kept, and who computes them."""
    if database is None:
        backend = import_module(".cluster.redis_backend", __package__)
        found: tuple[StudyStore, PortionWorkers] = backend.study_workers_of(scheduler)
        return found
    studies = DatabaseStudies(database)
    return studies, LocalPortions(settings, store, studies, scheduler.busy, pool)
