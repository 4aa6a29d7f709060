"""Web processes of several: `gunicorn wsgi:application`, with the settings in gunicorn.conf.py.

gunicorn loads the program, which takes seconds, before it listens: who asks a server that is starting is
refused at once and goes to another, instead of waiting without a word. A web process that has died is
replaced within a second, since its successor has the program already. What belongs to a process, connections
and threads, is made in each once it is there (`begin`), by a thread of its own. Until that has succeeded,
which needs a Redis that answers, /healthz says that the process is alive, and all others are told to come
back.
"""

import os
import sys

if "numba" not in sys.modules:
    # A web process compiles nothing: what it computes itself is little, and has the same bits interpreted.
    os.environ["NUMBA_DISABLE_JIT"] = "1"

import json
import threading
from collections.abc import Iterable
from contextvars import copy_context
from typing import TYPE_CHECKING

from app import server_from_environment
from core.service import Settings
from core.service.events import configure_logging
from core.service.workers.troubles import Troubles

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

AGAIN_SECONDS = 2


class PerProcess:
    """The application of the process that is asked."""

    def __init__(self) -> None:
        # What cannot be used is told before anything listens.
        Settings.from_environment()
        self._made: WSGIApplication | None = None
        self._first = threading.Lock()
        """Whoever gets it makes the application, and keeps it."""
        self._context = copy_context()
        """Dash keeps its own in a context variable, which a new thread does not have."""
        self._troubles = Troubles("web process")

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        """See PEP 3333."""
        if self._made is not None:
            return self._made(environ, start_response)
        self.begin()
        return self._put_off(environ, start_response)

    def begin(self) -> None:
        """Make the application of this process, once; in a thread, since it may have to wait for Redis."""
        if self._first.acquire(blocking=False):
            begin = threading.Thread(target=self._context.run, args=(self._make,), name="begin", daemon=True)
            begin.start()

    def _make(self) -> None:
        configure_logging()
        self._troubles.insist("start", self._start, given_up=lambda: False)

    def _start(self) -> None:
        self._made = server_from_environment()

    def _put_off(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> list[bytes]:
        path, status = environ.get("PATH_INFO", ""), "503 Service Unavailable"
        waits = " ".join(["The server is starting; try again in a moment.", *self._troubles.sentences()])
        document: dict[str, object] = {"error": waits, "retry_after": AGAIN_SECONDS}
        if path == "/healthz":
            document, status = {"status": "ok", "workers": 0}, "200 OK"
        elif path == "/readyz":
            document = {"status": "not ready", "server": waits}
        headers = [("Content-Type", "application/json"), ("Cache-Control", "no-store")]
        if status != "200 OK":
            # A page that is being looked at asks again by itself.
            headers += [("Retry-After", str(AGAIN_SECONDS)), ("Refresh", str(AGAIN_SECONDS))]
        start_response(status, headers)
        return [json.dumps(document).encode()]


application = PerProcess()
