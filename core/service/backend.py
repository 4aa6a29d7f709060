"""Which store, which queue: the embedded ones, or Redis and Celery when a URL is set."""

from collections.abc import Callable
from importlib import import_module

from .files.database import Database
from .files.file_store import FileStore
from .files.home import prepare_home
from .files.presentations import DatabasePresence
from .files.unsaved import PatientFileStore
from .presence import Presence
from .settings import Settings
from .store import Store
from .studies.crew import Crew
from .studies.pool import Pool
from .studies.store import StudyStore
from .studies.table import DatabaseStudies
from .workers.dispatcher import Dispatcher
from .workers.supervisor import Supervisor

Backend = tuple[Store, Presence, Dispatcher, str]


def connect(settings: Settings) -> Backend:
    """Store, presence and dispatcher, and the secret that signs cookies."""
    if settings.redis_url:
        # By name, because an embedded server must start without loading Celery.
        backend: Backend = import_module(".cluster.redis_backend", __package__).connect_redis(settings)
        return backend
    prepare_home(settings.home)
    store = PatientFileStore(settings.home, settings.limits)
    presence = DatabasePresence(store.database)
    return store, presence, Supervisor(settings, store, presence), settings.with_secret().secret


def open_store(settings: Settings) -> Store:
    """The store alone, for a process that only reads."""
    if settings.redis_url:
        store: Store = import_module(".cluster.redis_backend", __package__).connect_store(settings)
        return store
    return FileStore(settings.home, settings.limits, create=False)


def connect_studies(
    settings: Settings, store: Store, dispatcher: Dispatcher, wake: Callable[[], None]
) -> tuple[StudyStore, Crew]:
    """Where studies are kept, and who computes them; `wake` is called when somebody is free."""
    if settings.redis_url:
        backend = import_module(".cluster.redis_backend", __package__)
        found: tuple[StudyStore, Crew] = backend.study_crew(dispatcher)
        return found
    studies = DatabaseStudies(Database(settings.home))
    return studies, Pool(settings, store, studies, dispatcher.busy, wake)
