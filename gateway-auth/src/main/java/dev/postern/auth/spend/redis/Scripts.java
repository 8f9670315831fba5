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

    // KEYS token; ARGV attempt id.
    static final Script REFUND = new Script("""
            local found = redis.call('GET', KEYS[1])
            if not found then return 0 end
            if found ~= ARGV[1] then return -1 end
            redis.call('DEL', KEYS[1])
            return 1
            """);

    // KEYS epoch marker; ARGV 32 random hex digits, run id, number of keys that this run has evicted. A marker of
    // another run, or from before the last eviction, is replaced, because spends may have been lost since.
    static final Script MARKER = new Script("""
            local found = redis.call('GET', KEYS[1])
            if found then
              local run, evicted = string.match(found, '^%x+:(%x+):(%d+)$')
              if run == ARGV[2] and tonumber(evicted) >= tonumber(ARGV[3]) then return found end
            end
            local mark = ARGV[1] .. ':' .. ARGV[2] .. ':' .. ARGV[3]
            redis.call('SET', KEYS[1], mark)
            return mark
            """);

    static final List<Script> ALL = List.of(SPEND, REFUND, MARKER);

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
