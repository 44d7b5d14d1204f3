-- Takes a gateway out of the directory if this boot holds its id.
--
-- KEYS: the gateway's key. ARGV: epoch. Reply: 1 (taken out) or 0.
local value = redis.call('GET', KEYS[1])
if value and string.match(value, '^%S+ (%S+)') == ARGV[1] then
  return {redis.call('DEL', KEYS[1])}
end
return {0}
