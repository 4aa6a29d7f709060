"""Documents of browsers in Redis, each forgotten if it is not written for long."""

from typing import Any, cast

from ..files.browser_documents import BrowserDocuments
from . import redis_scripts as scripts
from .redis_connection import PREFIX

KEPT_SECONDS = 180 * 24 * 3600
_FORMER_NAMES = {"histories": "logbook"}
"""Of keys, which are those of version 2."""


class RedisDocuments(BrowserDocuments):
    """See BrowserDocuments."""

    def __init__(self, client: Any, table: str = "histories") -> None:
        self._client, self._start = client, f"{PREFIX}{_FORMER_NAMES.get(table, table)}:"

    def read(self, handle: str) -> bytes | None:
        return cast(bytes | None, self._client.get(self._start + handle))

    def replace(self, handle: str, known: bytes | None, document: bytes) -> bool:
        name = self._start + handle
        return bool(self._client.eval(scripts.REPLACE, 1, name, known or b"", document, KEPT_SECONDS))

    def handles(self) -> list[str]:
        keys = self._client.scan_iter(f"{self._start}*", 1_000)
        return [key.decode().removeprefix(self._start) for key in keys]
