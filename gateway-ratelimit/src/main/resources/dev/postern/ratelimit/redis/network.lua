-- Networks of passes, many passes of one room in one call: from how many networks a pass is used, on all nodes together.
-- KEYS: one per pass, all with the hash tag of the room. ARGV: maximum, then per key: hash of the network, milliseconds to keep the key.
-- Reply: per key 1 if the network is one of those of the pass, 0 if the pass has the maximum of other ones.
-- A key is a text of hashes of equal length, each after a blank. Only GET and SET: what limit.lua needs too.
local most = tonumber(ARGV[1])
local answer = {}
for i = 1, #KEYS do
    local network, life = ' ' .. ARGV[2 * i], tonumber(ARGV[2 * i + 1])
    local known = redis.call('GET', KEYS[i]) or ''
    local member = string.find(known, network, 1, true) ~= nil
    if not member and #known < most * #network then
        redis.call('SET', KEYS[i], known .. network, 'PX', life)
        member = true
    end
    answer[i] = member and 1 or 0
end
return answer
