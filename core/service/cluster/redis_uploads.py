"""Uploaded data in Redis.

plateau:data:<name>      the data
plateau:uploads          those that nobody holds, by the time of their last use; plateau:uploads:sizes
plateau:held:<name>      who holds it;  plateau:holds:<holder>  what somebody holds
"""

from collections.abc import Iterator
from typing import Any

from ...limits import Limits
from ..files.uploads import name_of, surplus_of, uploads_in
from ..store import NAME, Uploads
from .redis_connection import PREFIX, UPLOADS

_SIZES = f"{UPLOADS}:sizes"

_FREE = """
local function free(name)
    -- nobody holds it any more, or yet
    if redis.call('SCARD', ARGV[1] .. 'held:' .. name) > 0 then return end
    local size = redis.call('STRLEN', ARGV[1] .. 'data:' .. name)
    local clock = redis.call('TIME')
    redis.call('ZADD', KEYS[1], clock[1] + clock[2] / 1e6, name)
    redis.call('HSET', KEYS[2], name, size)
end
"""

_KEEP = (
    "-- KEYS uploads sizes   ARGV prefix name data"
    + _FREE
    + """
redis.call('SET', ARGV[1] .. 'data:' .. ARGV[2], ARGV[3])
free(ARGV[2])
"""
)

_HOLD = (
    "-- KEYS uploads sizes   ARGV prefix holder names..."
    + """
for i = 3, #ARGV do
    redis.call('SADD', ARGV[1] .. 'held:' .. ARGV[i], ARGV[2])
    redis.call('SADD', ARGV[1] .. 'holds:' .. ARGV[2], ARGV[i])
    redis.call('ZREM', KEYS[1], ARGV[i])
    redis.call('HDEL', KEYS[2], ARGV[i])
end
"""
)

_LET_GO = (
    "-- KEYS uploads sizes   ARGV prefix holder"
    + _FREE
    + """
local holds = ARGV[1] .. 'holds:' .. ARGV[2]
for _, name in ipairs(redis.call('SMEMBERS', holds)) do
    redis.call('SREM', ARGV[1] .. 'held:' .. name, ARGV[2])
    free(name)
end
redis.call('DEL', holds)
"""
)

_DISCARD = """
-- KEYS uploads sizes   ARGV prefix name
redis.call('ZREM', KEYS[1], ARGV[2])
redis.call('HDEL', KEYS[2], ARGV[2])
if redis.call('SCARD', ARGV[1] .. 'held:' .. ARGV[2]) == 0 then
    redis.call('DEL', ARGV[1] .. 'data:' .. ARGV[2])
end
"""


class RedisUploads(Uploads):
    """See Uploads."""

    def __init__(self, client: Any, limits: Limits) -> None:
        self._client, self._limits = client, limits

    def keep(self, text: str) -> str:
        name, data = name_of(text), text.encode()
        self._eval(_KEEP, name, data)
        sizes = {key.decode(): int(size) for key, size in self._client.hgetall(_SIZES).items()}
        names = [key.decode() for key in self._client.zrange(UPLOADS, 0, -1)]
        others = [(other, sizes.get(other, 0)) for other in names if other != name]
        for old in surplus_of(others, self._limits.uploads_bytes - len(data)):
            self.discard(old)
        return name

    def hold(self, holder: str, query: str) -> None:
        if names := uploads_in(query):
            self._eval(_HOLD, holder, *names)

    def let_go(self, holder: str) -> None:
        self._eval(_LET_GO, holder)

    def discard(self, name: str) -> None:
        self._eval(_DISCARD, name)

    def _eval(self, script: str, *arguments: Any) -> None:
        self._client.eval(script, 2, UPLOADS, _SIZES, PREFIX, *arguments)

    def __getitem__(self, name: str) -> str:
        if NAME.fullmatch(name):
            data = self._client.get(f"{PREFIX}data:{name}")
            if data is not None:
                return str(data.decode())
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        found = list(self._client.scan_iter(f"{PREFIX}data:*", 1_000))
        return (name.decode().removeprefix(f"{PREFIX}data:") for name in found)

    def __len__(self) -> int:
        return sum(1 for _ in self)
