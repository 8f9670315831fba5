package dev.postern.auth.spend.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.postern.auth.spend.store.LedgerMeters.Event;
import dev.postern.auth.spend.store.StoreResources;
import dev.postern.auth.spend.store.Verified;
import dev.postern.core.redis.RedisConnectionRule;
import dev.postern.core.redis.RedisFault;
import dev.postern.core.redis.RedisMemory;
import io.lettuce.core.RedisException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
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

    private final RedisServer.Address address;
    private final StatefulRedisConnection<byte[], byte[]> connection;
    private final StoreResources resources;
    private final SpendKeys keys;
    private final RedisConnectionRule rule;
    private final Verified onVerified;
    private final SecureRandom random = new SecureRandom();
    private long startedAt;
    private boolean pending;
    private boolean warned;
    private volatile long respondedAt;
    private volatile boolean doubtful = true;
    private volatile boolean verified;
    private volatile int replicas;
    private volatile String objection = "";
    private volatile String state = "connected, not verified";

    /** Why the server cannot be used; empty if unknown. */
    private volatile String trouble = "";

    /**
     * @param rule takes the results of the checks
     * @param onVerified called on the ledger's thread
     */
    RedisEpochCheck(
            RedisServer.Address address,
            StatefulRedisConnection<byte[], byte[]> connection,
            StoreResources resources,
            SpendKeys keys,
            RedisConnectionRule rule,
            Verified onVerified) {
        this.address = address;
        this.connection = connection;
        this.resources = resources;
        this.keys = keys;
        this.rule = rule;
        this.onVerified = onVerified;
        this.respondedAt = resources.scheduler().nanos();
        this.startedAt = respondedAt - EVERY_NANOS;
        rule.expected(respondedAt);
    }

    /** Returns whether tokens may be spent at the server. */
    boolean verified() {
        return verified;
    }

    int replicas() {
        return replicas;
    }

    /** Returns whether the server may evict keys that have not ended. */
    boolean mayForget() {
        return !objection.isEmpty();
    }

    /** Returns the time of the server's last response to a check, in the time of the ledger's scheduler. */
    long respondedAt() {
        return respondedAt;
    }

    String state() {
        return state;
    }

    /** Returns why the server cannot be used; empty if it can, or if it did not respond. */
    String trouble() {
        return trouble;
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
            bad(unusable("takes no commands"));
        }
    }

    private void inspect(List<Integer> shards, @Nullable String text, @Nullable Throwable failure) {
        if (text == null) {
            bad(failure == null ? unusable("no INFO: empty") : fault(failure).after("no INFO: "));
            return;
        }
        ServerInfo info;
        try {
            info = ServerInfo.parse(text);
        } catch (IllegalArgumentException e) {
            bad(unusable(e.getMessage()));
            return;
        }
        if (!info.master()) {
            bad(RedisFault.REPLICA);
            return;
        }
        warnOnce(info);
        replicas = info.replicas();
        checkMarkers(shards, info);
    }

    private void warnOnce(ServerInfo info) {
        objection = info.memory().objection();
        if (mayForget() && !warned) {
            warned = true;
            LOG.warn(
                    "Redis {}: {}; each eviction changes the challenges, and spends get 503 meanwhile",
                    address.name(),
                    objection);
        }
    }

    private void checkMarkers(List<Integer> shards, ServerInfo info) {
        List<CompletableFuture<byte[]>> responses = new ArrayList<>();
        try {
            Scripts.ALL.forEach(script -> connection.async().scriptLoad(script.text()));
            for (int shard : shards) {
                byte[][] marker = {keys.marker(shard)};
                ScriptCall call = new ScriptCall(
                        Scripts.MARKER,
                        ScriptOutputType.VALUE,
                        marker,
                        newMarker(),
                        info.runId().getBytes(US_ASCII),
                        Long.toString(info.memory().evicted()).getBytes(US_ASCII));
                responses.add(call.write(connection));
            }
            connection.flushCommands();
        } catch (RedisException e) {
            bad(unusable("takes no commands"));
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
            bad(fault(failure).after("no epoch marker: "));
            return;
        }
        Map<Integer, byte[]> markers = new HashMap<>();
        for (int i = 0; i < shards.size(); i++) {
            // join() does not block: all futures are complete.
            markers.put(shards.get(i), responses.get(i).join());
        }
        if (resources.state().observed(markers)) {
            resources.meters().event(Event.FORGOT);
            LOG.warn("Redis {} lost its memory or took over from another: challenges change", address.name());
        }
        boolean wasAway = !verified;
        respondedAt = resources.scheduler().nanos();
        rule.good();
        rule.expected(respondedAt); // the next check
        pending = false;
        verified = true;
        trouble = "";
        state = "verified, " + info.replicas() + " replicas" + (mayForget() ? ", " + objection : "");
        onVerified.verified(wasAway, respondedAt - startedAt);
    }

    private RedisFault fault(Throwable failure) {
        return RedisFault.of(failure, address.cluster());
    }

    private static RedisFault unusable(@Nullable String reason) {
        return new RedisFault(String.valueOf(reason), false, false);
    }

    private void bad(RedisFault fault) {
        verified = false;
        trouble = fault.reason();
        state = "not usable: " + trouble;
        pending = false;
        rule.bad(fault, resources.scheduler().nanos());
    }

    private byte[] newMarker() {
        byte[] bytes = new byte[16];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes).getBytes(US_ASCII);
    }

    /**
     * Server information, from INFO.
     *
     * @param runId run id; changes with each start of the server
     * @param replicas number of connected replicas
     * @param memory whether spends may be evicted, and how many keys were
     */
    record ServerInfo(String runId, boolean master, int replicas, RedisMemory memory) {

        /** @throws IllegalArgumentException when the text is not the INFO of a Redis server */
        static ServerInfo parse(String text) {
            Map<String, String> values = new HashMap<>();
            for (String line : text.split("\r?\n")) {
                int colon = line.indexOf(':');
                if (colon > 0) {
                    values.put(line.substring(0, colon), line.substring(colon + 1));
                }
            }
            return new ServerInfo(
                    of(values, "run_id"),
                    of(values, "role").equals("master"),
                    Integer.parseInt(of(values, "connected_slaves")),
                    RedisMemory.parse(text));
        }

        private static String of(Map<String, String> values, String name) {
            String value = values.get(name);
            if (value == null) {
                throw new IllegalArgumentException("INFO: no " + name + " (expected: that of a Redis)");
            }
            return value;
        }
    }
}
