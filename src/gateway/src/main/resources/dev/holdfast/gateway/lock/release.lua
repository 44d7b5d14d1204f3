-- Deletes the locks that are still owned by the sessions that ask. The fence keys stay.
--
-- KEYS: lock keys. ARGV: for each key the session.
-- Reply: for each key 1 (deleted) or 0 (gone, or another's).
local reply = {}
for i, key in ipairs(KEYS) do
  local value = redis.call('GET', key)
  if value and string.match(value, '^%d+ (%S+) ') == ARGV[i] then
    reply[i] = redis.call('DEL', key)
  else
    reply[i] = 0
  end
end
return reply
