"""Encoded answers that many viewers share, kept for a while. Only what can be computed again.

flask-caching would pickle what it keeps; this serialiser takes bytes and nothing else.
"""

import gzip
import threading
from collections.abc import Callable
from typing import Any

from cachelib.serializers import BaseSerializer
from flask import Flask, Response, request
from flask_caching import Cache

LARGEST_ENTRY = 4 << 20
_ENTRIES = 64
_SECONDS = 120


class BytesSerializer(BaseSerializer):
    """Bytes as they are."""

    def dumps(self, value: Any, protocol: int = 0) -> bytes:  # noqa: ARG002
        """Refuses anything but bytes."""
        if not isinstance(value, bytes):
            raise TypeError(f"only bytes are cached, not {type(value).__name__}")
        return value

    def loads(self, bvalue: bytes) -> bytes:
        """The bytes."""
        return bvalue


CONFIGURATION = {
    "CACHE_TYPE": "SimpleCache",
    "CACHE_DEFAULT_TIMEOUT": _SECONDS,
    "CACHE_THRESHOLD": _ENTRIES,
    "CACHE_SERIALIZER": BytesSerializer(),
}
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
        if len(made) <= LARGEST_ENTRY:
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
