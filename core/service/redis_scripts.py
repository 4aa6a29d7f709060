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

ENQUEUE = """
-- KEYS clients queued owners running   ARGV run client line again queued_limit client_limit
-- again: 0 a new run, 1 one that was accepted before, 2 one that this worker or a dead one gives back
if ARGV[4] == '2' then redis.call('ZREM', KEYS[4], ARGV[1]) end
if redis.call('SISMEMBER', KEYS[2], ARGV[1]) == 1 or redis.call('ZSCORE', KEYS[4], ARGV[1]) then return 0 end
if ARGV[4] == '0' then
    if redis.call('SCARD', KEYS[2]) >= tonumber(ARGV[5]) then return -1 end
    local own = 0
    for _, owner in ipairs(redis.call('HVALS', KEYS[3])) do if owner == ARGV[2] then own = own + 1 end end
    if own >= tonumber(ARGV[6]) then return -2 end
end
local known = redis.call('EXISTS', ARGV[3]) == 1
redis.call('SADD', KEYS[2], ARGV[1])
redis.call('HSET', KEYS[3], ARGV[1], ARGV[2])
if ARGV[4] == '0' then
    redis.call('RPUSH', ARGV[3], ARGV[1])
    if not known then redis.call('RPUSH', KEYS[1], ARGV[2]) end
else
    redis.call('LPUSH', ARGV[3], ARGV[1])
    redis.call('LREM', KEYS[1], 0, ARGV[2])
    redis.call('LPUSH', KEYS[1], ARGV[2])
end
return 1
"""

NEXT = """
-- KEYS clients queued owners running   ARGV now expiry line_prefix client_limit
local busy = {}
for _, run in ipairs(redis.call('ZRANGE', KEYS[4], 0, -1)) do
    local owner = redis.call('HGET', KEYS[3], run) or ''
    busy[owner] = (busy[owner] or 0) + 1
end
for _, client in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
    if (busy[client] or 0) < tonumber(ARGV[4]) then
        local run = redis.call('LPOP', ARGV[3] .. client)
        redis.call('LREM', KEYS[1], 0, client)
        if redis.call('LLEN', ARGV[3] .. client) > 0 then redis.call('RPUSH', KEYS[1], client) end
        if run then
            redis.call('SREM', KEYS[2], run)
            redis.call('ZADD', KEYS[4], ARGV[2], run)
            return run
        end
    end
end
return false
"""

REMOVE = """
-- KEYS clients queued owners   ARGV run line_prefix
if redis.call('SREM', KEYS[2], ARGV[1]) == 0 then return 0 end
local client = redis.call('HGET', KEYS[3], ARGV[1]) or ''
redis.call('LREM', ARGV[2] .. client, 0, ARGV[1])
if redis.call('LLEN', ARGV[2] .. client) == 0 then redis.call('LREM', KEYS[1], 0, client) end
redis.call('HDEL', KEYS[3], ARGV[1])
return 1
"""
