package dev.postern.auth.spend.redis;

import dev.postern.auth.spend.store.StoreResources;
import dev.postern.auth.spend.store.Verified;
import dev.postern.auth.spend.store.WriteTiming;
import dev.postern.core.redis.RedisConnectionRule;
import dev.postern.core.redis.RedisFault;
import dev.postern.core.transport.ConnectErrorReason;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connection to one run of one server. The spends of one pass of an event loop are written with one flush, followed by one WAIT if the
 * server has replicas. Thread-safe, except {@link #maintain}, which runs on the ledger's thread.
 */
final class RedisConnection {

    private static final Logger LOG = LoggerFactory.getLogger(RedisConnection.class);
    /** Time for which an error reply to a spend is part of the state. */
    private static final long REMEMBERED_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final String SILENT = "no response for 3 s";

    private final StatefulRedisConnection<byte[], byte[]> connection;
    private final RedisEpochCheck check;
    private final RedisConnectionRule rule;
    private final boolean cluster;
    private final StoreResources resources;
    private final SpendKeys keys;

    /** Last error reply that was not to a check; null without one. */
    private volatile @Nullable Refused refused;

    /** @param onVerified called on the ledger's thread */
    RedisConnection(
            RedisServer.Address address,
            StatefulRedisConnection<byte[], byte[]> connection,
            StoreResources resources,
            SpendKeys keys,
            Verified onVerified) {
        this.connection = connection;
        this.resources = resources;
        this.keys = keys;
        this.cluster = address.cluster();
        this.rule = new RedisConnectionRule(resources.scheduler().nanos());
        this.check = new RedisEpochCheck(address, connection, resources, keys, rule, onVerified);
        connection.setAutoFlushCommands(false);
    }

    /** Error reply and its time. */
    private record Refused(RedisFault fault, long at) {}

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
        Scripts.Script script = check.mayForget() ? Scripts.SPEND_CHECKED : Scripts.SPEND;
        connection
                .async()
                .<Long>evalsha(
                        script.name(),
                        ScriptOutputType.INTEGER,
                        arguments(request),
                        request.attempt(),
                        request.marker(),
                        request.millis())
                .whenComplete((response, failure) -> {
                    if (failure instanceof RedisNoScriptException && !insert.responded()) {
                        writeText(insert);
                    } else {
                        failed(failure);
                        insert.came(response, failure, copied);
                    }
                });
    }

    private byte[][] arguments(PendingInsert.Request request) {
        return new byte[][] {request.key(), keys.marker(request.shard())};
    }

    /**
     * Sends an insert again, with the text of the script, because the server did not know its name and so has not run it. The server may be
     * another one that took over behind the same connection, so that the script checks the server's run too.
     */
    private void writeText(PendingInsert insert) {
        check.doubt();
        PendingInsert.Request request = insert.request();
        CompletableFuture<Boolean> copied = new CompletableFuture<>();
        try {
            connection
                    .async()
                    .<Long>eval(
                            Scripts.SPEND_CHECKED.text(),
                            ScriptOutputType.INTEGER,
                            arguments(request),
                            request.attempt(),
                            request.marker(),
                            request.millis())
                    .whenComplete((response, failure) -> {
                        failed(failure);
                        insert.came(response, failure, copied);
                    });
        } catch (RedisException e) {
            insert.unsent();
            return;
        }
        try {
            awaitCopies(copied);
        } catch (RedisException e) {
            copied.complete(false);
        }
        connection.flushCommands();
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
                .whenComplete((reached, failure) -> {
                    failed(failure);
                    copied.complete(reached != null && reached >= 1);
                });
    }

    /** Records the error reply to a command, for the state and for the rule; other failures show in the checks. */
    void failed(@Nullable Throwable failure) {
        if (failure instanceof RedisCommandExecutionException && !(failure instanceof RedisNoScriptException)) {
            long now = resources.scheduler().nanos();
            RedisFault fault = RedisFault.of(failure, cluster);
            refused = new Refused(fault, now);
            if (fault.elsewhere()) {
                rule.bad(fault, now);
            }
        }
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

    /** Returns whether the server may evict spends. */
    boolean mayForget() {
        return check.mayForget();
    }

    boolean open() {
        return connection.isOpen();
    }

    /** Returns whether the server responds, and so can be asked for the cluster's slots, even if tokens must not be spent there. */
    boolean responses(long now) {
        return open() && !rule.replace(now);
    }

    /** Returns whether the server refused a command a short time ago. */
    boolean refuses(long now) {
        Refused last = refused;
        return last != null && now - last.at < REMEMBERED_NANOS;
    }

    StatefulRedisConnection<byte[], byte[]> connection() {
        return connection;
    }

    void close() {
        connection.closeAsync();
    }

    /** Returns why the connection is replaced. */
    String trouble() {
        if (!open()) {
            return ConnectErrorReason.LOST;
        }
        Refused last = refused;
        if (last != null && last.fault.elsewhere()) {
            return last.fault.reason();
        }
        return check.trouble().isEmpty() ? SILENT : check.trouble();
    }

    String state() {
        Refused last = refused;
        return last != null && refuses(resources.scheduler().nanos())
                ? check.state() + ", refuses commands: " + last.fault.reason()
                : check.state();
    }
}
