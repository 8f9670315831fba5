package dev.postern.ratelimit;

import dev.postern.ratelimit.store.RateLimitRule;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Settings of all rate limits, as configured.
 *
 * @param namespace of the instance: part of every key
 * @param replicas maximum number of nodes that share the stores
 * @param limits rate limits, with unique names
 * @param pages content of {@code page.template} by name of the limit
 * @param redis settings of Redis, used when a limit is shared
 */
public record RateLimitSettings(
        String namespace, int replicas, List<RateLimitRule> limits, Map<String, String> pages, Redis redis) {

    public RateLimitSettings {
        limits = List.copyOf(limits);
        pages = Map.copyOf(pages);
        Set<String> names = new HashSet<>();
        for (RateLimitRule rule : limits) {
            if (!names.add(rule.name())) {
                throw new IllegalArgumentException("rate-limits.name: " + rule.name() + " (expected: each once)");
            }
        }
        if (replicas < 1) {
            throw new IllegalArgumentException("instance.replicas: " + replicas + " (expected: at least 1)");
        }
    }

    /**
     * Settings of Redis.
     *
     * @param uri {@code redis://[user:password@]host:port[/database]} or {@code rediss://}
     * @param cluster whether the address is a node of a Redis Cluster
     * @param deadline maximum time of a call
     */
    public record Redis(String uri, boolean cluster, Duration deadline) {

        public static final Redis DEFAULT = new Redis("redis://127.0.0.1:6379", false, Duration.ofMillis(100));

        @Override
        public String toString() {
            return "redis"; // the URI may hold a password
        }
    }

    boolean needsRedis() {
        return limits.stream().anyMatch(rule -> rule.store() == RateLimitRule.Store.REDIS);
    }
}
