"""Uploaded data in Redis.

plateau:data:<name>      the data
plateau:uploads          those that nobody holds, by the time of their last use; plateau:uploads:sizes
plateau:held:<name>      who holds it;  plateau:holds:<holder>  what somebody holds
"""

from collections.abc import Iterator
from typing import Any

from ...limits import Limits
from ..files.uploads import LEAST_BYTES, name_of, uploads_in
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
    redis.call('HSET', KEYS[2], name, math.max(size, tonumber(ARGV[2])))
end
local function drop(name)
    redis.call('DEL', ARGV[1] .. 'data:' .. name)
    redis.call('ZREM', KEYS[1], name)
    redis.call('HDEL', KEYS[2], name)
end
"""

_KEEP = (
    "-- KEYS uploads sizes   ARGV prefix least largest name data"
    + _FREE
    + """
redis.call('SET', ARGV[1] .. 'data:' .. ARGV[4], ARGV[5])
free(ARGV[4])
local total = 0
for _, size in ipairs(redis.call('HVALS', KEYS[2])) do total = total + size end
while total > tonumber(ARGV[3]) and redis.call('ZCARD', KEYS[1]) > 1 do
    local old = redis.call('ZRANGE', KEYS[1], 0, 0)[1]
    total = total - (redis.call('HGET', KEYS[2], old) or 0)
    drop(old)
end
"""
)

_HOLD = (
    "-- KEYS uploads sizes   ARGV prefix least holder names..."
    + """
for i = 4, #ARGV do
    redis.call('SADD', ARGV[1] .. 'held:' .. ARGV[i], ARGV[3])
    redis.call('SADD', ARGV[1] .. 'holds:' .. ARGV[3], ARGV[i])
    redis.call('ZREM', KEYS[1], ARGV[i])
    redis.call('HDEL', KEYS[2], ARGV[i])
end
"""
)

_LET_GO = (
    "-- KEYS uploads sizes   ARGV prefix least holder"
    + _FREE
    + """
local holds = ARGV[1] .. 'holds:' .. ARGV[3]
for _, name in ipairs(redis.call('SMEMBERS', holds)) do
    redis.call('SREM', ARGV[1] .. 'held:' .. name, ARGV[3])
    free(name)
end
redis.call('DEL', holds)
"""
)

_DISCARD = (
    "-- KEYS uploads sizes   ARGV prefix least name"
    + _FREE
    + """
if redis.call('SCARD', ARGV[1] .. 'held:' .. ARGV[3]) == 0 then drop(ARGV[3]) end
"""
)


class RedisUploads(Uploads):
    """See Uploads."""

    def __init__(self, client: Any, limits: Limits) -> None:
        self._client, self._limits = client, limits

    def keep(self, text: str) -> str:
        name = name_of(text)
        self._eval(_KEEP, self._limits.uploads_bytes, name, text.encode())
        return name

    def hold(self, holder: str, query: str) -> None:
        if names := uploads_in(query):
            self._eval(_HOLD, holder, *names)

    def let_go(self, holder: str) -> None:
        self._eval(_LET_GO, holder)

    def discard(self, name: str) -> None:
        self._eval(_DISCARD, name)

    def _eval(self, script: str, *arguments: Any) -> None:
        self._client.eval(script, 2, UPLOADS, _SIZES, PREFIX, LEAST_BYTES, *arguments)

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
