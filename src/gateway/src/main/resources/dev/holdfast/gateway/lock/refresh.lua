-- Extends the locks that are still owned by the sessions that ask.
--
-- KEYS: lock keys. ARGV: lock TTL ms, then for each key the session.
-- Reply: for each key 1 (extended) or 0 (gone, or another's).
local reply = {}
for i, key in ipairs(KEYS) do
  local value = redis.call('GET', key)
  if value and string.match(value, '^%d+ (%S+) ') == ARGV[i + 1] then
    reply[i] = redis.call('PEXPIRE', key, ARGV[1])
  else
    reply[i] = 0
  end
end
return reply
