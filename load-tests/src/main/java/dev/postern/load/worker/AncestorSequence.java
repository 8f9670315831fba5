package dev.postern.load.worker;

import dev.postern.load.measure.RedisConnection;
import java.io.IOException;
import java.time.Clock;
import java.time.LocalTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the fair queue of the ancestor asks of Redis for one request, command by command, each one a round trip: ngx-smart-ratelimit's keys,
 * lives and order, as its text has them.
 */
final class AncestorSequence {
    private static final String HOST = "localhost";
    private static final String LINE = HOST + "_waitlist";
    private static final String WAITING = "1";
    private static final String ACCEPTED = "2";
    private static final String WAITING_SECONDS = "20";
    private static final String ACCEPTED_SECONDS = "600";
    private static final String LINE_SECONDS = "3600";
    private static final String MINUTE_SECONDS = "121";

    private final RedisConnection redis;
    private final Clock clock;

    AncestorSequence(RedisConnection redis, Clock clock) {
        this.redis = redis;
        this.clock = clock;
    }

    /** What a newcomer leaves behind, without the questions before. */
    void join(String session) throws IOException {
        redis.call("SET", session, WAITING);
        redis.call("RPUSH", LINE, session);
        redis.call("EXPIRE", LINE, LINE_SECONDS);
    }

    /** Lets a session wait on that was not heard from for a while. */
    void renew(String session) throws IOException {
        redis.call("SET", session, WAITING);
    }

    /** Lets a session in, without the questions before. */
    void accept(String session) throws IOException {
        redis.call("SET", session, ACCEPTED, "EX", ACCEPTED_SECONDS);
    }

    /** A request of one who waits, and isn't the first in the line: refused after five round trips. */
    void waiting(String session) throws IOException {
        expect(WAITING, redis.call("GET", session));
        Object head = redis.call("LRANGE", LINE, "0", "0");
        if (!(head instanceof List<?> first) || first.isEmpty() || session.equals(first.get(0))) {
            throw new IllegalStateException("first in the line: " + head + " (expected: somebody else)");
        }
        String ahead = String.valueOf(first.get(0));
        // Asked twice: once whether the first one is still there, once whether it was let in meanwhile.
        expect(WAITING, redis.call("GET", ahead));
        expect(WAITING, redis.call("GET", ahead));
        expect(1L, redis.call("EXPIRE", session, WAITING_SECONDS));
    }

    /** A request of one who was let in: passes after five round trips. */
    void accepted(String session, String client) throws IOException {
        expect(ACCEPTED, redis.call("GET", session));
        String minute = HOST + "_" + LocalTime.now(clock).getMinute();
        redis.call("MULTI");
        redis.call("SADD", minute, client);
        redis.call("EXPIRE", minute, MINUTE_SECONDS);
        redis.call("EXEC");
    }

    private static void expect(Object expected, @Nullable Object found) {
        if (!expected.equals(found)) {
            throw new IllegalStateException("Redis: " + found + " (expected: " + expected + ")");
        }
    }
}
