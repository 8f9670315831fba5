package dev.postern.auth.spend.redis;

import dev.postern.auth.spend.store.LedgerMeters.Event;
import dev.postern.auth.spend.store.StoreReply;
import io.lettuce.core.RedisException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Refunds spends of exchanges that were not forwarded: one script compares and deletes, so it may be sent again.
 *
 * <p>A server that was frozen may execute a spend late, after its connection was lost. Therefore a missing key is checked again for about
 * half a minute. Thread-safe; works on the ledger's thread.
 */
final class RedisRefunds {

    private static final int MAX_WAITING = 10_000;
    private static final long[] PAUSES_MILLIS = {250, 500, 1_000, 2_000, 4_000, 8_000, 16_000};
    private static final long AWAY_PAUSE_MILLIS = 100;
    private static final long GIVE_UP_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final RedisTopology topology;
    private final RedisServer.Tools tools;
    private final AtomicInteger waiting = new AtomicInteger();

    RedisRefunds(RedisTopology topology, RedisServer.Tools tools) {
        this.topology = topology;
        this.tools = tools;
    }

    void add(PendingInsert attempt) {
        if (waiting.incrementAndGet() > MAX_WAITING) {
            ended(Event.NOT_GIVEN_BACK);
            return;
        }
        Return one = new Return(attempt, System.nanoTime());
        tools.scheduler().now(() -> look(one));
    }

    private void look(Return one) {
        if (System.nanoTime() - one.start > GIVE_UP_NANOS) {
            ended(Event.NOT_GIVEN_BACK);
            return;
        }
        RedisServer server = topology.of(one.attempt.request().shard());
        RedisConnection connection = server == null ? null : server.connection();
        if (connection == null || !connection.ready()) {
            again(one);
            return;
        }
        StatefulRedisConnection<byte[], byte[]> to = connection.connection();
        byte[][] keys = {one.attempt.request().key()};
        try {
            to.async()
                    .<Long>evalsha(
                            Scripts.GIVE_BACK.name(),
                            ScriptOutputType.INTEGER,
                            keys,
                            one.attempt.request().attempt())
                    .whenComplete((response, failure) -> tools.scheduler().now(() -> found(one, response)));
            to.flushCommands();
        } catch (RedisException e) {
            again(one);
        }
    }

    private void again(Return one) {
        tools.scheduler().later(() -> look(one), AWAY_PAUSE_MILLIS);
    }

    private void found(Return one, @Nullable Long response) {
        if (response == null) {
            again(one);
        } else if (response == Scripts.TAKEN_AWAY) {
            tools.known().forget(one.attempt.request().redemption().key());
            ended(Event.GIVEN_BACK);
        } else if (response == Scripts.NOT_THERE
                && one.attempt.reply() != StoreReply.STORED
                && one.looks < PAUSES_MILLIS.length) {
            tools.scheduler().later(() -> look(one), PAUSES_MILLIS[one.looks++]);
        } else {
            // Another caller spent the token meanwhile, or the server lost the key, or the insert never arrived.
            ended(Event.NOT_GIVEN_BACK);
        }
    }

    private void ended(Event event) {
        waiting.decrementAndGet();
        tools.meters().event(event);
    }

    private static final class Return {

        private final PendingInsert attempt;
        private final long start;
        private int looks;

        Return(PendingInsert attempt, long start) {
            this.attempt = attempt;
            this.start = start;
        }
    }
}
