package dev.postern.ratelimit.redis;

/** Lists faults of the room script, each as a change of its text. */
enum PlantedFault {
    ONE_TOO_MANY("rank < active - passes and", "rank <= active - passes and"),
    LAST_IN_FIRST_OUT("call('ZRANK', W, session)", "call('ZREVRANK', W, session)"),
    ONLY_THE_HEAD_IS_ADMITTED("rank < active - passes and", "rank == 0 and passes < active and"),
    ONE_ABSENT_AT_A_TIME("while dropped < PURGE and", "while dropped < 1 and"),
    THE_ABSENT_KEEP_THEIR_PLACE("        call('ZREM', W, unpack(silent))\n", ""),
    THE_ABSENT_KEEP_THEIR_ROW("        call('HDEL', S, unpack(silent))\n", ""),
    AN_EARLIER_REQUEST_IS_THE_LAST("if lastRequest <= unheard then", "if true then"),
    A_REQUEST_LEAVES_THE_ROW_AS_IT_IS("tickets[session], recorded)\n", "tickets[session], epoch)\n"),
    EACH_REQUEST_IS_RECORDED_EXACTLY("recorded = now + -now % max(floor(absence / RECORDS), 1)", "recorded = now"),
    A_REQUEST_IS_NOT_LOGGED("call('RPUSH', R, ", "call('ECHO', "),
    THE_LOG_HAS_ONE_SESSION_OF_A_CALL("table.concat(logged, ' ')", "logged[1]"),
    THE_LOG_IS_NOT_READ_TO_ITS_DUE_END("and looks < LOOKS do", "and looks < 1 do"),
    A_ROW_OUTLASTS_ITS_PLACE("        call('HDEL', S, session)\n", ""),
    THE_LAST_PLACE_IS_NOT_KNOWN("back, placed = max(back, ticket), true", "placed = true"),
    NO_PLACE_IS_THE_LAST("WITHSCORES')[2] or '0')", "WITHSCORES')[3] or '0')"),
    FORGOTTEN_FREEZE("        frozen = now + pass\n        doubted", "        frozen = 0\n        doubted"),
    ONE_NODE_SPEAKS_FOR_ALL("nodes >= (expected > 0 and", "nodes >= 1 or nodes >= (expected > 0 and"),
    A_NODE_WITHOUT_REPORTS_COUNTS("frozen > now and first > epoch and", "frozen > now and"),
    SILENCE_COUNTS_WITHOUT_ALL_NODES("local silentTo = first --", "local silentTo = now --"),
    SILENCE_COUNTS_WHILE_REPORTS_ARE_MISSING(
            "if now < frozen then\n    silentTo = 0", "if false then\n    silentTo = 0"),
    A_PASS_OUTLASTS_ITS_HARD_END("if silentTo < now then", "if false then"),
    ABSENCE_COUNTS_WITHOUT_ALL_NODES("local absentTo = first --", "local absentTo = now --"),
    PLACES_WAIT_FOR_A_NODE_FOR_EVER("if first <= patient and resumed <= patient then", "if false then"),
    AN_OUTAGE_IS_NOT_NOTICED("        resumed = now\n", "        resumed = 0\n"),
    A_NODE_IS_NEVER_GONE("text(now - pass - LINGER)", "0"),
    MORE_NODES_THAN_THERE_MAY_BE("nodes > replicas and first", "false and first"),
    A_PLACE_THAT_IS_KEPT_IS_LEFT("and intent ~= 'KEEP' then\n        return admit", "then\n        return admit"),
    ENDLESS_PASS("min(now + idle, hard)))\n            return", "now + idle))\n            return"),
    A_PASS_IS_NEVER_RENEWED("extend(session, max(held, min(now + idle, hard)))", "extend(session, held)"),
    A_REVOKED_PASS_LIVES("call('ZADD', H, 0, session)", "call('ZADD', H, now + idle, session)"),
    A_CLAIM_NEEDS_NO_SLOT("if passes < active and now < epoch + pass then", "if now < epoch + pass then"),
    A_CLAIM_OF_THIS_MEMORY_COUNTS("string.find(claim, ours, 1, true) == 1", "claim == ''"),
    A_CLAIM_NEVER_AGES("passes < active and now < epoch + pass then", "passes < active then"),
    AN_OLD_PLACE_COUNTS_FOR_EVER("and cSeen > now - absence and", "and"),
    A_LOST_PLACE_IS_NOT_RESTORED("ticket = restored(share, cTicket)", "ticket = inOrder()"),
    THE_RATE_RUNS_WHILE_TICKETS_WAIT("now >= opens and waiting == 0 and", "now >= opens and"),
    STRANGERS_PASS_WHILE_THE_MEMORY_IS_DOUBTED("mode == OPEN and now >= doubted and", "mode == OPEN and"),
    A_SECOND_PAGE_LIVES_ON_THE_FIRST("elseif intent ~= 'PAGE' and left and", "elseif left and"),
    A_LEASE_WITHOUT_END("call('HSET', K, session, left - 1)", "call('HSET', K, session, left)"),
    ONE_CREDENTIAL_MANY_TICKETS("if opened and opened ~= session then", "if false then"),
    A_FULL_QUEUE_TAKES_MORE("if waiting >= most and waiting >= active - passes then", "if false then"),
    WHO_POLLS_GETS_A_TICKET("if intent ~= 'PAGE' and intent ~= 'ENTER' and not restores then", "if false then"),
    A_HEARTBEAT_IS_FORGOTTEN("            heard[session] = true\n        end\n    else", "        end\n    else"),
    A_PAUSED_ROOM_ADMITS("and mode ~= PAUSED and intent", "and intent"),
    A_DRAINING_ROOM_TAKES_MORE("if mode == DRAINING and not restores then", "if false then"),
    OLD_CONTROLS_WIN("num(ARGV[12]) > num(wanted[1] or '0')", "num(ARGV[12]) ~= num(wanted[1] or '0')"),
    THE_DOOR_OPENS_EARLY("now >= opens and waiting == 0", "waiting == 0"),
    THE_LOT_IS_THE_ORDER_OF_COMING("ticket = shuffled(session)", "ticket = inOrder()"),
    WEIGHTS_COUNT_NOTHING("floor(COST / weight)", "COST"),
    IDLE_TENANTS_SAVE_UP("if waiting == 0 then\n        serve(now)", "if false then\n        serve(now)"),
    A_REVOKED_PASS_COUNTS_TWICE("    if not holds(session) then\n        passes", "    if true then\n        passes"),
    TWO_SHARE_A_TICKET("ticket = ticket + 1 -- one ticket", "break -- one ticket");

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
