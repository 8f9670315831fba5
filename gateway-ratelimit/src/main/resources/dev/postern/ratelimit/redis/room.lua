-- One room, many requests, one atomic step: the same rules as dev.postern.ratelimit.queue.Room, in the same order.
-- All keys carry one hash tag. Times are microseconds of this server's clock.
--
-- ARGV: rules (active pass idle absence most interval tolerance opens), not-after, known epoch, replicas,
--       controls (stamp mode active interval tolerance opens), node, reported, peers (docs/adr/0026),
--       then per request: intent session key claim credential share
--       (a claim is 0 for none, or epoch ticket seen end hard, separated by blanks)
-- Reply: now, epoch, waiting, active, late (1 or 0), controls, nodes, hold,
--        then per request: code and, by kind, end hard | ticket | nothing; the code is the kind plus eight times vouched | position | retry.
--        The node computes the estimate and the retry time of a waiting session from its position (RoomReply).
local M, W, S, P, H, A = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6] -- meta, queue, rows, passes, hard ends, starts
local G, L, K, C, D = KEYS[7], KEYS[8], KEYS[9], KEYS[10], KEYS[11] -- arrivals, leases, requests left per lease, openers, their ends
local F, O, N = KEYS[12], KEYS[13], KEYS[14] -- last tickets of tenants, controls, time up to which each node has reported
local R = KEYS[15] -- requests of waiting sessions, oldest first: for each call its time and the sessions

-- A row of a waiting session is its ticket and the time of its last request. A request rewrites the row and adds to the log of requests,
-- but neither reads nor writes the queue, a sorted set: with a million members, each access costs more than the rest of the decision.
-- The time is rounded up to a sixteenth of the absence, and a request with the same time changes nothing: this limits the log.
local BASE, ADMITTED, WAITING, FULL, LIMITED, TAKEN = 0, 1, 2, 3, 4, 5
local LEASE, LEASE_REQUESTS, MEMORY, PURGE = 5000000, 64, 7200000000, 64
local REMEMBERED = 262144
local POLL, LINGER = 1000000, 60000000
local OPEN, PAUSED, DRAINING = 0, 2, 3 -- 1 is EVERYBODY_QUEUES
local COST, CONTROLS_LIFE = 1000, 2592000000000
local RULES, FIELDS = 20, 6
local LOOKS = 512 -- logged requests that one call looks at, at most, before the last entry
local NEAR = 256 -- places that are counted, in addition to those that may be admitted; further back, positions are interpolated
local RECORDS = 16 -- requests of a waiting session that are recorded in the time of an absence, at most
local MARKS, MARKS_LIFE, MARKS_FORMAT = 64, 1000000, '<' .. string.rep('d', 66) -- step and 65 tickets
local CALLED, OUTAGE, PATIENCE = 250000, 2000000, 5000000

local call, floor, min, max = redis.call, math.floor, math.min, math.max
local num, unpack, unpackStruct = tonumber, unpack, struct.unpack
local ARGV = ARGV -- read several times for each request, and a local is found faster than a global

local t = call('TIME')
local now = t[1] * 1000000 + t[2]
local active, pass, idle, absence = num(ARGV[1]), num(ARGV[2]), num(ARGV[3]), num(ARGV[4])
local most, interval, tolerance, opens = num(ARGV[5]), num(ARGV[6]), num(ARGV[7]), num(ARGV[8])
local notAfter, known, replicas = num(ARGV[9]), num(ARGV[10]), num(ARGV[11])
local node, reported, peers = ARGV[18], num(ARGV[19]), num(ARGV[20])

if notAfter > 0 and now > notAfter then
    return {now, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0} -- past the deadline of the call: nothing may change
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
local recorded = now + -now % max(floor(absence / RECORDS), 1)

-- Overrides by the operator: the newer of the node's and the room's apply.
local wanted = call('HMGET', O, 'stamp', 'mode', 'active', 'interval', 'tolerance', 'opens')
local controlled = false
if num(ARGV[12]) > num(wanted[1] or '0') then
    wanted = {ARGV[12], ARGV[13], ARGV[14], ARGV[15], ARGV[16], ARGV[17]}
    controlled = true
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
local anew = not meta[6] or not string.find(info, meta[6], 1, true)
if anew then
    local server = string.match(info, 'run_id:(%x+)') or ''
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
local periodic = now - called > CALLED -- for what need not be done in each call
if periodic then
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
local joined = call('ZADD', N, 'GT', text(reported), node)
local rows, first, nodes
-- Reads the nodes by the time of their last report: a change of the set moves the earliest one.
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

