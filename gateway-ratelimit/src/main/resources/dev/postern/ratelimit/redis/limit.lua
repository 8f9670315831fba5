-- Limits without rooms, many keys in one call: the generic cell rate algorithm, as in dev.postern.core.rate.Gcra.
-- KEYS: one per limit and client. ARGV: not-after, then interval and tolerance per key, in microseconds.
-- A time beyond one more interval and the tolerance is from before the clock of this server stepped back, or from a slower rate: it is cut
-- to that, so that no key waits longer than an interval (docs/adr/0049).
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
    local stored = tonumber(redis.call('GET', KEYS[i]) or '0')
    local latest = now + tolerance + interval
    local arrival = math.max(math.min(stored, latest), now)
    local wait = arrival - now - tolerance
    if wait > 0 then
        if stored > latest then
            redis.call('SET', KEYS[i], string.format('%.0f', latest), 'PX', math.floor((latest - now) / 1000) + 1)
        end
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
