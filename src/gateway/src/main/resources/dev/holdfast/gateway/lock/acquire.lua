-- Takes identities, or resumes them: each independently, all in one step.
--
-- KEYS: for each identity its lock key, then its fence key.
-- ARGV: lock TTL ms, fence TTL ms, gateway id, gateway epoch; then for each identity the session, its
--       API key id, and the session to resume or '-'.
-- Reply: for each identity 1 (held by the session) or 0 (held by another), the lock's value, its PTTL.
--
-- A lock's value is one line of words (see LockValue): version, session, token, gateway, epoch, API key,
-- since in ms, and the session, token, gateway, epoch and since of the lock that it superseded, or '-'.
--
-- A session that already holds the identity wins again with the same value: a call whose reply was lost
-- may be repeated. The fencing token is the greater of last + 1 and Redis' clock in microseconds, so a
-- lost fence key cannot repeat a token unless that clock was set back. The fence key is what covers a
-- clock that was set back, and it is kept for days after the last acquisition: a step as long as that is
-- not a step that a running deployment survives unnoticed, and keeping one key for every identity ever
-- seen would fill Redis.
local ttl, fenceTtl, gateway, epoch = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local time = redis.call('TIME')
local micros = tonumber(time[1]) * 1000000 + tonumber(time[2]) -- exact in a double until the year 2255
local since = string.format('%.0f', math.floor(micros / 1000))

local function words(value)
  local found = {}
  for word in string.gmatch(value, '%S+') do
    found[#found + 1] = word
  end
  return found
end

local function take(lock, fence, session, apiKey, superseded)
  local last = tonumber(redis.call('GET', fence) or '0')
  local token = string.format('%.0f', math.max(last + 1, micros))
  local value = table.concat({'1', session, token, gateway, epoch, apiKey, since, superseded}, ' ')
  redis.call('SET', fence, token, 'PX', fenceTtl)
  redis.call('SET', lock, value, 'PX', ttl)
  return value
end

local reply = {}
local function answer(status, value, remaining)
  reply[#reply + 1] = status
  reply[#reply + 1] = value
  reply[#reply + 1] = remaining
end

for i = 0, #KEYS / 2 - 1 do
  local lock, fence = KEYS[2 * i + 1], KEYS[2 * i + 2]
  local session, apiKey, resume = ARGV[3 * i + 5], ARGV[3 * i + 6], ARGV[3 * i + 7]
  local value = redis.call('GET', lock)
  local held = value and words(value) or {}
  if not value then
    answer(1, take(lock, fence, session, apiKey, '- - - - -'), tonumber(ttl))
  elseif held[2] == session then
    redis.call('PEXPIRE', lock, ttl)
    answer(1, value, tonumber(ttl))
  elseif held[1] == '1' and held[2] == resume and held[6] == apiKey then
    local old = table.concat({held[2], held[3], held[4], held[5], held[7]}, ' ')
    answer(1, take(lock, fence, session, apiKey, old), tonumber(ttl))
  else
    answer(0, value, redis.call('PTTL', lock))
  end
end
return reply