-- Ended entries are removed, at most PURGE of a kind in each call.

-- Frees the slot of a session, and adds the time that it was held to the average, from which waiting times are estimated.
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
local unheard, dropped, looks = absentTo - absence, 0, 0
while dropped < PURGE and looks < LOOKS do
    local entry = call('LINDEX', R, 0)
    if not entry or unpackStruct('<d', entry) > unheard then
        break
    end
    call('LPOP', R)
    local logged, silent = {}, {}
    for session in string.gmatch(string.sub(entry, 9), '%S+') do
        logged[#logged + 1] = session
    end
    local found = call('HMGET', S, unpack(logged))
    for i = 1, #logged do
        if found[i] then
            local _, lastRequest = unpackStruct('<dd', found[i])
            if lastRequest <= unheard then -- otherwise a later entry of the log has the session again
                silent[#silent + 1] = logged[i]
            end
        end
    end
    if #silent > 0 then
        call('HDEL', S, unpack(silent))
        call('ZREM', W, unpack(silent))
    end
    dropped, looks = dropped + #silent, looks + #logged
end

local waiting, passes = call('ZCARD', W), call('ZCARD', P)

-- The values for all requests of the call are read at once here, and the changes are written at once at the end.
local sessions, asked = {}, 0
for i = RULES + 2, #ARGV, FIELDS do
    asked = asked + 1
    sessions[asked] = ARGV[i]
end

-- A session with a place has no pass, except a revoked one, which is read when it matters.
local ends, hards, tickets, heardAt, others = {}, {}, {}, {}, sessions
if waiting > 0 then
    others = {}
    local found = call('HMGET', S, unpack(sessions))
    for i = 1, asked do
        local session, row = sessions[i], found[i]
        if row then
            tickets[session], heardAt[session] = unpackStruct('<dd', row)
        else
            others[#others + 1] = session
        end
    end
end
if passes > 0 and #others > 0 then
    local found, held = call('ZMSCORE', P, unpack(others)), false
    for i = 1, #others do
        ends[others[i]] = num(found[i] or false) or false
        held = held or found[i]
    end
    if held then
        found = call('ZMSCORE', H, unpack(others))
        for i = 1, #others do
            hards[others[i]] = num(found[i] or false) or false
        end
    end
end

-- Returns the end of a pass, revoked or not, or false. Unlike a live pass, a revoked one may belong to a waiting session: it takes a slot
-- until its end, and no claim revives it.
local function holds(session)
    if ends[session] == nil then
        ends[session] = num(call('ZSCORE', P, session) or false) or false
    end
    return ends[session]
end

-- The last place whose rank is counted, and the last place of all. A session behind the first can't be admitted in this call, in which
-- each request removes at most one session.
local counted = NEAR + max(active - passes, 0) + asked
local front, back, marks = math.huge, nil, nil
if waiting > counted then
    front = num(call('ZRANGE', W, counted, counted, 'WITHSCORES')[2])
end

-- Returns the last ticket of the queue, or a greater one if its session left in this call; 0 for an empty queue.
local function lastPlace()
    back = back or num(call('ZRANGE', W, -1, -1, 'WITHSCORES')[2] or '0')
    return back
end

-- Reads tickets at equal distances in the queue, at most once a second; the first element is the distance.
local function readMarks()
    local found = call('HMGET', M, 'marked', 'marks')
    local packed = found[2]
    if not packed or now - num(found[1]) >= MARKS_LIFE then
        local fresh = {(waiting - 1) / MARKS}
        for i = 0, MARKS do
            local rank = floor(i * fresh[1])
            fresh[i + 2] = num(call('ZRANGE', W, rank, rank, 'WITHSCORES')[2])
        end
        packed = struct.pack(MARKS_FORMAT, unpack(fresh))
        call('HSET', M, 'marked', stamp, 'marks', packed)
    end
    marks = {unpackStruct(MARKS_FORMAT, packed)}
end

-- Returns about the number of sessions before a place far back: finds the marks on both sides, and assumes equal distances between them.
local function interpolated(ticket)
    if not marks then
        readMarks()
    end
    local distance, size = marks[1], marks[1]
    local low, step, till = 0, MARKS / 2, nil
    if ticket >= marks[MARKS + 2] then -- the session came after the last mark
        low, till = MARKS, lastPlace()
        if ticket >= till then
            return waiting - 1
        end
        size = max(waiting - 1 - low * distance, 0)
    else
        while step >= 1 do
            if marks[low + step + 2] <= ticket then
                low = low + step
            end
            step = step / 2
        end
        till = marks[low + 3]
    end
    local from = marks[low + 2]
    local rank = low * distance + size * (ticket - from) / (till - from)
    -- The marks may be older than the last tickets and slots: only a counted rank may admit a session.
    return max(counted, floor(min(rank, waiting - 1)))
end

local charged, leased, vouching, shared = periodic, periodic, periodic, periodic -- what was written, or is due
local placed, entered = periodic, periodic -- whether a session took a place or a pass
local extended, heard = {}, {} -- by session: new end of the pass; whether the request counts as a sign of presence

local reply = {now, epoch, 0, 0, 0, wanted[1], wanted[2], wanted[3], wanted[4], wanted[5], wanted[6], nodes, hold}
local size = #reply

-- Returns 1 if the credential opened the ticket of this session, otherwise 0: then the node accepts it for the session's requests.
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

-- Records the greatest ticket that was admitted: an idle tenant continues there, or its old tickets would overtake all others.
local function serve(ticket)
    if ticket > served then
        served = ticket
        call('HSET', M, 'served', text(served))
    end
end

-- Removes the place of a session at once, so that a later request of the same call counts one session less.
local function leave(session)
    if tickets[session] then
        call('ZREM', W, session)
        call('HDEL', S, session)
        tickets[session], heard[session] = false, nil
        waiting = waiting - 1
    end
end

-- Sets the end of a pass, which is written at the end of the call, with those of all other sessions.
local function extend(session, till)
    ends[session], extended[session] = till, till
end

-- Adds the reply to a session with a pass.
local function passed(session, hard, credential)
    reply[size + 1], reply[size + 2], reply[size + 3] = ADMITTED + 8 * vouched(session, credential), ends[session], hard
    size = size + 3
end

-- Gives a session a slot, in exchange for its place if it has one.
local function admit(session, hard, credential)
    serve(tickets[session] or 0)
    leave(session)
    if not holds(session) then
        passes = passes + 1
    end
    extend(session, min(now + idle, hard))
    hards[session] = hard
    call('ZADD', H, text(hard), session)
    call('HSET', A, session, stamp)
    entered = true
    return passed(session, hard, credential)
end

-- Adds the reply to a request without a place or a pass; the node retries after the given time.
local function away(kind, retry)
    size = size + 1
    reply[size] = kind + 8 * retry
end

-- Adds the reply to a waiting session; before the opening, its position is 0.
local function place(position, ticket)
    reply[size + 1], reply[size + 2] = WAITING + 8 * position, ticket
    size = size + 2
end

-- Returns whether a claim was issued before the room lost its memory, and its ticket, seen, end, hard.
local ours = text(epoch) .. ' '
local function foreign(claim)
    if claim == '0' or string.find(claim, ours, 1, true) == 1 then
        return false, 0, 0, 0, 0
    end
    local cEpoch, cTicket, cSeen, cEnd, cHard = string.match(claim, '^(%d+) (%d+) (%d+) (%d+) (%d+)$')
    return num(cEpoch) ~= 0, num(cTicket), num(cSeen), num(cEnd), num(cHard)
end

-- Returns the arrival time that the base rate (GCRA) keeps for a key, or 0 for one that has passed: it allows the same as none.
local function arrival(key)
    local known = num(call('ZSCORE', G, key) or '0')
    return known > now and known or 0
end

-- Returns how many parts the page of a session may still load, or nil without a lease: a page loads its parts despite the rate.
local function leaseLeft(session)
    local ends = call('ZSCORE', L, session)
    if not ends or num(ends) <= now then
        return nil
    end
    return num(call('HGET', K, session) or '0')
end

-- Returns whether a request passes at the base rate or by a lease, and charges it: a room without a queue costs its visitors no wait.
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
    charged = true
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

-- Returns the tenant and the weight of a share, which a request sends as one argument.
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
    shared = true
    call('HSET', F, tenant, text(ticket))
    return ticket
end

-- Returns the ticket from before a loss of memory; later sessions of the tenant get later ones.
local function restored(share, ticket)
    if share ~= '' then
        local tenant = split(share)
        shared = true
        call('HSET', F, tenant, text(max(ticket, num(call('HGET', F, tenant) or '0'))))
    end
    return ticket
end

-- Decides on one request and adds its reply; the order of the steps is that of Room.decide.
local function decide(intent, session, key, claim, credential, share)
    local held = ends[session]
    if held then
        local hard = hards[session] or 0
        if hard > 0 then
            extend(session, max(held, min(now + idle, hard)))
            return passed(session, hard, credential)
        end
    end
    if passes < active and now < epoch + pass then
        local lost, _, _, cEnd, cHard = foreign(claim)
        if lost and cEnd > now and not holds(session) then
            return admit(session, cHard, credential)
        end
    end
    if intent == 'RENEW' then
        return away(LIMITED, 0)
    end
    if intent ~= 'POLL' and intent ~= 'KEEP' and passesAsBase(intent, session, key) then
        return away(BASE, 0)
    end
    local ticket = tickets[session]
    if ticket then
        if heardAt[session] ~= recorded then
            heard[session] = true
        end
    else
        local lost, cTicket, cSeen = foreign(claim)
        local restores = cTicket > 0 and lost and cSeen > now - absence and cSeen <= now
        local retry = max(0, max(arrival(key), now) - now - tolerance)
        if waiting > 0 then
            retry = max(retry, min(POLL, max(floor(absence / 2), 1)))
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
        while ticket <= lastPlace() and call('ZCOUNT', W, text(ticket), text(ticket)) > 0 do
            ticket = ticket + 1 -- one ticket, one place
        end
        back, placed = max(back, ticket), true
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
        return place(0, ticket)
    end
    local rank = ticket <= front and call('ZRANK', W, session) or interpolated(ticket)
    if rank < active - passes and now >= frozen and mode ~= PAUSED and intent ~= 'KEEP' then
        return admit(session, now + pass, credential)
    end
    return place(rank + 1, ticket)
end

-- Takes pass and place from a session. Its slot stays in use until no node can still accept the pass.
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
local logged = {}
rows = {}
for session in pairs(heard) do
    logged[#logged + 1] = session
    rows[#rows + 1] = session
    rows[#rows + 1] = struct.pack('<dd', tickets[session], recorded)
end
if #logged > 0 then
    call('HSET', S, unpack(rows))
    local length = call('RPUSH', R, struct.pack('<d', recorded) .. table.concat(logged, ' '))
    placed = placed or length == 1
end
reply[3] = waiting
reply[4] = passes

-- Every key has an expiry, so an unused room is removed. It is set when a call may have created the key, and renewed a few times a second.
-- Keys that were only read keep their expiry. What is written also removes ended entries of its kind; until then, they count as removed.
local function expire(micros, ...)
    for _, key in ipairs({...}) do
        call('PEXPIRE', key, floor(micros / 1000) + 1)
    end
end
local life = max(pass + idle + LINGER, MEMORY)
if periodic or anew or joined == 1 then
    expire(life, M, N)
end
if periodic or controlled then
    expire(CONTROLS_LIFE, O)
end
if shared then
    expire(life, F)
end
if charged then
    call('ZREMRANGEBYSCORE', G, '-inf', stamp)
    expire(LINGER + tolerance + interval * LEASE_REQUESTS, G)
end
if placed then
    expire(life, W, S, R)
end
if entered and next(extended) then
    expire(life, P, H, A)
end
-- Removes ended entries of a sorted set of times and of the hash with their values.
local function removeEnded(times, values)
    local over = call('ZRANGEBYSCORE', times, '-inf', stamp, 'LIMIT', 0, PURGE)
    if #over > 0 then
        call('ZREM', times, unpack(over))
        call('HDEL', values, unpack(over))
    end
end
if leased then
    removeEnded(L, K)
    expire(LINGER, L, K)
end
if vouching then
    removeEnded(D, C)
    expire(MEMORY + LINGER, C, D)
end
return reply
