-- One room, many requests, one atomic step: the same rules as dev.postern.ratelimit.queue.Room, in the same order.
-- All keys carry one hash tag. Times are microseconds of this server's clock.
--
-- ARGV: rules (active pass idle absence most interval tolerance opens), not-after, known epoch, replicas,
--       controls (stamp mode active interval tolerance opens), node, reported, peers (docs/adr/0026),
--       then per request: intent session key claim credential share
--       (a claim is 0 for none, or epoch ticket seen end hard, separated by blanks)
-- Reply: now, epoch, waiting, active, late (1 or 0), controls, nodes,
--        then per request: kind and, by kind, end hard vouched | position estimate retry ticket | retry
local M, W, S, P, H, A = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6] -- meta, queue, last requests, passes, hard ends, starts
local G, L, K, C, D = KEYS[7], KEYS[8], KEYS[9], KEYS[10], KEYS[11] -- arrivals, leases, requests left per lease, openers, their ends
local F, O, N = KEYS[12], KEYS[13], KEYS[14] -- last tickets of tenants, controls, time up to which each node has reported
local BASE, ADMITTED, WAITING, FULL, LIMITED, TAKEN = 0, 1, 2, 3, 4, 5
local LEASE, LEASE_REQUESTS, MEMORY, PURGE, LONGEST = 5000000, 64, 7200000000, 64, 86400000000
local REMEMBERED = 262144
local POLL, POLL_STEP, LINGER = 1000000, 20000, 60000000
local OPEN, PAUSED, DRAINING = 0, 2, 3 -- 1 is EVERYBODY_QUEUES
local COST, CONTROLS_LIFE = 1000, 2592000000000
local RULES, FIELDS = 20, 6
local CALLED, OUTAGE, PATIENCE = 250000, 2000000, 5000000

local call, floor, min, max = redis.call, math.floor, math.min, math.max
local num = tonumber

local t = call('TIME')
local now = t[1] * 1000000 + t[2]
local active, pass, idle, absence = num(ARGV[1]), num(ARGV[2]), num(ARGV[3]), num(ARGV[4])
local most, interval, tolerance, opens = num(ARGV[5]), num(ARGV[6]), num(ARGV[7]), num(ARGV[8])
local notAfter, known, replicas = num(ARGV[9]), num(ARGV[10]), num(ARGV[11])
local node, reported, peers = ARGV[18], num(ARGV[19]), num(ARGV[20])

if notAfter > 0 and now > notAfter then
    return {now, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0} -- past the deadline of the call: nothing may change
end

-- Returns a number as text; Lua's own conversion would round it. Cached: most are now, or the end of the idle time from now.
local texts = {}
local function text(n)
    local written = texts[n]
    if not written then
        written = string.format('%.0f', n)
        texts[n] = written
    end
    return written
end

local stamp = text(now)

-- Overrides by the operator: the newer of the node's and the room's apply.
local wanted = call('HMGET', O, 'stamp', 'mode', 'active', 'interval', 'tolerance', 'opens')
if num(ARGV[12]) > num(wanted[1] or '0') then
    wanted = {ARGV[12], ARGV[13], ARGV[14], ARGV[15], ARGV[16], ARGV[17]}
    call('HSET', O, 'stamp', ARGV[12], 'mode', ARGV[13], 'active', ARGV[14], 'interval', ARGV[15], 'tolerance', ARGV[16],
        'opens', ARGV[17])
end
for i = 1, 6 do
    wanted[i] = num(wanted[i] or '0')
end
local mode = wanted[2]
if wanted[3] > 0 then
    active = wanted[3]
end
if wanted[4] > 0 then
    interval, tolerance = wanted[4], wanted[5]
end
if wanted[6] > 0 then
    opens = wanted[6]
end

local meta = call('HMGET', M, 'epoch', 'frozen', 'last', 'hold', 'served', 'server', 'doubted', 'called', 'resumed', 'expected')
local epoch, frozen, last, hold = num(meta[1] or '0'), num(meta[2] or '0'), num(meta[3] or '0'), num(meta[4] or '0')
local served, doubted = num(meta[5] or '0'), num(meta[7] or '0')
local called, resumed, expected = num(meta[8] or '0'), num(meta[9] or '0'), num(meta[10] or '0')
local info = call('INFO', 'server')
local server = string.match(info, 'run_id:(%x+)') or ''
if server ~= meta[6] then
    if known > 0 or epoch > 0 then
        -- A node knew this room and the server doesn't, or another server took over, or the server read an old file. There may be
        -- unknown passes, for at most the lifetime of a pass, and unknown waiting sessions.
        frozen = now + pass
        doubted = frozen
    elseif replicas > 0 then
        local uptime = num(string.match(info, 'uptime_in_seconds:(%d+)') or '0') * 1000000
        if uptime < idle then
            frozen = now + idle - uptime -- the server is younger than an unused pass can be
        end
    end
    epoch, expected = now, 0
    call('DEL', N) -- each node has to report again
    call('HSET', M, 'epoch', text(epoch), 'frozen', text(frozen), 'server', server, 'doubted', text(doubted), 'expected', 0)
