package dev.postern.load.worker;

import dev.postern.load.measure.RedisConnection;
import java.io.IOException;
import java.time.Clock;
import java.time.LocalTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ancestor sequence: the Redis commands of the ancestor's fair queue for one request, one round trip for each command.
 * Keys, lifetimes and order are those of ngx-smart-ratelimit.
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

    /** Writes the state of a new session, without the queries that precede it. */
    void join(String session) throws IOException {
        redis.call("SET", session, WAITING);
        redis.call("RPUSH", LINE, session);
        redis.call("EXPIRE", LINE, LINE_SECONDS);
    }

    /** Renews the lifetime of a waiting session that sent no request for a while. */
    void renew(String session) throws IOException {
        redis.call("SET", session, WAITING);
    }

    /** Admits a session, without the queries that precede the admission. */
    void accept(String session) throws IOException {
        redis.call("SET", session, ACCEPTED, "EX", ACCEPTED_SECONDS);
    }

    /**
     * Sends the commands for a request of a waiting session that isn't the first in the queue: refused after five round
     * trips.
     */
    void waiting(String session) throws IOException {
        expect(WAITING, redis.call("GET", session));
        Object head = redis.call("LRANGE", LINE, "0", "0");
        if (!(head instanceof List<?> first) || first.isEmpty() || session.equals(first.get(0))) {
            throw new IllegalStateException("first in the line: " + head + " (expected: another session)");
        }
        String ahead = String.valueOf(first.get(0));
        // The ancestor sends this query twice: for whether the first session still exists, and whether it is admitted.
        expect(WAITING, redis.call("GET", ahead));
        expect(WAITING, redis.call("GET", ahead));
        expect(1L, redis.call("EXPIRE", session, WAITING_SECONDS));
    }

    /** Sends the commands for a request of an admitted session: passes after five round trips. */
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
