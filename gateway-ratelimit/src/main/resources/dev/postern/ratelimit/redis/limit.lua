-- Limits without rooms, many keys in one call: the generic cell rate algorithm, as in dev.postern.core.rate.Gcra.
-- KEYS: one per limit and client. ARGV: not-after, then interval and tolerance per key, in microseconds.
-- Reply: now, late, then per key: allowed (1 or 0), microseconds until the next request is allowed
local t = redis.call('TIME')
local now = t[1] * 1000000 + t[2]
local notAfter = tonumber(ARGV[1])
if notAfter > 0 and now > notAfter then
    return {now, 1}
end
local answer = {now, 0}
for i = 1, #KEYS do
    local interval, tolerance = tonumber(ARGV[2 * i]), tonumber(ARGV[2 * i + 1])
    local arrival = math.max(tonumber(redis.call('GET', KEYS[i]) or '0'), now)
    local wait = arrival - now - tolerance
    if wait > 0 then
        answer[#answer + 1] = 0
        answer[#answer + 1] = wait
    else
        local nextArrival = arrival + interval
        redis.call('SET', KEYS[i], string.format('%.0f', nextArrival), 'PX', math.floor((nextArrival - now) / 1000) + 1)
        answer[#answer + 1] = 1
        answer[#answer + 1] = 0
    end
end
return answer
