"""Web processes of several: `gunicorn --preload wsgi:application`.

gunicorn then loads the program, which takes seconds, before it listens: who asks a server that is starting is
refused at once and goes to another, instead of waiting without a word. A web process that has died is
replaced within a second, since its successor has the program already. What belongs to a process, connections
and threads, is made in each after it was forked.
"""

import os
import sys
import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING

from app import server_from_environment

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


class PerProcess:
    """The application of the process that is asked."""

    def __init__(self) -> None:
        self._made: WSGIApplication | None = None
        self._guard = threading.Lock()
        if sys.platform != "win32":
            os.register_at_fork(after_in_child=self._begin)

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        """See PEP 3333."""
        return self._application()(environ, start_response)

    def _begin(self) -> None:
        """In a web process that has just been forked: begin without waiting to be asked."""
        threading.Thread(target=self._application, name="begin", daemon=True).start()

    def _application(self) -> "WSGIApplication":
        with self._guard:
            if self._made is None:
                self._made = server_from_environment()
            return self._made


application = PerProcess()
