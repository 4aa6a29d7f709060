"""Whether the server is alive, which is never waited for, and whether each of its parts is ready."""

import os
import shutil
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as Late

from flask import Response

from core.service.service import RunService
from core.service.store import StoreError
from core.service.web import json_response

ALIVE_SECONDS = 0.2
READY_SECONDS = 2.0
LEAST_BYTES = 50_000_000
"""Less room on the disk is trouble."""


class Health:
    """Looks from threads of its own: one that hangs holds up no request for long."""

    def __init__(self, service: RunService) -> None:
        self._service = service
        self._threads = ThreadPoolExecutor(4, thread_name_prefix="health")
        self._counting: Future[int] | None = None
        self._workers = 0

    def healthz(self) -> Response:
        """The server is up; how many workers have compiled their kernels, as far as is known."""
        if self._counting is None:
            self._counting = self._threads.submit(lambda: self._service.workers)
        try:
            self._workers = self._counting.result(ALIVE_SECONDS)
            self._counting = None
        except Late:
            pass
        except StoreError:
            self._workers, self._counting = 0, None
        return json_response({"status": "ok", "workers": self._workers})

    def readyz(self) -> Response:
        """200 when all parts are well, else 503; a word for each."""
        looks = {"store": self._store, "queue": self._queue, "workers": self._ready_workers}
        asked = {name: self._threads.submit(look) for name, look in looks.items()}
        words = {name: _word(future.result) for name, future in asked.items()}
        well = all(fine for fine, _ in words.values())
        document = {name: word for name, (_, word) in words.items()}
        return json_response({"status": "ready" if well else "not ready", **document}, 200 if well else 503)

    def _store(self) -> tuple[bool, str]:
        if self._service.settings.redis_url:
            self._service.count("0" * 32)
            return True, "Redis answers"
        home = self._service.settings.home
        if not os.access(home, os.W_OK):
            return False, "the home directory is gone or cannot be written"
        free = shutil.disk_usage(home).free
        return free > LEAST_BYTES, f"{free / 1e9:.1f} GB are free"

    def _queue(self) -> tuple[bool, str]:
        return True, f"{self._service.busy} runs are under way or waiting"

    def _ready_workers(self) -> tuple[bool, str]:
        ready = self._service.workers
        return ready > 0, f"{ready} ready"


def _word(result: Callable[[float], tuple[bool, str]]) -> tuple[bool, str]:
    try:
        return result(READY_SECONDS)
    except Late:
        return False, "does not answer"
    except StoreError as error:
        return False, str(error)
