-- Extends a gateway's lease and renews its record, only while the lease exists under this epoch.
--
-- KEYS: the gateway's key. ARGV: epoch, value, lease ms.
-- Reply: 1 (extended) or 0 (expired, or another boot's).
local value = redis.call('GET', KEYS[1])
if not value or string.match(value, '^%S+ (%S+)') ~= ARGV[1] then
  return {0}
end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return {1}
