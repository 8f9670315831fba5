package dev.postern.auth.spend.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.postern.auth.spend.store.LedgerMeters.Event;
import dev.postern.auth.spend.store.StoreResources;
import dev.postern.auth.spend.store.Verified;
import dev.postern.core.transport.ConnectErrorReason;
import io.lettuce.core.RedisException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the server of one connection: its run id and the epoch markers of its shards. Creates markers where there are none. Tokens are
 * spent at the server only after this check.
 *
 * <p>Runs once a second, and after 50 ms when {@link #doubt} was called. All methods run on the ledger's thread, except {@link #doubt} and
 * the getters.
 */
final class RedisEpochCheck {

    private static final Logger LOG = LoggerFactory.getLogger(RedisEpochCheck.class);
    private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long SOON_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final String name;
    private final StatefulRedisConnection<byte[], byte[]> connection;
    private final StoreResources resources;
    private final SpendKeys keys;
    private final Verified onVerified;
    private final SecureRandom random = new SecureRandom();
    private long startedAt;
    private boolean pending;
    private boolean warned;
    private volatile long respondedAt;
    private volatile boolean doubtful = true;
    private volatile boolean verified;
    private volatile int replicas;
    private volatile String state = "connected, not verified";

    /** @param onVerified called on the ledger's thread */
    RedisEpochCheck(
            String name,
            StatefulRedisConnection<byte[], byte[]> connection,
            StoreResources resources,
            SpendKeys keys,
            Verified onVerified) {
        this.name = name;
        this.connection = connection;
        this.resources = resources;
        this.keys = keys;
        this.onVerified = onVerified;
        this.respondedAt = resources.scheduler().nanos();
        this.startedAt = respondedAt - EVERY_NANOS;
    }

    /** Returns whether tokens may be spent at the server. */
    boolean verified() {
        return verified;
    }

    int replicas() {
        return replicas;
    }

    /** Returns the time of the server's last response to a check, in the time of the ledger's scheduler. */
    long respondedAt() {
        return respondedAt;
    }

    String state() {
        return state;
    }

    /** Requests an early check. From any thread. */
    void doubt() {
        doubtful = true;
    }

    void maintain(List<Integer> shards, long now) {
        long pause = doubtful ? SOON_NANOS : EVERY_NANOS;
        if (!pending && now - startedAt >= pause) {
            pending = true;
            doubtful = false;
            startedAt = now;
            check(List.copyOf(shards));
        }
    }

    private void check(List<Integer> shards) {
        try {
            connection
                    .async()
                    .info()
                    .whenComplete((text, failure) -> resources.scheduler().now(() -> inspect(shards, text, failure)));
            connection.flushCommands();
        } catch (RedisException e) {
            bad("takes no commands");
        }
    }

    private void inspect(List<Integer> shards, @Nullable String text, @Nullable Throwable failure) {
        if (text == null) {
            bad("no INFO: " + (failure == null ? "empty" : ConnectErrorReason.of(failure)));
            return;
        }
        ServerInfo info;
        try {
            info = ServerInfo.parse(text);
        } catch (IllegalArgumentException e) {
            bad(e.getMessage());
            return;
        }
        if (!info.objection().isEmpty()) {
            bad(info.objection());
            return;
        }
        warnOnce(info);
        replicas = info.replicas();
        checkMarkers(shards, info);
    }

    private void warnOnce(ServerInfo info) {
        if (info.mayForget() && !warned) {
            warned = true;
            LOG.warn(
                    "Redis {}: maxmemory-policy: {} (expected: noeviction, else spent tokens are forgotten when memory is short)",
                    name,
                    info.policy());
        }
    }

    private void checkMarkers(List<Integer> shards, ServerInfo info) {
        RedisAsyncCommands<byte[], byte[]> commands = connection.async();
        List<CompletableFuture<byte[]>> responses = new ArrayList<>();
        try {
            Scripts.ALL.forEach(script -> commands.scriptLoad(script.text()));
            for (int shard : shards) {
                byte[][] marker = {keys.marker(shard)};
                responses.add(commands.<byte[]>evalsha(
                                Scripts.MARKER.name(),
                                ScriptOutputType.VALUE,
                                marker,
                                newMarker(),
                                info.runId().getBytes(US_ASCII),
                                Long.toString(info.evicted()).getBytes(US_ASCII))
                        .toCompletableFuture());
            }
            connection.flushCommands();
        } catch (RedisException e) {
            bad("takes no commands");
            return;
        }
        CompletableFuture.allOf(responses.toArray(CompletableFuture[]::new))
                .whenComplete(
                        (all, failure) -> resources.scheduler().now(() -> marked(shards, responses, info, failure)));
    }

    private void marked(
            List<Integer> shards,
            List<CompletableFuture<byte[]>> responses,
            ServerInfo info,
            @Nullable Throwable failure) {
        if (failure != null) {
            bad("no epoch marker: " + ConnectErrorReason.of(failure));
            return;
        }
        Map<Integer, byte[]> markers = new HashMap<>();
        for (int i = 0; i < shards.size(); i++) {
            // join() does not block: all futures are complete.
            markers.put(shards.get(i), responses.get(i).join());
        }
        if (resources.state().observed(markers)) {
            resources.meters().event(Event.FORGOT);
            LOG.warn("Redis {} lost its memory or took over from another: challenges change", name);
        }
        boolean wasAway = !verified;
        respondedAt = resources.scheduler().nanos();
        pending = false;
        verified = true;
        state = "verified, " + info.replicas() + " replicas";
        onVerified.verified(wasAway, respondedAt - startedAt);
    }

    private void bad(@Nullable String reason) {
        verified = false;
        state = "not usable: " + reason;
        pending = false;
    }

    private byte[] newMarker() {
        byte[] bytes = new byte[16];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes).getBytes(US_ASCII);
    }
}
