-- One room, many requests, one atomic step: the same rules as dev.postern.ratelimit.queue.Room, in the same order.
-- All keys carry one hash tag. Times are microseconds of the room's clock (docs/adr/0049), except for the opening: it is an instant of this
-- server's clock.
--
-- ARGV: rules (active pass idle absence most interval tolerance opens), not-after, known epoch, replicas,
--       controls (stamp mode active interval tolerance opens), node, reported, peers (docs/adr/0026), keep, places per network,
--       sent (time of the room's clock at which the node sent the call, by the node's monotonic clock; 0 for unknown),
--       then per request: intent session key claim credential share network
--       (a claim is 0 for none, or epoch ticket seen end hard, separated by blanks)
-- Reply: now, epoch, waiting, active, late (1 or 0), controls, nodes, hold, wall (this server's clock),
--        then per request: code and, by kind, end hard | ticket | nothing; the code is the kind plus eight times vouched | position | retry.
--        A deferred session gets the position that it would have now, and a negative ticket (docs/adr/0051).
--        The node computes the estimate and the retry time of a waiting session from its position (RoomReply).
local M, W, S, P, H, A = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6] -- meta, queue, rows, passes, hard ends, starts
local G, L, K, C, D = KEYS[7], KEYS[8], KEYS[9], KEYS[10], KEYS[11] -- arrivals, leases, requests left per lease, openers, their ends
local F, O, N = KEYS[12], KEYS[13], KEYS[14] -- last tickets of tenants, controls, time up to which each node has reported
local R = KEYS[15] -- requests of waiting sessions, oldest first: for each call its time and the sessions
local B = KEYS[16] -- absent sessions, by the time of their last request
local Q = KEYS[17] -- number of places by client network, those of absent sessions included

-- A row of a waiting session is its ticket, the time of its last request, and its network. A request rewrites the row and adds to the log of
-- requests, but neither reads nor writes the queue, a sorted set: with a million members, each access costs more than the rest of the decision.
-- The time is rounded up to a sixteenth of the absence, and a request with the same time changes nothing: this limits the log.
-- A session that is silent for the time of an absence leaves the queue. Its row remains, with the time below zero, and another sorted set
-- has the absent sessions by the time of their last request (docs/adr/0048). No request of another session looks at them.
-- An empty queue has no log.
--
-- How the script is written: a function may have 200 local variables, so its parts are blocks. To create a function costs a search for each
-- variable of the script that it uses, among all that functions use: as long as each rule was a function of the script, this was a quarter of
-- a call with one request. Therefore what most calls need is no function, and the other rules are functions of a function, created when needed.
local ADMITTED, WAITING, LIMITED, PAUSED = 1, 2, 4, 2 -- kinds of decisions; a mode
local RULES, FIELDS = 23, 7
local PURGE, MEMORY, LINGER, LEASE_REQUESTS = 64, 7200000000, 60000000, 64
local RECORDS = 16 -- requests of a waiting session that are recorded in the time of an absence, at most

local call, floor, min, max = redis.call, math.floor, math.min, math.max
local num, unpack, pack, unpackStruct = tonumber, unpack, struct.pack, struct.unpack
local ARGV = ARGV -- read several times for each request, and a local is found faster than a global

local t = call('TIME')
local wall = t[1] * 1000000 + t[2]
local active, pass, idle, absence = num(ARGV[1]), num(ARGV[2]), num(ARGV[3]), num(ARGV[4])
local most, interval, tolerance, opens = num(ARGV[5]), num(ARGV[6]), num(ARGV[7]), num(ARGV[8])
local node, keep, perNetwork = ARGV[18], num(ARGV[21]), num(ARGV[22])

local meta = call('HMGET', M, 'epoch', 'frozen', 'last', 'hold', 'served', 'server', 'doubted', 'called', 'resumed', 'expected', 'sizes',
    'shift', 'begun', 'controls')
local epoch, frozen, last, hold = num(meta[1] or '0'), num(meta[2] or '0'), num(meta[3] or '0'), num(meta[4] or '0')
local served, doubted, called = num(meta[5] or '0'), num(meta[7] or '0'), num(meta[8] or '0')
local info = call('INFO', 'server')
local unknown = not meta[6] or not string.find(info, meta[6], 1, true)
local changes = {} -- fields of the meta hash, which are written at the end of the call

-- The time of the room: that of the server's clock, as far as the monotonic clock of the calling node agrees. What this clock jumped, back
-- or ahead, is no time that passed in the room. Without a node that knew the room, only more than the lifetime of a pass is believed.
local now = wall - num(meta[12] or '0')
do
    local GAP = 1000000 -- as in dev.postern.ratelimit.store.RoomClock
    local notAfter, sent = num(ARGV[9]), num(ARGV[23])
    local clock, witness = now, max(called, sent)
    if sent == 0 and clock > called + pass then
        witness = clock
    end
    if unknown and sent > 0 or called > 0 and (clock < called or clock > witness + GAP) then
        now = witness
    end
    if notAfter > 0 and now > notAfter then
        return {now, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, wall} -- past the deadline of the call: nothing may change
    end
    if now ~= clock then
        changes.shift = string.format('%.0f', wall - now)
    end
