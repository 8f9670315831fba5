package dev.postern.auth.spend.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** Scripts of the ledger. A server knows a loaded script by the SHA-1 of its text. */
final class Scripts {

    /** Responses of {@link #SPEND}. */
    static final long SPENT = 0;

    static final long STORED = 1;
    static final long OTHER_MARKER = 2;

    /** Responses of {@link #REFUND}. */
    static final long NOT_THERE = 0;

    static final long REFUNDED = 1;

    // KEYS token, epoch marker; ARGV attempt id, expected marker, time to live in milliseconds.
    static final Script SPEND = new Script("""
            if redis.call('GET', KEYS[2]) ~= ARGV[2] then return 2 end
            if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[3]) then return 1 end
            return 0
            """);

    // As SPEND, for a server that may have lost keys since the last check: it has forgotten its scripts, or its policy
    // allows evictions. A marker of another run, or with another number of evictions, counts as another marker: there
    // were evictions since, or CONFIG RESETSTAT has hidden how many.
    static final Script SPEND_CHECKED = new Script("""
            local marker = redis.call('GET', KEYS[2])
            if marker ~= ARGV[2] then return 2 end
            local run, evicted = string.match(marker, '^%x+:(%x+):(%d+)$')
            local now = string.match(redis.call('INFO', 'stats'), 'evicted_keys:(%d+)')
            if run ~= string.match(redis.call('INFO', 'server'), 'run_id:(%x+)') then return 2 end
            if not now or tonumber(now) ~= tonumber(evicted) then return 2 end
            if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[3]) then return 1 end
            return 0
            """);

    // KEYS token; ARGV attempt id.
    static final Script REFUND = new Script("""
            local found = redis.call('GET', KEYS[1])
            if not found then return 0 end
            if found ~= ARGV[1] then return -1 end
            redis.call('DEL', KEYS[1])
            return 1
            """);

    // KEYS epoch marker; ARGV 32 random hex digits, run id, number of keys that this run has evicted. A marker of
    // another run, or from before the last eviction, is replaced, because spends may have been lost since. A greater
    // number in the marker is that of a gateway that has asked later, or from before CONFIG RESETSTAT.
    static final Script MARKER = new Script("""
            local found = redis.call('GET', KEYS[1])
            local evicted = ARGV[3]
            if found then
              local run, marked = string.match(found, '^%x+:(%x+):(%d+)$')
              if run == ARGV[2] and tonumber(marked) > tonumber(evicted) then
                evicted = string.match(redis.call('INFO', 'stats'), 'evicted_keys:(%d+)') or evicted
              end
              if run == ARGV[2] and tonumber(marked) == tonumber(evicted) then return found end
            end
            local mark = ARGV[1] .. ':' .. ARGV[2] .. ':' .. evicted
            redis.call('SET', KEYS[1], mark)
            return mark
            """);

    static final List<Script> ALL = List.of(SPEND, SPEND_CHECKED, REFUND, MARKER);

    private Scripts() {}

    /** @param name SHA-1 of the text */
    record Script(String text, String name) {

        private Script(String text) {
            this(text, sha(text));
        }

        private static String sha(String text) {
            try {
                byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(US_ASCII));
                return HexFormat.of().formatHex(digest);
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every JDK has SHA-1", e);
            }
        }
    }
}
