-- Reads one gateway's record. KEYS: its key. Reply: the value, or an empty string.
return {redis.call('GET', KEYS[1]) or ''}
