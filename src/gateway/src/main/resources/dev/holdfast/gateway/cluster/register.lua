-- Enters a gateway into the directory, unless another boot holds its id.
--
-- KEYS: the gateway's key. ARGV: epoch, value, lease ms. A value's second word is its epoch.
-- Reply: 1 and the new value, or 0 and the value of the boot that holds the id.
local value = redis.call('GET', KEYS[1])
if value and string.match(value, '^%S+ (%S+)') ~= ARGV[1] then
  return {0, value}
end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return {1, ARGV[2]}
