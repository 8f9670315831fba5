package dev.postern.auth.spend.redis;

import dev.postern.auth.spend.store.StoreResources;
import dev.postern.auth.spend.store.Verified;
import dev.postern.auth.spend.store.WriteTiming;
import io.lettuce.core.RedisException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connection to one run of one server. The spends of one pass of an event loop are written with one flush, followed by one WAIT if the
 * server has replicas. Thread-safe, except {@link #maintain}, which runs on the ledger's thread.
 */
final class RedisConnection {

    private static final Logger LOG = LoggerFactory.getLogger(RedisConnection.class);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final StatefulRedisConnection<byte[], byte[]> connection;
    private final RedisEpochCheck check;
    private final StoreResources resources;
    private final SpendKeys keys;

    /** @param onVerified called on the ledger's thread */
    RedisConnection(
            String name,
            StatefulRedisConnection<byte[], byte[]> connection,
            StoreResources resources,
            SpendKeys keys,
            Verified onVerified) {
        this.connection = connection;
        this.resources = resources;
        this.keys = keys;
        this.check = new RedisEpochCheck(name, connection, resources, keys, onVerified);
        connection.setAutoFlushCommands(false);
    }

    /** Sends the inserts and settles each of them; an insert may reach its deadline before. */
    void send(List<PendingInsert> inserts) {
        if (!check.verified()) {
            inserts.forEach(PendingInsert::unsent);
            return;
        }
        CompletableFuture<Boolean> copied = new CompletableFuture<>();
        WriteTiming timing = new WriteTiming();
        timing.begin(resources.scheduler().ticker().nanoTime());
        int sent = 0;
        try {
            for (PendingInsert insert : inserts) {
                insert.goes(timing);
                write(insert, copied);
                sent++;
            }
            awaitCopies(copied);
        } catch (RedisException e) {
            LOG.debug("Redis takes no commands: {}", e.toString());
            copied.complete(false);
            inserts.subList(sent, inserts.size()).forEach(PendingInsert::unsent);
        }
        connection.flushCommands();
        timing.end(resources.scheduler().ticker().nanoTime());
    }

    private void write(PendingInsert insert, CompletableFuture<Boolean> copied) {
        PendingInsert.Request request = insert.request();
        byte[][] arguments = {request.key(), keys.marker(request.shard())};
        connection
                .async()
                .<Long>evalsha(
                        Scripts.SPEND.name(),
                        ScriptOutputType.INTEGER,
                        arguments,
                        request.attempt(),
                        request.marker(),
                        request.millis())
                .whenComplete((response, failure) -> insert.came(response, failure, copied));
    }

    /** Sends WAIT, which covers all writes of this connection before it. Later commands of the connection do not overtake WAIT. */
    private void awaitCopies(CompletableFuture<Boolean> copied) {
        if (check.replicas() == 0) {
            copied.complete(true);
            return;
        }
        connection
                .async()
                .waitForReplication(1, resources.deadline().toMillis())
                .whenComplete((reached, failure) -> copied.complete(reached != null && reached >= 1));
    }

    void maintain(List<Integer> shards, long now) {
        check.maintain(shards, now);
    }

    /** Requests an early check of the server's run and epoch markers. */
    void doubt() {
        check.doubt();
    }

    /** Returns whether tokens may be spent at the server. */
    boolean ready() {
        return check.verified();
    }

    boolean open() {
        return connection.isOpen();
    }

    /** Returns whether the server responds, and so can be asked for the cluster's slots, even if tokens must not be spent there. */
    boolean responses(long now) {
        return open() && now - check.respondedAt() < PATIENCE_NANOS;
    }

    StatefulRedisConnection<byte[], byte[]> connection() {
        return connection;
    }

    void close() {
        connection.closeAsync();
    }

    String state() {
        return check.state();
    }
}
