package dev.postern.auth.spend.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.SlotHash;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Topology that maps each shard to its server: one server for all, or the masters of a Cluster, read from one of them every second by
 * CLUSTER SLOTS.
 *
 * <p>The ledger selects the server itself, since Lettuce's cluster client would redirect a command to a server whose epoch marker was not
 * checked. {@link #of} is for any thread, the other methods for the ledger's.
 */
final class RedisTopology {

    private static final Logger LOG = LoggerFactory.getLogger(RedisTopology.class);
    private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final RedisServer.Address seed;
    private final Function<RedisServer.Address, RedisServer> maker;
    private final Map<String, RedisServer> byName = new HashMap<>();
    private final Map<RedisServer, List<Integer>> shards = new HashMap<>();
    private final AtomicReferenceArray<@Nullable RedisServer> ofShard = new AtomicReferenceArray<>(SpendKeys.SHARDS);
    private volatile List<RedisServer> all = List.of();
    private long askedAt;
    private boolean asked;
    private int nextNode;

    /** @param seed the configured server, or a node of the Cluster */
    RedisTopology(RedisServer.Address seed, Function<RedisServer.Address, RedisServer> maker) {
        this.seed = seed;
        this.maker = maker;
        RedisServer first = node(seed);
        if (!seed.cluster()) {
            for (int shard = 0; shard < SpendKeys.SHARDS; shard++) {
                assign(shard, first);
            }
        }
    }

    /** Returns the server of the shard, or null while it is unknown. */
    @Nullable
    RedisServer of(int shard) {
        return ofShard.get(shard);
    }

    /** Returns all servers: those with shards and the configured one. */
    Collection<RedisServer> all() {
        return all;
    }

    /** Returns whether the server of every shard is ready. */
    boolean complete() {
        for (int shard = 0; shard < SpendKeys.SHARDS; shard++) {
            RedisServer server = ofShard.get(shard);
            if (server == null || !server.ready()) {
                return false;
            }
        }
        return true;
    }

    void maintain(Consumer<Runnable> later, long now) {
        for (RedisServer server : all) {
            server.maintain(shards.getOrDefault(server, List.of()), now);
        }
        if (seed.cluster() && (!asked || now - askedAt >= EVERY_NANOS)) {
            ask(later, now);
        }
    }

    /** Asks another server each time, since a server that is cut off from the others may return an old topology. */
    private void ask(Consumer<Runnable> later, long now) {
        List<RedisServer> those = all;
        for (int i = 0; i < those.size(); i++) {
            RedisServer server = those.get(nextNode++ % those.size());
            RedisConnection redisConnection = server.connection();
            if (redisConnection != null && redisConnection.responses(now) && ask(server, redisConnection, later)) {
                askedAt = now;
                asked = true;
                return;
            }
        }
    }

    private boolean ask(RedisServer server, RedisConnection redisConnection, Consumer<Runnable> later) {
        StatefulRedisConnection<byte[], byte[]> connection = redisConnection.connection();
        try {
            connection.async().clusterSlots().whenComplete((ranges, failure) -> {
                if (ranges != null) {
                    later.accept(() -> assign(ranges, server.host()));
                } else {
                    redisConnection.failed(failure);
                    LOG.debug("Redis {} does not return its slots: {}", server.name(), String.valueOf(failure));
                }
            });
            connection.flushCommands();
            return true;
        } catch (RedisException e) {
            LOG.debug("Redis {} takes no commands: {}", server.name(), e.toString());
            return false;
        }
    }

    /** @param sender the host of the server that sent the ranges; an empty host name in a range means this server */
    void assign(List<Object> ranges, String sender) {
        for (Object one : ranges) {
            List<?> range = (List<?>) one;
            List<?> master = (List<?>) range.get(2);
            String announced = master.get(0) == null ? "" : new String((byte[]) master.get(0), US_ASCII);
            String host = announced.isEmpty() ? sender : announced;
            long port = (Long) master.get(1);
            RedisURI uri = RedisURI.builder(seed.uri())
                    .withHost(host)
                    .withPort((int) port)
                    .build();
            RedisServer server = node(new RedisServer.Address(host + ":" + port, uri, true));
            for (int shard = 0; shard < SpendKeys.SHARDS; shard++) {
                int slot = SlotHash.getSlot(SpendKeys.tag(shard));
                if (slot >= (Long) range.get(0) && slot <= (Long) range.get(1)) {
                    assign(shard, server);
                }
            }
        }
        forget();
    }

    private void assign(int shard, RedisServer server) {
        RedisServer previous = ofShard.getAndSet(shard, server);
        if (previous == server) {
            return;
        }
        if (previous != null) {
            shards.getOrDefault(previous, new ArrayList<>()).remove((Integer) shard);
            LOG.info("Redis: shard {} moved from {} to {}", shard, previous.name(), server.name());
        }
        shards.computeIfAbsent(server, n -> new ArrayList<>()).add(shard);
        server.doubt();
    }

    /** Closes servers without shards, except the configured one. */
    private void forget() {
        for (RedisServer server : all) {
            boolean empty = shards.getOrDefault(server, List.of()).isEmpty();
            if (empty && !server.name().equals(seed.name())) {
                byName.remove(server.name());
                shards.remove(server);
                server.close();
            }
        }
        all = List.copyOf(byName.values());
    }

    private RedisServer node(RedisServer.Address address) {
        RedisServer server = byName.get(address.name());
        if (server == null) {
            server = maker.apply(address);
            byName.put(address.name(), server);
            all = List.copyOf(byName.values());
        }
        return server;
    }

    void close() {
        all.forEach(RedisServer::close);
    }
}
