"""What Redis does in one piece: each script is a transaction that nobody can get between.

A claim is a number. It is drawn from the run's counter `token`, which only grows, and
every write carries it: Redis refuses the write when a later number has been drawn.
The key `lease` says that the holder was alive a few seconds ago.
"""

SMALL = "#!lua flags=allow-oom\n"
"""Before a script that runs also while Redis has no memory left (from Redis 7 on)."""

CLAIM = """
-- KEYS record order token lease   ARGV milliseconds
if redis.call('EXISTS', KEYS[1], KEYS[2]) == 0 then return -2 end
if redis.call('EXISTS', KEYS[4]) == 1 then return -1 end
local token = redis.call('INCR', KEYS[3])
redis.call('SET', KEYS[4], token, 'PX', ARGV[1])
return token
"""

_FENCE = "if redis.call('GET', KEYS[1]) ~= ARGV[1] then return -1 end"

CHANGE = """
-- KEYS token record order state runs   ARGV token (empty for who needs no claim), expected, new, name
-- A first try whose answer was lost has written the very same bytes.
if ARGV[1] ~= '' and redis.call('GET', KEYS[1]) ~= ARGV[1] then return -1 end
local found = redis.call('GET', KEYS[2]) or ''
if found == ARGV[3] then return 1 end
if found ~= ARGV[2] then return 0 end
redis.call('SET', KEYS[2], ARGV[3])
redis.call('DEL', KEYS[3], KEYS[4])
redis.call('SADD', KEYS[5], ARGV[4])
return 1
"""

FENCED = f"""
-- KEYS token   ARGV token, then for each command how many words it has, and these
{_FENCE}
local place = 2
while place <= #ARGV do
    local last = place + tonumber(ARGV[place])
    redis.call(unpack(ARGV, place + 1, last))
    place = last + 1
end
return 0
"""

APPEND = f"""
-- KEYS token frames sizes   ARGV token expected largest name records...
{_FENCE}
if redis.call('LLEN', KEYS[2]) ~= tonumber(ARGV[2]) then return -2 end
local size = 0
for i = 5, #ARGV do size = size + #ARGV[i] end
local before = tonumber(redis.call('HGET', KEYS[3], ARGV[4]) or '0')
if before + size > tonumber(ARGV[3]) then return -3 end
for i = 5, #ARGV do redis.call('RPUSH', KEYS[2], ARGV[i]) end
redis.call('HINCRBY', KEYS[3], ARGV[4], size)
return 0
"""

DELETE = """
-- KEYS lease runs sizes record, then all keys of the run   ARGV name, expected or *
if redis.call('EXISTS', KEYS[1]) == 1 then return -1 end
if ARGV[2] ~= '*' and (redis.call('GET', KEYS[4]) or '') ~= ARGV[2] then return -1 end
redis.call('SREM', KEYS[2], ARGV[1])
redis.call('HDEL', KEYS[3], ARGV[1])
for i = 4, #KEYS do redis.call('DEL', KEYS[i]) end
return 0
"""

NOW = """
local clock = redis.call('TIME')
local now = clock[1] + clock[2] / 1e6
"""
"""One clock for all machines: whatever is compared with a time was written by it."""

SEE = (
    "-- KEYS scores   ARGV member, seconds ahead, then nx or nothing"
    + NOW
    + """
if ARGV[3] then return redis.call('ZADD', KEYS[1], 'NX', now + ARGV[2], ARGV[1]) end
return redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
"""
)
"""Somebody or something is there now, or until then."""

AGE = (
    "-- KEYS scores   ARGV member"
    + NOW
    + """
local seen = redis.call('ZSCORE', KEYS[1], ARGV[1])
return seen and tostring(now - seen)
"""
)
"""Seconds since then."""

SILENT = (
    "-- KEYS scores   ARGV seconds, then members"
    + NOW
    + """
local gone = {}
for i = 2, #ARGV do
    local seen = redis.call('ZSCORE', KEYS[1], ARGV[i])
    if seen and now - seen >= tonumber(ARGV[1]) then gone[#gone + 1] = ARGV[i] end
end
return gone
"""
)
"""Those members that have been there, and not within so many seconds."""

SINCE = (
    "-- KEYS scores   ARGV seconds"
    + NOW
    + """
return redis.call('ZCOUNT', KEYS[1], now - ARGV[1], '+inf')
"""
)
"""How many have been there within so many seconds."""

FORGET = (
    "-- KEYS scores, then others with the same members   ARGV seconds"
    + NOW
    + """
local gone = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[1], 'LIMIT', 0, 1000)
for _, member in ipairs(gone) do
    for _, name in ipairs(KEYS) do redis.call('ZREM', name, member) end
end
return #gone
"""
)
"""Without those who have not been there for so many seconds."""

TOUCH = (
    "-- KEYS viewers seen   ARGV viewer, how long viewers are kept, how long it is known when"
    + NOW
    + """
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2])
redis.call('EXPIRE', KEYS[1], 60)
redis.call('SET', KEYS[2], tostring(now), 'EX', ARGV[3])
return 0
"""
)

IDLE = (
    "-- KEYS seen"
    + NOW
    + """
local seen = redis.call('GET', KEYS[1])
return tostring(seen and now - seen or 0)
"""
)

ONCE = """
-- KEYS seen   ARGV seconds hash, then pairs of a field and what is added to it: what the last one comes to
-- A first try whose answer was lost is not counted again.
local known = redis.call('GET', KEYS[1])
if known then return known end
local sum = '0'
for i = 3, #ARGV, 2 do sum = redis.call('HINCRBYFLOAT', ARGV[2], ARGV[i], ARGV[i + 1]) end
redis.call('SET', KEYS[1], sum, 'EX', ARGV[1])
return sum
"""

REPLACE = """
-- KEYS document   ARGV expected, new, then seconds that it is kept, or nothing
-- A first try whose answer was lost has written the very same bytes.
local found = redis.call('GET', KEYS[1]) or ''
if found ~= ARGV[1] and found ~= ARGV[2] then return 0 end
redis.call('SET', KEYS[1], ARGV[2])
if ARGV[3] then redis.call('EXPIRE', KEYS[1], ARGV[3]) end
return 1
"""
