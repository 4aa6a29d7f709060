"""A worker for background queries: answers go into files.

The operating system ends it when an answer takes too long, and refuses it memory beyond its limit.
"""

import logging
from importlib import import_module
from pathlib import Path
from typing import Any

from ..settings import Settings
from ..store import Store, StoreError
from ..workers.reading import Reader
from ..workers.watchdog import limited, too_large
from ..workers.worker import Worker
from .query import BackgroundQuery, write_answer


class QueryWorker(Worker):
    """See Worker."""

    def __init__(self, settings: Settings, store: Store, *pipes: Any) -> None:
        super().__init__(settings, store, *pipes)
        self._reader = Reader(store, settings.limits)
        self._registered: set[str] = set()

    def work(self, new: list[dict[str, Any]]) -> None:
        """One answer after the other."""
        for job in new:
            self._register(job["module"])
            self.say("turn", job["job"])
            failure = self._answer(BackgroundQuery(**job["query"]), Path(job["path"]))
            self.say("ended", job["job"], failure=failure)

    def _register(self, module: str) -> None:
        """Further kinds of queries, as a module knows them."""
        if module and module not in self._registered:
            import_module(module).register_answers()
            self._registered.add(module)

    def _answer(self, query: BackgroundQuery, path: Path) -> str:
        """Why there is none; empty when there is one."""
        try:
            with limited(self._limits.answer_seconds):
                write_answer(self._reader, query, path)
        except MemoryError:
            return too_large(self._limits.memory_bytes)
        except (OSError, StoreError, ValueError) as error:
            return f"This could not be computed: {error}"
        except Exception:
            logging.exception("no answer to %s", query)
            return "Something went wrong in the server; its log says what."
        return ""
