"""Encoded answers that many viewers share, kept for a while. Only what can be computed again.

It pays where many ask the same: the frames of a run that has ended or of a long stretch of one, tables,
forecasts. A live poll is a small block of its own for each pair of what a viewer has and what there is: when
a race of eight runs is polled for two minutes, 8 % of the blocks are shared by five viewers, 42 % by thirty.
So the cache is bounded by bytes and not by entries: with 64 entries such polls pushed out a table that was
asked for every five seconds 23 times of 24, and now never. flask-caching's own memory counts entries, and
pickles what it keeps; this one takes bytes alone.
"""

import gzip
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from flask import Flask, Response, request
from flask_caching import Cache
from flask_caching.backends.base import BaseCache

MAX_BYTES = 64 << 20
LARGEST_ENTRY = 4 << 20
_SECONDS = 120.0


class BytesCache(BaseCache):
    """A back end of flask-caching: bytes by key. What was asked for longest ago goes first. Thread-safe."""

    def __init__(self) -> None:
        super().__init__(int(_SECONDS))
        self._kept: OrderedDict[str, tuple[float, bytes]] = OrderedDict()
        """Until when, and what."""
        self.bytes = 0
        self._guard = threading.Lock()

    def get(self, key: str) -> bytes | None:
        """What is kept, if anything."""
        with self._guard:
            until, found = self._kept.get(key, (0.0, None))
            if found is None or time.monotonic() > until:
                return None
            self._kept.move_to_end(key)
            return found

    def set(self, key: str, value: Any, timeout: int | None = None) -> bool:
        """Keep bytes, unless they are too many."""
        if not isinstance(value, bytes):
            raise TypeError(f"only bytes are cached, not {type(value).__name__}")
        if len(value) > LARGEST_ENTRY:
            return False
        with self._guard:
            self.bytes += len(value) - len(self._kept.pop(key, (0.0, b""))[1])
            self._kept[key] = time.monotonic() + (timeout or _SECONDS), value
            while self.bytes > MAX_BYTES:
                self.bytes -= len(self._kept.popitem(last=False)[1][1])
        return True


CONFIGURATION = {"CACHE_TYPE": f"{__name__}.{BytesCache.__name__}"}
"""In each web process, with Redis too: it is bounded, and an answer does not need a Redis to be there."""


def answers_for(server: Flask) -> "Answers":
    """The cache of a server."""
    return Answers(Cache(server, config=CONFIGURATION))


class Answers:
    """Bytes by key, computed once however many ask at the same time."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache
        self._busy: dict[str, threading.Lock] = {}
        self._guard = threading.Lock()
        self.hits = self.misses = 0

    def get(self, key: str, make: Callable[[], bytes]) -> bytes:
        """The cached bytes, or those that `make` returns."""
        if (found := self.known(key)) is not None:
            return found
        with self._guard:
            busy = self._busy.setdefault(key, threading.Lock())
        with busy:
            if (found := self.known(key)) is not None:
                return found
            try:
                made = make()
                self.keep(key, made)
            finally:
                with self._guard:
                    self._busy.pop(key, None)
        return made

    def compressed(self, key: str, make: Callable[[], bytes]) -> bytes:
        """The same, compressed once for everybody."""
        return self.get(f"{key}:gzip", lambda: gzip.compress(make(), 6, mtime=0))

    def known(self, key: str) -> bytes | None:
        """What is kept, if anything."""
        found = self._cache.get(key)
        if found is None:
            return None
        self.hits += 1
        return bytes(found)

    def keep(self, key: str, made: bytes) -> None:
        """For those who ask next."""
        self.misses += 1
        self._cache.set(key, made)

    def respond(self, key: str, make: Callable[[], bytes], kind: str, *, final: bool) -> Response:
        """An answer that is the same for everybody, compressed once."""
        if request.accept_encodings["gzip"] > 0:
            return shared(self.compressed(key, make), kind, final=final, packed=True)
        return shared(self.get(key, make), kind, final=final, packed=False)


def shared(body: bytes, kind: str, *, final: bool, packed: bool) -> Response:
    """An answer that is the same for everybody, and not sent again when it is final."""
    headers = {"Cache-Control": "no-cache" if final else "no-store", "Vary": "Accept-Encoding"}
    if packed:
        headers["Content-Encoding"] = "gzip"
    response = Response(body, 200, headers, mimetype=kind)
    if final:
        # By content: the same question may have another answer once the program has changed.
        response.add_etag()
        response.make_conditional(request)
    return response
