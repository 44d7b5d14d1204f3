-- Looks up who holds identities.
--
-- KEYS: lock keys. Reply: for each key the lock's value, or an empty string.
local reply = {}
for i, key in ipairs(KEYS) do
  reply[i] = redis.call('GET', key) or ''
end
return reply
