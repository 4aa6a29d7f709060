"""Run histories in Redis: a document a browser, forgotten when it has not been written for long."""

from typing import cast

from ..files.run_history import HistoryStore
from . import redis_scripts as scripts
from .redis_connection import PREFIX, connection

KEPT_SECONDS = 180 * 24 * 3600


class RedisHistoryStore(HistoryStore):
    """See HistoryStore."""

    def __init__(self, url: str) -> None:
        self._client = connection(url)

    def read(self, handle: str) -> bytes | None:
        return cast(bytes | None, self._client.get(_key(handle)))

    def replace(self, handle: str, known: bytes | None, document: bytes) -> bool:
        name = _key(handle)
        return bool(self._client.eval(scripts.REPLACE, 1, name, known or b"", document, KEPT_SECONDS))

    def handles(self) -> list[str]:
        return [key.decode().removeprefix(_key("")) for key in self._client.scan_iter(_key("*"), 1_000)]


def _key(handle: str) -> str:
    return f"{PREFIX}logbook:{handle}"
