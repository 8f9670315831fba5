package dev.postern.ratelimit;

import dev.postern.core.config.RedisSettings;
import dev.postern.ratelimit.store.RateLimitRule;
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
 * @param redis used when a limit is shared; its URI is not in a file
 */
public record RateLimitSettings(
        String namespace, int replicas, List<RateLimitRule> limits, Map<String, String> pages, RedisSettings redis) {

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

    boolean needsRedis() {
        return limits.stream().anyMatch(rule -> rule.store() == RateLimitRule.Store.REDIS);
    }
}
