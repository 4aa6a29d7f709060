"""Whether the server is alive, which is never waited for, and whether each of its parts is ready."""

import os
import shutil
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as Late
from typing import Generic, TypeVar

from flask import Response

from .responses import json_response
from .service import RunService
from .store import StoreError

ALIVE_SECONDS = 0.2
READY_SECONDS = 2.0
LEAST_BYTES = 50_000_000
"""Less space on the disk is trouble."""

Answer = TypeVar("Answer")


class _Look(Generic[Answer]):
    """Looks once at a time, from a thread of its own: whoever asks meanwhile shares the answer."""

    def __init__(self, look: Callable[[], Answer]) -> None:
        self._look = look
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="health")
        self._answer: Future[Answer] | None = None
        self._guard = threading.Lock()

    def ask(self) -> Future[Answer]:
        """The answer, at some time; one that hangs is asked once, however many come."""
        with self._guard:
            if self._answer is None or self._answer.done():
                self._answer = self._threads.submit(self._look)
            return self._answer


class Health:
    """A part that hangs holds up no request for long."""

    def __init__(self, service: RunService) -> None:
        self._service = service
        self._count = _Look(lambda: service.workers)
        self._workers = 0
        parts = {
            "store": self._store,
            "queue": self._queue,
            "workers": self._ready_workers,
            "threads": self._working_threads,
        }
        self._parts = {name: _Look(look) for name, look in parts.items()}

    def healthz(self) -> Response:
        """The server is up; how many workers have compiled their kernels, as far as is known."""
        try:
            self._workers = self._count.ask().result(ALIVE_SECONDS)
        except Late:
            pass
        except StoreError:
            self._workers = 0
        return json_response({"status": "ok", "workers": self._workers})

    def readyz(self) -> Response:
        """200 when all parts are well, else 503; a word for each."""
        end = time.monotonic() + READY_SECONDS
        asked = {name: part.ask() for name, part in self._parts.items()}
        words = {name: _word(answer, end - time.monotonic()) for name, answer in asked.items()}
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

    def _working_threads(self) -> tuple[bool, str]:
        found = self._service.troubles()
        return not found, " ".join(found) or "all at work"


def _word(answer: Future[tuple[bool, str]], seconds: float) -> tuple[bool, str]:
    try:
        return answer.result(max(0.0, seconds))
    except Late:
        return False, "does not answer"
    except (OSError, StoreError) as error:
        return False, str(error)
