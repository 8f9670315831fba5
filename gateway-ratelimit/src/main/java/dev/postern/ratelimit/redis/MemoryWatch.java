package dev.postern.ratelimit.redis;

import dev.postern.core.metrics.Meters;
import dev.postern.core.redis.RedisMemory;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watch over the memory of the servers of rooms and limits: reads each server's INFO once in ten seconds, warns when the server may evict
 * keys, and counts the keys that it evicted. {@link #look} is for one thread, the other methods for any.
 */
final class MemoryWatch {

    private static final Logger LOG = LoggerFactory.getLogger(MemoryWatch.class);
    private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Map<String, RedisMemory> servers = new ConcurrentHashMap<>();
    private final Counter evicted;
    private @Nullable StatefulConnection<String, String> asked;
    private long askedAt;

    MemoryWatch(MeterRegistry registry) {
        evicted = Meters.ROOM_EVENTS.counter(registry, "evicted");
        Meters.STORE_MAY_EVICT.gauge(registry, () -> mayForget() ? 1 : 0, "rooms");
    }

    /**
     * Asks the servers if it is time. Called several times a second.
     *
     * @param name host and port of a single server
     * @param now time of a ticker
     */
    void look(StatefulConnection<String, String> connection, String name, long now) {
        if (connection == asked && now - askedAt < EVERY_NANOS) {
            return;
        }
        asked = connection;
        askedAt = now;
        try {
            if (connection instanceof StatefulRedisConnection<String, String> single) {
                servers.keySet().retainAll(Set.of(name));
                ask(name, single);
                single.flushCommands();
            } else if (connection instanceof StatefulRedisClusterConnection<String, String> cluster) {
                ask(cluster);
            }
        } catch (RedisException e) {
            LOG.debug("Redis takes no INFO: {}", e.toString());
        }
    }

    private void ask(StatefulRedisClusterConnection<String, String> cluster) {
        Set<String> masters = new HashSet<>();
        for (RedisClusterNode node : cluster.getPartitions()) {
            if (node.is(RedisClusterNode.NodeFlag.UPSTREAM)) {
                String host = node.getUri().getHost();
                int port = node.getUri().getPort();
                masters.add(host + ":" + port);
                cluster.getConnectionAsync(host, port).thenAccept(made -> ask(host + ":" + port, made));
            }
        }
        servers.keySet().retainAll(masters);
    }

    private void ask(String name, StatefulRedisConnection<String, String> connection) {
        CompletionStage<String> info = connection.async().info();
        info.whenComplete((text, failure) -> {
            // Without a response the calls of the rooms say what is wrong.
            if (text != null) {
                take(name, text);
            }
        });
    }

    /** Takes the INFO of a server. */
    void take(String name, String info) {
        RedisMemory memory;
        try {
            memory = RedisMemory.parse(info);
        } catch (IllegalArgumentException e) {
            LOG.debug("Redis {}: {}", name, e.getMessage());
            return;
        }
        RedisMemory earlier = servers.put(name, memory);
        if (earlier != null && memory.evicted() > earlier.evicted()) {
            evicted.increment((double) (memory.evicted() - earlier.evicted()));
        }
        if (memory.mayForget() && (earlier == null || !earlier.policy().equals(memory.policy()))) {
            LOG.warn(
                    "Redis {} (rooms): {}; a room that lost a key admits no new session until the gateways have registered again",
                    name,
                    memory.objection());
        }
    }

    private boolean mayForget() {
        return servers.values().stream().anyMatch(RedisMemory::mayForget);
    }

    /** Returns what is wrong with the memory of the servers; empty if nothing is. */
    String objection() {
        return new TreeMap<>(servers)
                .entrySet().stream()
                        .filter(server -> server.getValue().mayForget())
                        .map(server -> servers.size() == 1
                                ? server.getValue().objection()
                                : server.getKey() + " " + server.getValue().objection())
                        .collect(Collectors.joining("; "));
    }
}
