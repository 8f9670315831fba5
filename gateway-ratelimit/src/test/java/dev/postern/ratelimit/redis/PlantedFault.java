package dev.postern.ratelimit.redis;

/** Lists faults of the room script, each as a change of its text. */
enum PlantedFault {
    ONE_TOO_MANY("rank < active - passes and", "rank <= active - passes and"),
    LAST_IN_FIRST_OUT("call('ZRANK', W, session)", "call('ZREVRANK', W, session)"),
    ONLY_THE_HEAD_IS_ADMITTED("rank < active - passes and", "rank == 0 and passes < active and"),
    ONE_ABSENT_AT_A_TIME("and moved < PURGE and", "and moved < 1 and"),
    THE_ABSENT_KEEP_THEIR_PLACE("            waiting = waiting - call('ZREM', W, unpack(silent))\n", ""),
    AN_EARLIER_REQUEST_IS_THE_LAST("if lastRequest > 0 and lastRequest <= unheard then", "if lastRequest > 0 then"),
    THE_ABSENT_LOSE_THEIR_PLACE(
            "elseif kept[session] then\n            return returned", "elseif false then\n            return returned"),
    THE_ABSENT_ARE_KEPT_FOR_EVER("text(absentTo - keep), 'LIMIT'", "0, 'LIMIT'"),
    THE_ABSENT_ARE_KEPT_WITHOUT_ALL_NODES("text(absentTo - keep), 'LIMIT'", "text(now - keep), 'LIMIT'"),
    THE_ABSENT_HAVE_NO_BOUND("if absent > most then", "if false then"),
    THE_LAST_TO_FALL_SILENT_GOES_FIRST("call('ZPOPMIN', B,", "call('ZPOPMAX', B,"),
    WHO_RETURNS_IS_THE_LAST("return enqueue(session, ticket)", "return enqueue(session, inOrder())"),
    A_PLACE_THAT_IS_LEFT_IS_KEPT("            call('ZREM', B, session)\n            forget({session})\n", ""),
    A_REPORTED_ABSENCE_IS_A_REQUEST(
            "elseif intent == 'KEEP' and seen(claim) <= now - absence then", "elseif false then"),
    A_REPORTED_ABSENCE_RENEWS_NOTHING("if call('ZADD', B, 'GT', 'CH'", "if call('ZADD', B, 'NX', 'CH'"),
    THE_ABSENT_ARE_NOT_READ_WITHOUT_A_QUEUE("if waiting + absent > 0 then", "if waiting > 0 then"),
    A_REQUEST_LEAVES_THE_ROW_AS_IT_IS("tickets[session], recorded) ..", "tickets[session], epoch) .."),
    EACH_REQUEST_IS_RECORDED_EXACTLY("recorded = now + -now % max(floor(absence / RECORDS), 1)", "recorded = now"),
    A_REQUEST_IS_NOT_LOGGED("call('RPUSH', R, ", "call('ECHO', "),
    THE_LOG_HAS_ONE_SESSION_OF_A_CALL("table.concat(logged, ' ')", "logged[1]"),
    THE_LOG_IS_NOT_READ_TO_ITS_DUE_END("and looks < LOOKS do", "and looks < 1 do"),
    A_ROW_OUTLASTS_ITS_PLACE("        left[session] = true\n", ""),
    THE_LAST_PLACE_IS_NOT_KNOWN("back, due.places = max(back, ticket), true", "due.places = true"),
    NO_PLACE_IS_THE_LAST("WITHSCORES')[2] or '0')", "WITHSCORES')[3] or '0')"),
    FORGOTTEN_FREEZE("    frozen = now + pass\n            doubted", "    frozen = 0\n            doubted"),
    A_LATE_NODE_FREEZES_NOTHING("if not anew and frozen < epoch + pass and now < epoch + pass then", "if false then"),
    ONE_NODE_SPEAKS_FOR_ALL("nodes >= (expected > 0 and", "nodes >= 1 or nodes >= (expected > 0 and"),
    A_NODE_WITHOUT_REPORTS_COUNTS("frozen > now and first > epoch and", "frozen > now and"),
    SILENCE_COUNTS_WITHOUT_ALL_NODES("silentTo = first\n", "silentTo = now\n"),
    SILENCE_COUNTS_WHILE_REPORTS_ARE_MISSING(
            "if now < frozen then\n        silentTo = 0", "if false then\n        silentTo = 0"),
    A_PASS_OUTLASTS_ITS_HARD_END("if silentTo < now then", "if false then"),
    ABSENCE_COUNTS_WITHOUT_ALL_NODES("absentTo = first\n", "absentTo = now\n"),
    PLACES_WAIT_FOR_A_NODE_FOR_EVER("if first <= patient and resumed <= patient then", "if false then"),
    AN_OUTAGE_IS_NOT_NOTICED("        resumed = now\n", "        resumed = 0\n"),
    A_NODE_IS_NEVER_GONE("text(now - pass - LINGER)", "0"),
    MORE_NODES_THAN_THERE_MAY_BE("nodes > replicas and first", "false and first"),
    A_PLACE_THAT_IS_KEPT_IS_LEFT("and mode ~= PAUSED and intent ~= 'KEEP' then", "and mode ~= PAUSED then"),
    ENDLESS_PASS("vouched, till = 0, max(held, min(now + idle, hard))", "vouched, till = 0, now + idle"),
    A_PASS_IS_NEVER_RENEWED("vouched, till = 0, max(held, min(now + idle, hard))", "vouched, till = 0, held"),
    A_REVOKED_PASS_LIVES("hardEnds[session] = 0, 0", "hardEnds[session] = 0, now + idle"),
    A_CLAIM_NEEDS_NO_SLOT("if passes < active and now < epoch + pass then", "if now < epoch + pass then"),
    A_CLAIM_OF_THIS_MEMORY_COUNTS("string.find(claim, ours, 1, true) == 1", "claim == ''"),
    A_CLAIM_NEVER_AGES("passes < active and now < epoch + pass then", "passes < active then"),
    AN_OLD_PLACE_COUNTS_FOR_EVER("and cSeen > now - keep and", "and"),
    A_LOST_PLACE_IS_NOT_RESTORED("returns and restored(share, cTicket) or newTicket", "newTicket"),
    THE_RATE_RUNS_WHILE_TICKETS_WAIT("not closed and waiting == 0 and", "not closed and"),
    STRANGERS_PASS_WHILE_THE_MEMORY_IS_DOUBTED("mode == OPEN and now >= doubted and", "mode == OPEN and"),
    A_SECOND_PAGE_LIVES_ON_THE_FIRST("or intent ~= 'PAGE' and not inTime) and", "or not inTime) and"),
    A_LEASE_WITHOUT_END("call('HSET', K, session, parts - 1)", "call('HSET', K, session, parts)"),
    ONE_CREDENTIAL_MANY_TICKETS("return opened and opened ~= session", "return false"),
    A_FULL_QUEUE_TAKES_MORE("if waiting >= most and waiting >= active - passes then", "if false then"),
    WHO_POLLS_GETS_A_TICKET(
            "if intent ~= 'PAGE' and intent ~= 'ENTER' and not returns and not polls then", "if false then"),
    A_HEARTBEAT_IS_FORGOTTEN(
            "            heard[session] = true\n        end\n        local position",
            "        end\n        local position"),
    A_PAUSED_ROOM_ADMITS("and mode ~= PAUSED and intent", "and intent"),
    A_DRAINING_ROOM_TAKES_MORE("if mode == DRAINING and not returns then", "if false then"),
    OLD_CONTROLS_WIN("num(ARGV[12]) > num(wanted[1] or '0')", "num(ARGV[12]) ~= num(wanted[1] or '0')"),
    THE_DOOR_OPENS_EARLY("not closed and waiting == 0", "waiting == 0"),
    THE_LOT_IS_THE_ORDER_OF_COMING("return shuffled(session)", "return inOrder()"),
    WEIGHTS_COUNT_NOTHING("floor(COST / weight)", "COST"),
    IDLE_TENANTS_SAVE_UP(
            "if waiting == 0 then\n                serve(now)", "if false then\n                serve(now)"),
    A_REVOKED_PASS_COUNTS_TWICE("if not holds(session) then\n            passes", "if true then\n            passes"),
    A_STEP_BACK_COUNTS("(clock < called or", "(false or"),
    A_JUMP_COUNTS("or clock > witness + GAP)", "or false)"),
    AN_OPENING_IS_TAKEN_BACK("opens > 0 and num(meta[13] or '0') ~= opens", "wall < opens"),
    TWO_SHARE_A_TICKET("ticket = ticket + 1 -- one ticket", "break -- one ticket"),
    ONE_NETWORK_TAKES_ALL("return had >= perNetwork and", "return false and"),
    A_FREE_SLOT_WAITS_FOR_A_RETURN("if network == '' or waiting < active - passes then", "if network == '' then"),
    ONE_NETWORK_TAKES_THE_LAST_PLACES("had < most - waiting)", "true)"),
    A_DEFERRED_SESSION_NEVER_GETS_A_PLACE("not (promised and had", "not (false and had"),
    A_DEFERRED_SESSION_IS_THE_LAST("return -promised --", "return inOrder() --"),
    A_POLL_TAKES_A_PLACE_WITHOUT_ITS_TENANT("if polls and promised == NO_TICKET then", "if false then"),
    A_DEFERRAL_LASTS_FOR_EVER("num(cSeen) > now - RETURN and", ""),
    A_DEFERRAL_OF_A_LOST_MEMORY_COUNTS(
            "if string.find(claim, ours, 1, true) ~= 1 then\n            return nil",
            "if claim == '0' then\n            return nil"),
    A_TOKEN_DEFERS_ONCE_MORE(
            "                rememberOpener(session, credential)\n                return defer",
            "                return defer"),
    THE_FORGOTTEN_COUNT_FOR_THEIR_NETWORK("            count(string.sub(rows[i], 17), -1)\n", ""),
    THE_ABSENT_LOSE_THEIR_NETWORK(".. string.sub(found[i], 17)\n", "\n"),
    AN_ABSENCE_THAT_IS_REPORTED_COUNTS_NOT(
            "            networks[session] = network\n            count(network, 1)\n            kept",
            "            networks[session] = network\n            kept"),
    THE_ADMITTED_COUNT_FOR_THEIR_NETWORK("        count(networkOf(session), -1)\n", ""),
    A_REQUEST_FORGETS_THE_NETWORK(".. networkOf(session)\n", "\n"),
    A_COUNT_IS_NOT_STORED("call('HSET', Q, unpack(counts))", "call('ECHO', node)"),
    ONLY_THE_FIRST_REPORT_COUNTS("if joined or reported > reportedTo[node] then", "if joined then"),
    A_REPORT_IS_TAKEN_BACK("if joined or reported > reportedTo[node] then", "if true then"),
    ONLY_THE_FIRST_CONTROLS_COUNT("if controlled or not meta[14] then", "if not meta[14] then"),
    CHANGES_ARE_FORGOTTEN("changes.served = text(served)", "served = served"),
    THE_LOG_GOES_BEFORE_THE_QUEUE("elseif waited and waiting == 0 then", "elseif waited then");

    private final String right;
    private final String wrong;

    PlantedFault(String right, String wrong) {
        this.right = right;
        this.wrong = wrong;
    }

    /** @throws IllegalStateException when the script does not contain the text that the fault replaces */
    Script planted() {
        return ClockedScript.with(right, wrong);
    }
}