end

-- Returns a number as text; Lua's own conversion would round it. Cached: most are now, or the end of the idle time from now.
local text
do
    local texts = {}
    function text(n)
        local written = texts[n]
        if not written then
            written = string.format('%.0f', n)
            texts[n] = written
        end
        return written
    end
end
local stamp = text(now)

-- Overrides by the operator: the newer of the node's and the room's apply. They have a key of their own, which outlives the room, and are
-- read from it only for a new meta hash.
local wanted, controlled = nil, false
do
    local FORMAT = '<dddddd'
    if meta[14] then
        wanted = {unpackStruct(FORMAT, meta[14])}
    else
        wanted = call('HMGET', O, 'stamp', 'mode', 'active', 'interval', 'tolerance', 'opens')
    end
    if num(ARGV[12]) > num(wanted[1] or '0') then
        wanted = {ARGV[12], ARGV[13], ARGV[14], ARGV[15], ARGV[16], ARGV[17]}
        controlled = true
        call('HSET', O, 'stamp', ARGV[12], 'mode', ARGV[13], 'active', ARGV[14], 'interval', ARGV[15], 'tolerance', ARGV[16],
            'opens', ARGV[17])
    end
    for i = 1, 6 do
        wanted[i] = num(wanted[i] or '0')
    end
    if controlled or not meta[14] then
        changes.controls = pack(FORMAT, unpack(wanted, 1, 6))
    end
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

-- An opening that has come stays so, though the clock may step back.
local closed = opens > 0 and num(meta[13] or '0') ~= opens
if closed and wall >= opens then
    closed = false
    changes.begun = text(opens)
end

-- By node: the time up to which it has reported.
local reportedTo, nodes
local function readNodes()
    local rows = call('ZRANGE', N, 0, -1, 'WITHSCORES')
    reportedTo, nodes = {}, #rows / 2
    for i = 1, #rows, 2 do
        reportedTo[rows[i]] = num(rows[i + 1])
    end
end
readNodes()

