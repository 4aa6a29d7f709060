"""Which store, which queue: the embedded ones, or Redis and Celery when a URL is set."""

from importlib import import_module

from core.runs.dispatcher import Dispatcher
from core.runs.file_store import FileStore
from core.runs.presence import MemoryPresence, Presence
from core.runs.settings import Settings
from core.runs.store import Store
from core.runs.supervisor import Supervisor

Backend = tuple[Store, Presence, Dispatcher, str]


def connect(settings: Settings) -> Backend:
    """Store, presence and dispatcher, and the secret that signs cookies."""
    if settings.redis_url:
        # By name, because an embedded server must start without loading Celery.
        backend: Backend = import_module("core.runs.redis_backend").connect(settings)
        return backend
    store = FileStore(settings.home, settings.limits)
    presence = MemoryPresence()
    return store, presence, Supervisor(settings, store, presence), settings.with_secret().secret
