"""What Redis does in one piece: each script is a transaction that nobody can get between.

A claim is a number. It is drawn from the run's counter `token`, which only grows, and
every write carries it: Redis refuses the write when a later number has been drawn.
The key `lease` says that the holder was alive a few seconds ago.
"""

CLAIM = """
-- KEYS order token lease   ARGV milliseconds
if redis.call('EXISTS', KEYS[1]) == 0 then return -2 end
if redis.call('EXISTS', KEYS[3]) == 1 then return -1 end
local token = redis.call('INCR', KEYS[2])
redis.call('SET', KEYS[3], token, 'PX', ARGV[1])
return token
"""

_FENCE = "if redis.call('GET', KEYS[1]) ~= ARGV[1] then return -1 end"

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
-- KEYS lease runs sizes, then all keys of the run   ARGV name
if redis.call('EXISTS', KEYS[1]) == 1 then return -1 end
redis.call('SREM', KEYS[2], ARGV[1])
redis.call('HDEL', KEYS[3], ARGV[1])
for i = 4, #KEYS do redis.call('DEL', KEYS[i]) end
return 0
"""

NOW = """
local clock = redis.call('TIME')
local now = clock[1] + clock[2] / 1e6
"""
"""One clock for all machines."""

ENQUEUE = """
-- KEYS lines waiting owners running   ARGV run quota line again, three limits, prefix
-- again: 0 a new run, 1 one that was accepted before, 2 one that this worker or a dead one gives back,
-- 3 a run that stays where it is and is charged to somebody else from now on
local function parts(quota)
    local person, address = string.match(quota, '^%??([^@]*)@?(.*)$')
    if person == '' then person = '@' .. address end
    return person, address
end
if ARGV[4] == '2' then redis.call('ZREM', KEYS[4], ARGV[1]) end
local there = redis.call('HEXISTS', KEYS[2], ARGV[1]) == 1 or redis.call('ZSCORE', KEYS[4], ARGV[1])
if there and ARGV[4] ~= '3' then return {0} end
if ARGV[4] == '0' or ARGV[4] == '3' then
    local person, address = parts(ARGV[2])
    local own, near = 0, 0
    for _, owner in ipairs(redis.call('HVALS', KEYS[3])) do
        local other, place = parts(owner)
        if other == person then own = own + 1 end
        if place == address and address ~= '' then near = near + 1 end
    end
    local waiting = redis.call('HLEN', KEYS[2])
    local full = waiting >= tonumber(ARGV[5]) or near >= tonumber(ARGV[6]) or own >= tonumber(ARGV[7])
    if full then return {-1, waiting, near, own} end
end
if ARGV[4] == '3' then
    if there then redis.call('HSET', KEYS[3], ARGV[1], ARGV[2]) end
    return {0}
end
local line = ARGV[8] .. ARGV[3]
local known = redis.call('EXISTS', line) == 1
redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
redis.call('HSET', KEYS[3], ARGV[1], ARGV[2])
if ARGV[4] == '0' then
    redis.call('RPUSH', line, ARGV[1])
    if not known then redis.call('RPUSH', KEYS[1], ARGV[3]) end
else
    redis.call('LPUSH', line, ARGV[1])
    redis.call('LREM', KEYS[1], 0, ARGV[3])
    redis.call('LPUSH', KEYS[1], ARGV[3])
end
return {1}
"""

NEXT = (
    "-- KEYS lines waiting owners running people   ARGV lease prefix line_limit here"
    + NOW
    + """
local function line_of(quota)
    local person, address = string.match(quota, '^(%??[^@]*)@?(.*)$')
    if string.sub(person, 1, 1) == '?' then return address end
    return person
end
local busy = {}
for _, run in ipairs(redis.call('ZRANGE', KEYS[4], 0, -1)) do
    local line = line_of(redis.call('HGET', KEYS[3], run) or '')
    busy[line] = (busy[line] or 0) + 1
end
local function take(only_here)
    for _, line in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
        local seen = redis.call('ZSCORE', KEYS[5], line)
        local here = not only_here or not seen or now - tonumber(seen) < tonumber(ARGV[4])
        if here and (busy[line] or 0) < tonumber(ARGV[3]) then
            local run = redis.call('LPOP', ARGV[2] .. line)
            redis.call('LREM', KEYS[1], 0, line)
            if redis.call('LLEN', ARGV[2] .. line) > 0 then redis.call('RPUSH', KEYS[1], line) end
            if run then
                redis.call('HDEL', KEYS[2], run)
                redis.call('ZADD', KEYS[4], now + ARGV[1], run)
                return run
            end
        end
    end
    return false
end
return take(true) or take(false)
"""
)

KEEP = (
    "-- KEYS running   ARGV run lease"
    + NOW
    + """
redis.call('ZADD', KEYS[1], 'XX', now + ARGV[2], ARGV[1])
"""
)

SILENT = (
    "-- KEYS running"
    + NOW
    + """
return redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now)
"""
)

REMOVE = """
-- KEYS lines waiting owners   ARGV run prefix
local line = redis.call('HGET', KEYS[2], ARGV[1])
if not line then return 0 end
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('LREM', ARGV[2] .. line, 0, ARGV[1])
if redis.call('LLEN', ARGV[2] .. line) == 0 then redis.call('LREM', KEYS[1], 0, line) end
redis.call('HDEL', KEYS[3], ARGV[1])
return 1
"""
