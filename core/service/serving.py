"""Serve a WSGI application on this machine, and end well."""

import ctypes
import logging
import resource
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import FrameType
from typing import NoReturn

import waitress
from flask import Flask

from .arguments import DISCARDED_BYTES
from .connection_limits import limit_connections
from .events import log_event
from .service import RunService
from .settings import Settings
from .store import StoreError
from .visitors import NOBODY

_CONNECTIONS = 2_000
_OWN_FILES = 256
"""Descriptors that are left to the server itself: its files, and pipes to processes that it must start."""
_IDLE_SECONDS = 30
_COMPILING_SECONDS = 120.0
_M_ARENA_MAX, _ARENAS = -8, 2

log = logging.getLogger(__name__)


Paths = Callable[[], Sequence[str]]


def serve(server: Flask, service: RunService, settings: Settings, first: Paths = tuple) -> None:
    """Until Ctrl-C or SIGTERM; then running runs are saved, and go on at the next start.

    The port is opened first, so that a second server on it fails before it does anything,
    and the address is served while the workers still compile their kernels. The paths in
    `first` are what the first visitor will ask for: they are answered once beforehand, and
    nothing numerical is loaded until then.
    """
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    _share_heaps()
    try:
        listener = waitress.create_server(
            server,
            host=settings.host,
            port=settings.port,
            threads=settings.threads,
            ident="plateau",
            connection_limit=_connections(),
            # select() ends at 1024 open files.
            asyncore_use_poll=True,
            channel_timeout=_IDLE_SECONDS,
            cleanup_interval=_IDLE_SECONDS // 6,
            # Beyond the limit of uploads, so that the application refuses what is too large.
            max_request_body_size=max(DISCARDED_BYTES, 4 * settings.limits.upload_bytes),
            # What proxies add is judged in one place for every server, see core.service.web.protect.
            clear_untrusted_proxy_headers=False,
        )
        limit_connections(listener, behind_proxy=settings.proxies > 0)
    except (OSError, OverflowError, ValueError) as error:
        cause = getattr(error, "strerror", None) or error
        raise StoreError(f"Cannot listen on {settings.host} port {settings.port}: {cause}.") from error
    signal.signal(signal.SIGTERM, _end)
    try:
        service.start()
        where = "127.0.0.1" if settings.host in ("0.0.0.0", "::") else settings.host
        where = f"http://{where}:{listener.effective_port}"
        announce(where, service.settings, is_own_token=not settings.admin_token)
        threading.Thread(target=_prepare, args=(server, service, settings, first), daemon=True).start()
        listener.run()
    except (KeyboardInterrupt, SystemExit):
        pass
    finally:
        listener.close()
        service.close()


def announce(where: str, settings: Settings, *, is_own_token: bool) -> None:
    """Where the server is, in a sentence for a terminal; what goes elsewhere is a log, which others read."""
    if not sys.stdout.isatty():
        log_event(
            "server is up", address=where, admin_token_file=settings.admin_token_file if is_own_token else ""
        )
        return
    print(f"Plateau Lab is at {where}  (Ctrl-C ends it)", flush=True)
    if is_own_token:
        token = settings.admin_token.get_secret_value()
        print(f"Its admin page is at {where}/admin?token={token}", flush=True)


def _connections() -> int:
    """As many as there are descriptors for; the system gives more to whoever asks."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = _CONNECTIONS + _OWN_FILES
    if soft != resource.RLIM_INFINITY and soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        if soft < needed:
            log.warning("only %d open files are allowed here: fewer than %d connections", soft, _CONNECTIONS)
            return max(soft // 4, soft - _OWN_FILES)
    return _CONNECTIONS


def _share_heaps() -> None:
    """The C library of Linux gives every thread a heap of its own, and each keeps what it had at its fullest:
    with few for all threads a server does not grow for hours."""
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, _ARENAS)


def _prepare(server: Flask, service: RunService, settings: Settings, first: Paths) -> None:
    """Load this process's kernels and fill its cache; what workers are compiling is compiled once."""
    deadline = time.monotonic() + _COMPILING_SECONDS
    while settings.workers and not service.workers and time.monotonic() < deadline:
        time.sleep(0.2)
    client = server.test_client()
    for path in first():
        answer = client.get(path, headers={"Accept-Encoding": "gzip"}, environ_overrides={NOBODY: True})
        if answer.status_code != 200:
            log.warning("not ready for the first visit: %s", path)


def _end(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001
    # A second SIGTERM during the shutdown must not interrupt the saving.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit(0)