end

-- Reports of the nodes. Silence counts only up to the time that all of them have reported, since only the nodes know which sessions
-- were active during an outage.
if now - called > CALLED then
    if now - called > OUTAGE then
        resumed = now
    end
    call('HSET', M, 'called', stamp, 'resumed', text(resumed))
end
if known == 0 then
    reported = max(now, epoch + 1) -- the node knows nothing of this room
elseif known == epoch then
    reported = max(min(reported, now), epoch + 1)
else
    reported = epoch -- the node hasn't yet reported what it knew before the room's memory began
    if peers > expected then
        expected = peers
        call('HSET', M, 'expected', expected)
    end
end
if reported < now - OUTAGE and now - resumed > CALLED then
    resumed = now -- the node is about to report a time in which it could not reach the room
    call('HSET', M, 'resumed', stamp)
end
call('ZADD', N, 'GT', text(reported), node)
local rows, first, nodes
local function readNodes()
    rows = call('ZRANGE', N, 0, -1, 'WITHSCORES')
    first, nodes = num(rows[2] or stamp), #rows / 2
end
readNodes()
if first < now - PATIENCE then
    -- Drops nodes that were silent for longer than a pass can last, and one silent node if there are more nodes than replicas.
    call('ZREMRANGEBYSCORE', N, '-inf', text(now - pass - LINGER))
    readNodes()
    if replicas > 0 and nodes > replicas and first < now - PATIENCE then
        call('ZREMRANGEBYRANK', N, 0, 0)
        readNodes()
    end
end
if frozen > now and first > epoch and nodes >= (expected > 0 and min(expected, replicas) or replicas) then
    frozen, doubted = 0, 0
    call('HSET', M, 'frozen', 0, 'doubted', 0)
end
local silentTo = first -- watermark for passes
if now < frozen then
    silentTo = 0
end
local absentTo = first -- watermark for places, which omits a silent node earlier
local patient = now - absence - PATIENCE
if first <= patient and resumed <= patient then
    absentTo = now
    for i = #rows, 2, -2 do
        if num(rows[i]) > patient then
            absentTo = num(rows[i])
        end
    end
end

if served == 0 then
    served = epoch
end
if hold == 0 then
    hold = min(pass, 2 * idle)
end

-- Removes ended entries.
local function give(session, ends)
    local since = num(call('HGET', A, session) or ends)
    hold = max(1, hold + floor((num(ends) - since - hold) / 8))
    call('ZREM', P, session)
    call('ZREM', H, session)
    call('HDEL', A, session)
end
local lapsed = call('ZRANGEBYSCORE', P, '-inf', text(silentTo), 'WITHSCORES', 'LIMIT', 0, PURGE)
for i = 1, #lapsed, 2 do
    give(lapsed[i], lapsed[i + 1])
end
local ended = {}
if silentTo < now then
    ended = call('ZRANGEBYSCORE', H, 1, stamp, 'LIMIT', 0, PURGE)
    for i = 1, #ended do
        give(ended[i], call('ZSCORE', P, ended[i]) or stamp)
    end
end
if #lapsed + #ended > 0 then
    call('HSET', M, 'hold', text(hold))
end
local silent = call('ZRANGEBYSCORE', S, '-inf', text(absentTo - absence), 'LIMIT', 0, PURGE)
if #silent > 0 then
    call('ZREM', S, unpack(silent))
    call('ZREM', W, unpack(silent))
end
call('ZREMRANGEBYSCORE', G, '-inf', stamp)
local over = call('ZRANGEBYSCORE', L, '-inf', stamp, 'LIMIT', 0, PURGE)
if #over > 0 then
    call('ZREM', L, unpack(over))
    call('HDEL', K, unpack(over))
end
local old = call('ZRANGEBYSCORE', D, '-inf', stamp, 'LIMIT', 0, PURGE)
if #old > 0 then
    call('ZREM', D, unpack(old))
    call('HDEL', C, unpack(old))
end

local waiting, passes = call('ZCARD', W), call('ZCARD', P)

