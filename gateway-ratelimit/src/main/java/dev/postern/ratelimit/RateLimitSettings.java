package dev.postern.ratelimit;

import dev.postern.ratelimit.store.RateLimitRule;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * All limits and what they share, as configured.
 *
 * @param namespace of the instance: part of every key
 * @param replicas how many nodes share the stores at most
 * @param limits by unique names
 * @param redis how to reach Redis; used when a limit is shared
 */
public record RateLimitSettings(String namespace, int replicas, List<RateLimitRule> limits, Redis redis) {

    public RateLimitSettings {
        limits = List.copyOf(limits);
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
     * @param uri {@code redis://[user:password@]host:port[/database]} or {@code rediss://}
     * @param cluster whether it is a Redis Cluster
     * @param deadline after which a call counts as unanswered
     */
    public record Redis(String uri, boolean cluster, Duration deadline) {

        public static final Redis DEFAULT = new Redis("redis://127.0.0.1:6379", false, Duration.ofMillis(100));

        @Override
        public String toString() {
            return "redis"; // the URI may hold a password
        }
    }

    boolean needsRedis() {
        return limits.stream().anyMatch(RateLimitRule::shared);
    }
}
