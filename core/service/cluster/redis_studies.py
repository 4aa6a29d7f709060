"""Studies in Redis: workers add their records themselves.

plateau:study:<id>:request rows done tries
plateau:study:<id>:order     the request, as version 2 has called it
plateau:studies              every study
"""

from collections.abc import Iterable
from typing import Any

from ..records import DOCUMENT, DamageError, frame_record, only_record
from ..store import NAME, StoreError
from ..studies.store import RequestedStudy, StudyStore, pack_request, record_place, unpack_request
from .redis_connection import PREFIX

STUDIES = f"{PREFIX}studies"

_ADD = """
-- KEYS request order rows done   ARGV place record
if redis.call('EXISTS', KEYS[1], KEYS[2]) == 0 or redis.call('SADD', KEYS[4], ARGV[1]) == 0 then return 0 end
redis.call('RPUSH', KEYS[3], ARGV[2])
return 1
"""


def study_key(study_id: str, part: str) -> str:
    """The Redis key of one part of a study."""
    if not NAME.fullmatch(study_id):
        raise StoreError("A study is named by 32 hexadecimal digits.")
    return f"{PREFIX}study:{study_id}:{part}"


class RedisStudies(StudyStore):
    """See StudyStore."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def place(self, study_id: str, request: RequestedStudy) -> None:
        pipeline = self._client.pipeline()
        pipeline.set(study_key(study_id, "request"), frame_record(DOCUMENT, pack_request(request)))
        pipeline.delete(study_key(study_id, "order"))
        pipeline.sadd(STUDIES, study_id)
        pipeline.execute()

    def request(self, study_id: str) -> RequestedStudy | None:
        new, old = self._client.mget(study_key(study_id, "request"), study_key(study_id, "order"))
        found = new or old
        try:
            return unpack_request(bytes(only_record(found, DOCUMENT))) if found else None
        except (DamageError, TypeError):
            return None

    def studies(self) -> list[str]:
        return [name.decode() for name in self._client.smembers(STUDIES)]

    def add(self, study_id: str, record: bytes) -> bool:
        """See StudyStore: one script, so that of two workers one is too late."""
        keys = [study_key(study_id, part) for part in ("request", "order", "rows", "done")]
        arguments = [record_place(record), record]
        return bool(self._client.eval(_ADD, len(keys), *keys, *arguments))

    def sync(self, study_id: str) -> None:
        """See StudyStore: how often its file is synced is Redis' own setting."""

    def count(self, study_id: str) -> int:
        return int(self._client.llen(study_key(study_id, "rows")))

    def records(self, study_id: str, first: int, last: int) -> list[bytes]:
        if last <= max(first, 0):
            return []
        return list(self._client.lrange(study_key(study_id, "rows"), max(first, 0), last - 1))

    def missing(self, study_id: str, places: Iterable[int]) -> list[int]:
        asked = list(places)
        if not asked:
            return []
        known = self._client.smismember(study_key(study_id, "done"), asked)
        return [place for place, there in zip(asked, known, strict=True) if not there]

    def size(self, study_id: str) -> int:
        return int(self._client.memory_usage(study_key(study_id, "rows")) or 0)

    def delete(self, study_id: str) -> None:
        keys = [study_key(study_id, part) for part in ("request", "order", "rows", "done", "tries")]
        self._client.delete(*keys)
        self._client.srem(STUDIES, study_id)