-- The values for all requests of the call are read at once here, and the changes are written at once at the end.
local sessions = {}
for i = RULES + 2, #ARGV, FIELDS do
    sessions[#sessions + 1] = ARGV[i]
end

-- Returns the values by session; false for none. Used for ends of passes, hard ends and tickets.
local function bySession(replies)
    local found = {}
    for i = 1, #sessions do
        found[sessions[i]] = num(replies[i] or false) or false
    end
    return found
end
local ends, hards, tickets = {}, {}, {}
if passes > 0 then
    ends = bySession(call('ZMSCORE', P, unpack(sessions)))
    for _, held in pairs(ends) do
        if held then
            hards = bySession(call('ZMSCORE', H, unpack(sessions)))
            break
        end
    end
end
if waiting > 0 then
    tickets = bySession(call('ZMSCORE', W, unpack(sessions)))
end
local leased, vouching = false, false -- whether leases or openers were written
local extended, heard = {}, {} -- by session: new end of the pass; whether the request counts as a sign of presence

local reply = {now, epoch, 0, 0, 0, unpack(wanted)}
local size = #reply + 1
reply[size] = nodes

local function poll(position)
    return min(POLL + position * POLL_STEP, max(floor(absence / 2), 1))
end

local function vouched(session, credential)
    if credential == '' then
        return 0
    end
    local ends = call('ZSCORE', D, credential)
    if not ends or num(ends) <= now then
        return 0
    end
    return call('HGET', C, credential) == session and 1 or 0
end

local function serve(ticket)
    if ticket > served then
        served = ticket
        call('HSET', M, 'served', text(served))
    end
end

local function leave(session)
    if tickets[session] then
        call('ZREM', W, session)
        call('ZREM', S, session)
        tickets[session], heard[session] = false, nil
        waiting = waiting - 1
    end
end

local function extend(session, till)
    ends[session], extended[session] = till, till
end

local function passed(session, hard, credential)
    reply[size + 1], reply[size + 2], reply[size + 3], reply[size + 4] = ADMITTED, ends[session], hard, vouched(session, credential)
    size = size + 4
end

local function admit(session, hard, credential)
    serve(tickets[session] or 0)
    leave(session)
    if not ends[session] then
        passes = passes + 1
    end
    extend(session, min(now + idle, hard))
    hards[session] = hard
    call('ZADD', H, text(hard), session)
    call('HSET', A, session, stamp)
    return passed(session, hard, credential)
end

local function away(kind, retry)
    reply[size + 1], reply[size + 2] = kind, retry
    size = size + 2
end

local function place(position, estimate, retry, ticket)
    reply[size + 1], reply[size + 2], reply[size + 3], reply[size + 4] = WAITING, position, estimate, retry
    reply[size + 5] = ticket
    size = size + 5
end

-- Returns whether a claim was issued before the room lost its memory, and its ticket, seen, end, hard.
local ours = text(epoch) .. ' '
local function foreign(claim)
    if claim == '0' or string.sub(claim, 1, #ours) == ours then
        return false, 0, 0, 0, 0
    end
    local cEpoch, cTicket, cSeen, cEnd, cHard = string.match(claim, '^(%d+) (%d+) (%d+) (%d+) (%d+)$')
    return num(cEpoch) ~= 0, num(cTicket), num(cSeen), num(cEnd), num(cHard)
end

local function arrival(key)
    local known = num(call('ZSCORE', G, key) or '0')
    return known > now and known or 0
end

local function leaseLeft(session)
    local ends = call('ZSCORE', L, session)
    if not ends or num(ends) <= now then
        return nil
    end
    return num(call('HGET', K, session) or '0')
end

local function passesAsBase(intent, session, key)
    local due = mode == OPEN and now >= doubted and now >= opens and waiting == 0 and max(arrival(key), now) - now <= tolerance
    local left = leaseLeft(session)
    if due then
        if intent == 'PAGE' or intent == 'ENTER' and not left then
            leased = true
            call('ZADD', L, text(now + LEASE), session)
            call('HSET', K, session, LEASE_REQUESTS)
        end
    elseif intent ~= 'PAGE' and left and left > 0 then
        call('HSET', K, session, left - 1)
    else
        return false
    end
    call('ZADD', G, text(max(arrival(key), now) + interval), key)
    if call('ZCARD', G) > REMEMBERED then
        call('ZPOPMIN', G) -- the key with the earliest arrival time; limits the number of keys, since clients may invent them
    end
    return true
end

-- Returns a ticket in the order of arrival.
local function inOrder()
    last = max(last + 1, now)
    call('HSET', M, 'last', text(last))
    return last
end

-- Returns a random ticket before the opening.
local function shuffled(session)
    last = max(last, opens - 1)
    call('HSET', M, 'last', text(last))
    return opens - 1 - num(string.sub(redis.sha1hex(session .. ':' .. text(opens)), 1, 8), 16)
end

local function split(share)
    local colon = string.find(share, ':', 1, true)
    return string.sub(share, colon + 1), num(string.sub(share, 1, colon - 1))
end

-- Returns a ticket by the weights of tenants.
local function fair(share)
    local tenant, weight = split(share)
    if waiting == 0 then
        serve(now)
    end
    local ticket = max(served, num(call('HGET', F, tenant) or '0')) + floor(COST / weight)
    call('HSET', F, tenant, text(ticket))
    return ticket
end

local function restored(share, ticket)
    if share ~= '' then
        local tenant = split(share)
        call('HSET', F, tenant, text(max(ticket, num(call('HGET', F, tenant) or '0'))))
    end
    return ticket
end

local function decide(intent, session, key, claim, credential, share)
    local held = ends[session]
    if held then
        local hard = hards[session] or 0
        if hard > 0 then
            extend(session, max(held, min(now + idle, hard)))
            return passed(session, hard, credential)
        end
    end
    local lost, cTicket, cSeen, cEnd, cHard = foreign(claim)
    if not held and cEnd > now and lost and now < epoch + pass and passes < active then
        return admit(session, cHard, credential)
    end
    if intent == 'RENEW' then
        return away(LIMITED, 0)
    end
    if intent ~= 'POLL' and intent ~= 'KEEP' and passesAsBase(intent, session, key) then
        return away(BASE, 0)
    end
    local ticket = tickets[session]
    if ticket then
        heard[session] = true
    else
        local restores = cTicket > 0 and lost and cSeen > now - absence and cSeen <= now
        local retry = max(0, max(arrival(key), now) - now - tolerance)
        if waiting > 0 then
            retry = max(retry, poll(0))
        end
        if intent ~= 'PAGE' and intent ~= 'ENTER' and not restores then
            return away(LIMITED, retry)
        end
        if mode == DRAINING and not restores then
            return away(FULL, retry)
        end
        if waiting >= most and waiting >= active - passes then
            return away(FULL, retry)
        end
        if credential ~= '' then
            local opened = num(call('ZSCORE', D, credential) or '0') > now and call('HGET', C, credential)
            if opened and opened ~= session then
                return away(TAKEN, retry)
            end
        end
        if restores then
            ticket = restored(share, cTicket)
        elseif now < opens then
            ticket = shuffled(session)
        elseif share == '' then
            ticket = inOrder()
        else
            ticket = fair(share)
        end
        while call('ZCOUNT', W, text(ticket), text(ticket)) > 0 do
            ticket = ticket + 1 -- one ticket, one place
        end
        call('ZADD', W, text(ticket), session)
        tickets[session], heard[session] = ticket, true
        waiting = waiting + 1
        if credential ~= '' then
            vouching = true
            call('HSET', C, credential, session)
            call('ZADD', D, text(now + MEMORY), credential)
        end
    end
    if now < opens then
        return place(0, opens - now, min(max(opens - now, POLL), max(floor(absence / 2), 1)), ticket)
    end
    local rank = call('ZRANK', W, session)
    if rank < active - passes and now >= frozen and mode ~= PAUSED and intent ~= 'KEEP' then
        return admit(session, now + pass, credential)
    end
    local estimate = min((rank + 1) * floor(hold / active), LONGEST)
    return place(rank + 1, estimate, poll(rank + 1), ticket)
end

local function revoke(session)
    if ends[session] then
        call('ZADD', H, 0, session)
        hards[session] = 0
    end
    leave(session)
    return away(LIMITED, 0)
end

for i = RULES + 1, #ARGV, FIELDS do
    local intent, session = ARGV[i], ARGV[i + 1]
    if intent == 'REVOKE' then
        revoke(session)
    elseif intent == 'BYE' then
        call('ZREM', N, node) -- the node serves no more requests
        away(LIMITED, 0)
    elseif intent == 'LOOK' then
        away(LIMITED, 0)
    else
        decide(intent, session, ARGV[i + 2], ARGV[i + 3], ARGV[i + 4], ARGV[i + 5])
    end
end
local rows = {}
for session, till in pairs(extended) do
    rows[#rows + 1] = text(till)
    rows[#rows + 1] = session
end
if #rows > 0 then
    call('ZADD', P, unpack(rows))
end
rows = {}
for session in pairs(heard) do
    rows[#rows + 1] = stamp
    rows[#rows + 1] = session
end
if #rows > 0 then
    call('ZADD', S, unpack(rows))
end
reply[3] = waiting
reply[4] = passes

-- Every key has an expiry, so an unused room is removed. Keys that were only read keep their expiry.
local function expire(micros, ...)
    for _, key in ipairs({...}) do
        call('PEXPIRE', key, floor(micros / 1000) + 1)
    end
end
local life = max(pass + idle + LINGER, MEMORY)
expire(life, M, F, N)
expire(LINGER + tolerance + interval * LEASE_REQUESTS, G)
if next(heard) then
    expire(life, W, S)
end
if next(extended) then
    expire(life, P, H, A)
end
if leased then
    expire(LINGER, L, K)
end
if vouching then
    expire(MEMORY + LINGER, C, D)
end
expire(CONTROLS_LIFE, O)
return reply