-- Redis may lose any key: it evicts, deletes or expires one. A lost key has another size than after the last call, or than the key with
-- the same sessions (docs/adr/0053). What is left of the queue or of the passes is then dropped, and the nodes register all that they know
-- again. A loss of arrivals, leases, starts or overrides is not looked for: some requests pass early, an estimate is worse, and the
-- overrides come with each call. Without the tickets of tenants, new ones go behind the queue.
local waiting, absent, passes = call('ZCARD', W), call('ZCARD', B), call('ZCARD', P)
local oldest = waiting > 0 and call('LINDEX', R, 0) -- first entry of the log
local tenanted, opened, lost
do
    local present = string.format('%d %d %d %d ', waiting, absent, passes, nodes)
    local sizes = meta[11] or '0 0 0 0 0 0'
    local wasWaiting, wasAbsent, wasPasses
    wasWaiting, wasAbsent, wasPasses, tenanted, opened = string.match(sizes, '^(%d+) (%d+) (%d+) %d+ (%d) (%d+)$')
    opened = num(opened)
    local queueLost = waiting + absent > 0 and call('HLEN', S) ~= waiting + absent or waiting > 0 and not oldest
    local passesLost = passes > 0 and call('ZCARD', H) ~= passes
    lost = queueLost or passesLost or string.sub(sizes, 1, #present) ~= present
    if lost and meta[11] then
        queueLost = queueLost or num(wasWaiting) ~= waiting or num(wasAbsent) ~= absent
        passesLost = passesLost or num(wasPasses) ~= passes
    end
    if opened > now and call('EXISTS', C, D) < 2 then
        lost, queueLost, opened = true, true, 0 -- the nodes know which credentials opened the tickets that wait
    end
    if queueLost then
        call('UNLINK', W, S, R, B)
        waiting, absent = 0, 0
    end
    if passesLost then
        call('UNLINK', P, H, A)
        passes = 0
    end
end

-- The memory of the room, and the reports of the nodes. Silence counts only up to the time that all nodes have reported, since only they
-- know which sessions were active during an outage.
local anew = lost or unknown
local periodic, joined -- whether it is time for what need not be done in each call; whether the node is new
local silentTo, absentTo -- watermarks for passes and for places; that for places omits a silent node earlier
do
    local CALLED, OUTAGE, SURPLUS, PATIENCE = 250000, 2000000, 5000000, 10000000
    local known, replicas, reported, peers = num(ARGV[10]), num(ARGV[11]), num(ARGV[19]), num(ARGV[20])
    local resumed, expected = num(meta[9] or '0'), num(meta[10] or '0')

    -- Returns the earliest time after the given one up to which a node has reported, or now.
    local function earliest(after)
        local found
        for _, instant in pairs(reportedTo) do
            if instant > after and (not found or instant < found) then
                found = instant
            end
        end
        return found or now
    end

    if anew then
        if known > 0 or epoch > 0 or lost then
            -- A node knew this room and the server doesn't, or another server took over, or the server read an old file, or lost a key.
            -- There may be unknown passes, for at most the lifetime of a pass, and unknown waiting sessions.
            frozen = now + pass
            doubted = frozen
        elseif replicas > 0 then
            -- Less than nothing, if the server's clock stepped back.
            local uptime = max(num(string.match(info, 'uptime_in_seconds:(-?%d+)') or '0') * 1000000, 0)
            if uptime < idle then
                frozen = now + idle - uptime -- the server is younger than an unused pass can be
            end
        end
        epoch, expected = max(now, epoch + 1), 0
        call('DEL', N) -- each node has to report again
        reportedTo, nodes = {}, 0
        changes.epoch, changes.frozen, changes.doubted, changes.expected = text(epoch), text(frozen), text(doubted), 0
        changes.server = string.match(info, 'run_id:(%x+)') or ''
    end

    periodic = now - called > CALLED
    if periodic then
        if now - called > OUTAGE then
            resumed = now
        end
        changes.called, changes.resumed = stamp, text(resumed)
    end
    local unsaved = false -- whether a node comes with older knowledge than the room's memory
    if known == 0 then
        reported = max(now, epoch + 1) -- the node knows nothing of this room
    elseif known == epoch then
        reported = max(min(reported, now), epoch + 1)
    else
        reported = epoch -- the node hasn't yet reported what it knew before the room's memory began
        if peers > expected then
            expected = peers
            changes.expected = expected
        end
        if not anew and frozen < epoch + pass and now < epoch + pass then
            -- A node without knowledge was first after the loss, so the room seemed to be new.
            frozen, doubted, unsaved = epoch + pass, epoch + pass, true
        end
    end
    if reported < now - OUTAGE and now - resumed > CALLED then
        resumed = now -- the node is about to report a time in which it could not reach the room
        changes.resumed = stamp
    end
    joined = not reportedTo[node]
    if joined or reported > reportedTo[node] then
        call('ZADD', N, text(reported), node)
        reportedTo[node] = reported
        nodes = joined and nodes + 1 or nodes
    end
    local first = earliest(-math.huge)
    if first < now - SURPLUS then
        -- Drops nodes that were silent for longer than a pass can last, and one silent node if there are more nodes than replicas.
        call('ZREMRANGEBYSCORE', N, '-inf', text(now - pass - LINGER))
        readNodes()
        first = earliest(-math.huge)
        if replicas > 0 and nodes > replicas and first < now - SURPLUS then
            call('ZREMRANGEBYRANK', N, 0, 0)
            readNodes()
            first = earliest(-math.huge)
        end
    end
    if frozen > now and first > epoch and nodes >= (expected > 0 and min(expected, replicas) or replicas) then
        frozen, doubted, unsaved = 0, 0, true
    end
    if unsaved then
        changes.frozen, changes.doubted = text(frozen), text(doubted)
    end
    silentTo = first
    if now < frozen then
        silentTo = 0
    end
    absentTo = first
    local patient = now - absence - PATIENCE
    if first <= patient and resumed <= patient then
        absentTo = earliest(patient)
    end
end

if served == 0 then
    served = epoch
end
if hold == 0 then
    hold = min(pass, 2 * idle)
end

-- Ended entries are removed, at most PURGE of a kind in each call.

for kind = 1, passes > 0 and 2 or 0 do
    local sessions, till = {}, {} -- with the ends of the passes
    if kind == 1 then
        local lapsed = call('ZRANGEBYSCORE', P, '-inf', text(silentTo), 'WITHSCORES', 'LIMIT', 0, PURGE)
        for i = 1, #lapsed, 2 do
            sessions[#sessions + 1], till[#till + 1] = lapsed[i], lapsed[i + 1]
        end
    elseif silentTo < now then
        sessions = call('ZRANGEBYSCORE', H, 1, stamp, 'LIMIT', 0, PURGE)
        till = #sessions > 0 and call('ZMSCORE', P, unpack(sessions))
    end
    if #sessions > 0 then
        -- Frees the slots, and adds the times for which they were held to the average, from which waiting times are estimated.
        local starts = call('HMGET', A, unpack(sessions))
        for i = 1, #sessions do
            if starts[i] then
                hold = max(1, hold + floor((num(till[i] or stamp) - num(starts[i]) - hold) / 8))
            end
        end
        passes = passes - call('ZREM', P, unpack(sessions))
        call('ZREM', H, unpack(sessions))
        call('HDEL', A, unpack(sessions))
        changes.hold = text(hold)
    end
end

-- Numbers of places of the networks of this call, those that changed and are written at its end, and tickets of its absent sessions.
local places, changed, kept = {}, {}, {}
local placesOf, count, forget, limitAbsent -- nil until needed
local function placeFunctions()
    if forget then
        return
    end

    function placesOf(network)
        if not places[network] then
            places[network] = num(call('HGET', Q, network) or '0')
        end
        return places[network]
    end
    function count(network, change)
        if network ~= '' then
            places[network], changed[network] = placesOf(network) + change, true
        end
    end

    -- Places of absent sessions are kept for a limited time, and there are at most as many as waiting sessions.
    function forget(sessions)
        if #sessions == 0 then
            return
        end
        local rows = call('HMGET', S, unpack(sessions))
        call('HDEL', S, unpack(sessions))
        absent = absent - #sessions
        for i = 1, #sessions do
            if rows[i] then
                count(string.sub(rows[i], 17), -1)
            end
            kept[sessions[i]] = nil
        end
    end
    -- Removes the places of those that were silent for the longest time.
    function limitAbsent()
        if absent > most then
            local longest, popped = {}, call('ZPOPMIN', B, min(absent - most, PURGE))
            for i = 1, #popped, 2 do
                longest[#longest + 1] = popped[i]
            end
            forget(longest)
        end
    end
end

local waited, moved = waiting > 0, 0 -- whether there was a queue; number of sessions that became absent
do
    local LOOKS = 512 -- logged requests that one call looks at, at most, before the last entry
    local unheard, looks = absentTo - absence, 0
    local entry = waited and oldest
    while entry and unpackStruct('<d', entry) <= unheard and moved < PURGE and looks < LOOKS do
        call('LPOP', R)
        local logged, silent, silentRows, times = {}, {}, {}, {}
        for session in string.gmatch(string.sub(entry, 9), '%S+') do
            logged[#logged + 1] = session
        end
        local found = call('HMGET', S, unpack(logged))
        for i = 1, #logged do
            if found[i] then
                local ticket, lastRequest = unpackStruct('<dd', found[i])
                if lastRequest > 0 and lastRequest <= unheard then -- otherwise a later entry of the log has the session again
                    local n = #silent
                    silent[n + 1] = logged[i]
                    silentRows[2 * n + 1] = logged[i]
                    silentRows[2 * n + 2] = pack('<dd', ticket, -lastRequest) .. string.sub(found[i], 17)
                    times[2 * n + 1], times[2 * n + 2] = text(lastRequest), logged[i]
                end
            end
        end
        if #silent > 0 then
            waiting = waiting - call('ZREM', W, unpack(silent))
            call('HSET', S, unpack(silentRows))
            absent = absent + call('ZADD', B, unpack(times))
            placeFunctions()
            limitAbsent()
        end
        moved, looks = moved + #silent, looks + #logged
        entry = call('LINDEX', R, 0)
    end
end
if absent > 0 then
    local over = call('ZRANGEBYSCORE', B, '-inf', text(absentTo - keep), 'LIMIT', 0, PURGE)
    if #over > 0 then
        call('ZREM', B, unpack(over))
        placeFunctions()
        forget(over)
    end
end

-- The values for all requests of the call are read at once here, and the changes are written at once at the end.
local sessions, asked = {}, 0
for i = RULES + 2, #ARGV, FIELDS do
    asked = asked + 1
    sessions[asked] = ARGV[i]
end

-- A session with a place has no pass, except a revoked one, which is read when it matters.
local ends, hards, tickets, heardAt = {}, {}, {}, {}
local rows, networks = {}, {} -- rows as they were read; networks of places that were taken in this call
do
    local others = sessions
    if waiting + absent > 0 then
        others = {}
        local found = call('HMGET', S, unpack(sessions))
        for i = 1, asked do
            local session, row = sessions[i], found[i]
            if row then
                local ticket, lastRequest = unpackStruct('<dd', row)
                rows[session] = row
                if lastRequest > 0 then
                    tickets[session], heardAt[session] = ticket, lastRequest
                else
                    kept[session] = ticket
                end
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
end

-- Returns the network that the place of a session counts for.
local function networkOf(session)
    return networks[session] or string.sub(rows[session], 17)
end

-- The ranks of waiting sessions.
local back -- last ticket of the queue; nil for unknown
local lastPlace, rankOf -- nil until needed
local function rankFunctions()
    if rankOf then
        return
    end
    local NEAR = 256 -- places that are counted, in addition to those that may be admitted; further back, positions are interpolated
    local MARKS, MARKS_LIFE, MARKS_FORMAT = 64, 1000000, '<' .. string.rep('d', 66) -- step and 65 tickets
    -- The last place whose rank is counted. A session behind it can't be admitted in this call, in which each request removes at most one
    -- session.
    local counted = NEAR + max(active - passes, 0) + asked
    local front, marks -- ticket of that place; nil for unknown

    -- Returns the last ticket of the queue, or a greater one if its session left in this call; 0 for an empty queue.
    function lastPlace()
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
            packed = pack(MARKS_FORMAT, unpack(fresh))
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

    -- Returns the number of sessions before a waiting one.
    function rankOf(session, ticket)
        front = front or waiting > counted and num(call('ZRANGE', W, counted, counted, 'WITHSCORES')[2]) or math.huge
        return ticket <= front and call('ZRANK', W, session) or interpolated(ticket)
    end
end

-- Kinds of keys that were written, and whose lives are due.
local due = {}
if periodic then
    due = {arrivals = true, leases = true, openers = true, tenants = true, places = true}
elseif moved > 0 then
    due.places = true
end
-- By session: new end of the pass; its new hard end, 0 if it was revoked; whether the pass began in this call; whether the request counts as
-- a sign of presence; whether it left its place, so that its row has to go.
local extended, hardEnds, began, heard, left = {}, {}, {}, {}, {}
local recorded = now + -now % max(floor(absence / RECORDS), 1)

local reply = {now, epoch, 0, 0, 0, wanted[1], wanted[2], wanted[3], wanted[4], wanted[5], wanted[6], nodes, hold, wall}
local size = #reply

-- The rules of requests beyond those of a session that has a pass, or waits. Not created in each call.
local function rules()
    local BASE, FULL, TAKEN, DEFERRED, OPEN, DRAINING = 0, 3, 5, 6, 0, 3
    local LEASE, POLL = 5000000, 1000000
    local RETURN, NO_TICKET = 30000000, -1 -- time in which a deferred session comes back; ticket of one whose place depends on its tenant
    local W, S, P, G, L, K = KEYS[2], KEYS[3], KEYS[4], KEYS[7], KEYS[8], KEYS[9]
    local C, D, F, B = KEYS[10], KEYS[11], KEYS[12], KEYS[16]
    local call, floor, min, max, num, pack = redis.call, math.floor, math.min, math.max, tonumber, struct.pack
    placeFunctions()
    rankFunctions()

    -- Returns the end of a pass, revoked or not, or false. Unlike a live pass, a revoked one may belong to a waiting session: it takes a slot
    -- until its end, and no claim revives it.
    local function holds(session)
        if ends[session] == nil then
            ends[session] = num(call('ZSCORE', P, session) or false) or false
        end
        return ends[session]
    end

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
            changes.served = text(served)
        end
    end

    -- Removes the place of a session at once, so that a later request of the same call counts one session less.
    local function leave(session)
        if tickets[session] then
            call('ZREM', W, session)
            left[session] = true
            count(networkOf(session), -1)
            tickets[session], heard[session] = false, nil
            waiting = waiting - 1
        elseif kept[session] then
            call('ZREM', B, session)
            forget({session})
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
        serve(tickets[session] or kept[session] or 0)
        leave(session)
        if not holds(session) then
            passes = passes + 1
        end
        extend(session, min(now + idle, hard))
        hards[session], hardEnds[session], began[session] = hard, hard, true
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
        local cEpoch, cTicket, cSeen, cEnd, cHard = string.match(claim, '^(%d+) (%-?%d+) (%d+) (%d+) (%d+)$')
        return num(cEpoch) ~= 0, num(cTicket), num(cSeen), num(cEnd), num(cHard)
    end

    -- Returns the arrival time that the base rate (GCRA) keeps for a key, or now for one that has passed: it allows the same as none.
    local function arrival(key)
        return max(num(call('ZSCORE', G, key) or '0'), now)
    end

    -- Returns whether a request passes at the base rate or by a lease, and charges it: a room without a queue costs its visitors no wait.
    local passesAsBase
    do
        local REMEMBERED = 262144

        -- Returns how many parts the page of a session may still load, or nil without a lease: a page loads its parts despite the rate.
        local function leaseLeft(session)
            local till = call('ZSCORE', L, session)
            if not till or num(till) <= now then
                return nil
            end
            return num(call('HGET', K, session) or '0')
        end

        function passesAsBase(intent, session, key)
            if interval == 0 then
                return false -- each client is a session from its first request
            end
            local from = mode == OPEN and now >= doubted and not closed and waiting == 0 and arrival(key)
            local inTime = from and from - now <= tolerance
            local parts = (intent == 'ENTER' or intent ~= 'PAGE' and not inTime) and leaseLeft(session)
            if inTime then
                if intent == 'PAGE' or intent == 'ENTER' and not parts then
                    due.leases = true
                    call('ZADD', L, text(now + LEASE), session)
                    call('HSET', K, session, LEASE_REQUESTS)
                end
            elseif parts and parts > 0 then
                call('HSET', K, session, parts - 1)
            else
                return false
            end
            due.arrivals = true
            -- Limits the number of keys, since clients may invent them: the key with the earliest arrival time goes.
            if call('ZADD', G, text((from or arrival(key)) + interval), key) == 1 and call('ZCARD', G) > REMEMBERED then
                call('ZPOPMIN', G)
            end
            return true
        end
    end

    -- The tickets of new places.
    local inOrder, shuffled, fair, restored
    do
        local COST = 1000

        -- Returns a ticket in the order of arrival.
        function inOrder()
            last = max(last + 1, now, opens) -- behind those that were drawn before the opening
            changes.last = text(last)
            return last
        end

        -- Returns a random ticket before the opening.
        function shuffled(session)
            last = max(last, opens - 1)
            changes.last = text(last)
            return opens - 1 - num(string.sub(redis.sha1hex(session .. ':' .. text(opens)), 1, 8), 16)
        end

        -- Returns the tenant and the weight of a share, which a request sends as one argument.
        local function split(share)
            local colon = string.find(share, ':', 1, true)
            return string.sub(share, colon + 1), num(string.sub(share, 1, colon - 1))
        end

        -- Returns the last ticket of a tenant, or 0. If Redis lost those of all tenants, none may go before sessions that wait.
        local function lastOf(tenant)
            local ticket = call('HGET', F, tenant)
            if not ticket and tenanted == '1' and call('EXISTS', F) == 0 then
                serve(lastPlace())
            end
            return num(ticket or '0')
        end

        -- Returns a ticket by the weights of tenants.
        function fair(share)
            local tenant, weight = split(share)
            if waiting == 0 then
                serve(now)
            end
            local before = lastOf(tenant)
            local ticket = max(served, before) + floor(COST / weight)
            due.tenants, tenanted = true, '1'
            call('HSET', F, tenant, text(ticket))
            return ticket
        end

        -- Returns the ticket from before a loss of memory; later sessions, also of the tenant, get later ones, whatever the clock was before.
        function restored(share, ticket)
            if ticket > last then
                last = ticket
                changes.last = text(last)
            end
            if share ~= '' then
                local tenant = split(share)
                local before = lastOf(tenant)
                due.tenants, tenanted = true, '1'
                call('HSET', F, tenant, text(max(ticket, before)))
            end
            return ticket
        end
    end

    -- Returns whether the claim restores a place from before a loss of memory, and the ticket: one that the room would have kept.
    local function restores(claim)
        local lost, cTicket, cSeen = foreign(claim)
        return cTicket > 0 and lost and cSeen > now - keep and cSeen <= now, cTicket
    end

    -- Returns whether the credential has opened the ticket of another session.
    local function taken(session, credential)
        if credential == '' then
            return false
        end
        local opened = num(call('ZSCORE', D, credential) or '0') > now and call('HGET', C, credential)
        return opened and opened ~= session
    end

    local function rememberOpener(session, credential)
        if credential ~= '' then
            due.openers, opened = true, now + MEMORY
            call('HSET', C, credential, session)
            call('ZADD', D, text(opened), credential)
        end
    end

    -- Returns the time after which a session without a place retries.
    local function retryOf(key)
        local retry = interval == 0 and 0 or max(0, arrival(key) - now - tolerance)
        if waiting > 0 then
            retry = max(retry, min(POLL, max(floor(absence / 2), 1)))
        end
        return retry
    end

    -- Adds a session to the queue. Returns its ticket: the given one, or the next one that no waiting session has.
    local function enqueue(session, ticket)
        while ticket <= lastPlace() and call('ZCOUNT', W, text(ticket), text(ticket)) > 0 do
            ticket = ticket + 1 -- one ticket, one place
        end
        back, due.places = max(back, ticket), true
        call('ZADD', W, text(ticket), session)
        tickets[session], heard[session], left[session] = ticket, true, nil
        waiting = waiting + 1
        return ticket
    end

    -- Takes an absent session back into the queue. Returns its ticket.
    local function returned(session)
        local ticket = kept[session]
        call('ZREM', B, session)
        kept[session], absent = nil, absent - 1
        return enqueue(session, ticket)
    end

    -- Returns the time of the session's last request, according to a claim of any memory.
    local function seen(claim)
        return num(string.match(claim, '^%d+ %-?%d+ (%d+)') or '0')
    end

    -- Keeps the place of a session as that of an absent one, and adds the reply: its node has not heard from it for the time of an absence.
    local function keepAbsent(session, key, claim, credential, share, network)
        local ticket, last = kept[session], seen(claim)
        if not ticket then
            local returns, cTicket = restores(claim)
            if not returns then
                return away(LIMITED, retryOf(key))
            end
            if taken(session, credential) then
                return away(TAKEN, retryOf(key))
            end
            ticket = restored(share, cTicket)
            networks[session] = network
            count(network, 1)
            kept[session], absent, due.places, left[session] = ticket, absent + 1, true, nil
            rememberOpener(session, credential)
        end
        local position = closed and 0 or call('ZCOUNT', W, '-inf', '(' .. text(ticket)) + 1
        if call('ZADD', B, 'GT', 'CH', text(last), session) > 0 then
            call('HSET', S, session, pack('<dd', ticket, -last) .. networkOf(session))
        end
        limitAbsent()
        return place(position, ticket)
    end

    -- Returns the negative ticket of a deferred session of this room that came back in time, or nil.
    local function promise(claim)
        if string.find(claim, ours, 1, true) ~= 1 then
            return nil
        end
        local cTicket, cSeen = string.match(claim, '^%d+ (%-%d+) (%d+) ')
        if cTicket and num(cSeen) > now - RETURN and num(cSeen) <= now then
            return num(cTicket)
        end
        return nil
    end

    -- Returns whether the network has its share of the places. Beyond it, a session that comes back takes a place while its network has fewer
    -- places than are free: one network never takes the last ones.
    local function mustComeBack(network, promised)
        if network == '' or waiting < active - passes then
            return false
        end
        local had = placesOf(network)
        return had >= perNetwork and not (promised and had < most - waiting)
    end

    -- Adds the reply to a session that gets its place when it comes back.
    local function defer(share, promised)
        reply[size + 1] = DEFERRED + 8 * (closed and 0 or waiting + 1)
        reply[size + 2] = promised or (share == '' and -max(last + 1, now) or NO_TICKET)
        size = size + 2
    end

    -- Returns the ticket of a session that takes a place.
    local function newTicket(session, share, promised)
        if closed then
            return shuffled(session)
        end
        if share ~= '' then
            return fair(share)
        end
        if promised and promised ~= NO_TICKET then
            return -promised -- the time of the first request
        end
        return inOrder()
    end

    -- Returns the ticket of a session without a pass that waits; else adds the reply and returns nothing. The order of the steps
    -- is that of Room.decide.
    local function ticketOf(intent, session, key, claim, credential, share, network)
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
            return ticket
        elseif intent == 'KEEP' and seen(claim) <= now - absence then
            return keepAbsent(session, key, claim, credential, share, network)
        elseif kept[session] then
            return returned(session)
        else
            local returns, cTicket = restores(claim)
            local promised = promise(claim)
            local polls = promised and intent == 'POLL'
            if intent ~= 'PAGE' and intent ~= 'ENTER' and not returns and not polls then
                return away(LIMITED, retryOf(key))
            end
            if mode == DRAINING and not returns then
                return away(FULL, retryOf(key))
            end
            if waiting >= most and waiting >= active - passes then
                return away(FULL, retryOf(key))
            end
            if taken(session, credential) then
                return away(TAKEN, retryOf(key))
            end
            if not returns and mustComeBack(network, promised) then
                rememberOpener(session, credential)
                return defer(share, promised)
            end
            if polls and promised == NO_TICKET then
                return away(LIMITED, retryOf(key)) -- only a request for a page tells its tenant
            end
            ticket = returns and restored(share, cTicket) or newTicket(session, share, promised)
            ticket = enqueue(session, ticket)
            networks[session] = network
            count(network, 1)
            rememberOpener(session, credential)
        end
        return ticket
    end

    -- Takes pass and place from a session. Its slot stays in use until no node can still accept the pass.
    local function revoke(session)
        if ends[session] then
            hards[session], hardEnds[session] = 0, 0
        end
        leave(session)
    end

    return {vouched = vouched, admit = admit, ticketOf = ticketOf, revoke = revoke}
end

local rule -- functions of the rules; nil until needed
for i = RULES + 1, #ARGV, FIELDS do
    local intent, session = ARGV[i], ARGV[i + 1]
    local held, hard, ticket = ends[session], hards[session], tickets[session]
    local kind = nil
    if intent == 'REVOKE' then
        rule = rule or rules()
        rule.revoke(session)
        kind = LIMITED
    elseif intent == 'BYE' then
        nodes = nodes - call('ZREM', N, node) -- the node serves no more requests
        kind = LIMITED
    elseif intent == 'LOOK' then
        kind = LIMITED
    elseif held and hard and hard > 0 then
        local vouched, till = 0, max(held, min(now + idle, hard))
        if ARGV[i + 4] ~= '' then
            rule = rule or rules()
            vouched = rule.vouched(session, ARGV[i + 4])
        end
        ends[session], extended[session] = till, till
        reply[size + 1], reply[size + 2], reply[size + 3] = ADMITTED + 8 * vouched, till, hard
        size, ticket = size + 3, nil
    elseif not ticket or intent ~= 'POLL' or passes < active then
        rule = rule or rules()
        ticket = rule.ticketOf(intent, session, ARGV[i + 2], ARGV[i + 3], ARGV[i + 4], ARGV[i + 5], ARGV[i + 6])
    end
    if kind then
        reply[size + 1] = kind
        size = size + 1
    elseif ticket then
        if heardAt[session] ~= recorded then
            heard[session] = true
        end
        local position = 0 -- before the opening
        if not closed then
            if not rankOf then
                rankFunctions()
            end
            local rank = rankOf(session, ticket)
            if rank < active - passes and now >= frozen and mode ~= PAUSED and intent ~= 'KEEP' then
                rule = rule or rules()
                rule.admit(session, now + pass, ARGV[i + 4])
                position = nil
            else
                position = rank + 1
            end
        end
        if position then
            reply[size + 1], reply[size + 2] = WAITING + 8 * position, ticket
            size = size + 2
        end
    end
end

-- The changes of the sessions, written with one command for each key.

for _, times in ipairs({extended, hardEnds}) do
    if next(times) then
        local arguments = {}
        for session, time in pairs(times) do
            local size = #arguments
            arguments[size + 1], arguments[size + 2] = text(time), session
        end
        call('ZADD', times == extended and P or H, unpack(arguments))
    end
end
if next(began) then
    local starts = {}
    for session in pairs(began) do
        local size = #starts
        starts[size + 1], starts[size + 2] = session, stamp
    end
    call('HSET', A, unpack(starts))
end
if next(left) then
    local sessions = {}
    for session in pairs(left) do
        sessions[#sessions + 1] = session
    end
    call('HDEL', S, unpack(sessions))
end
if next(heard) then
    local logged, written = {}, {}
    for session in pairs(heard) do
        local size = #logged
        logged[size + 1], written[2 * size + 1] = session, session
        written[2 * size + 2] = pack('<dd', tickets[session], recorded) .. networkOf(session)
    end
    call('HSET', S, unpack(written))
    local length = call('RPUSH', R, pack('<d', recorded) .. table.concat(logged, ' '))
    due.places = due.places or length == 1
elseif waited and waiting == 0 then
    call('UNLINK', R)
end
if next(changed) then
    local counts, none = {}, {}
    for network in pairs(changed) do
        if places[network] > 0 then
            counts[#counts + 1] = network
            counts[#counts + 1] = places[network]
        else
            none[#none + 1] = network
        end
    end
    if #counts > 0 then
        call('HSET', Q, unpack(counts))
    end
    if #none > 0 then
        call('HDEL', Q, unpack(none))
    end
end

reply[3], reply[4] = waiting, passes
local sizes = string.format('%d %d %d %d %s %s', waiting, absent, passes, nodes, tenanted, text(opened))
if sizes ~= meta[11] then
    changes.sizes = sizes
end
if next(changes) then
    local fields = {}
    for field, value in pairs(changes) do
        local size = #fields
        fields[size + 1], fields[size + 2] = field, value
    end
    call('HSET', M, unpack(fields))
end

-- Every key has an expiry, so an unused room is removed. It is set when a call may have created the key, and renewed a few times a second.
-- Keys that were only read keep their expiry. What is written also removes ended entries of its kind; until then, they count as removed.
if periodic or anew or joined or controlled or next(due) or next(began) then
    local CONTROLS_LIFE = 2592000000000
    local life = max(pass + idle + LINGER, MEMORY)
    local function expire(micros, ...)
        for _, key in ipairs({...}) do
            call('PEXPIRE', key, floor(micros / 1000) + 1)
        end
    end
    -- Removes ended entries of a sorted set of times and of the hash with their values.
    local function removeEnded(times, values)
        local over = call('ZRANGEBYSCORE', times, '-inf', stamp, 'LIMIT', 0, PURGE)
        if #over > 0 then
            call('ZREM', times, unpack(over))
            call('HDEL', values, unpack(over))
        end
    end
    if periodic or anew or joined then
        expire(life, M, N)
    end
    if periodic or controlled then
        expire(CONTROLS_LIFE, O)
    end
    if due.tenants then
        expire(life, F)
    end
    if due.arrivals then
        call('ZREMRANGEBYSCORE', G, '-inf', stamp)
        expire(LINGER + tolerance + interval * LEASE_REQUESTS, G)
    end
    if due.places then
        expire(life, W, S, R, B, Q)
    end
    if next(extended) and (periodic or next(began)) then
        expire(life, P, H, A)
    end
    if due.leases then
        removeEnded(L, K)
        expire(LINGER, L, K)
    end
    if due.openers then
        removeEnded(D, C)
        expire(MEMORY + LINGER, C, D)
    end
end
return reply
