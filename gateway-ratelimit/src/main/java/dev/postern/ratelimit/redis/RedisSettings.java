package dev.postern.ratelimit.redis;

import java.time.Duration;

/**
 * Redis settings.
 *
 * @param uri {@code redis://[user:password@]host:port[/database]} or {@code rediss://}
 * @param cluster whether the address is a node of a Redis Cluster
 * @param deadline maximum time of a call
 * @param prefix name of the instance, part of every key
 * @param replicas maximum number of nodes that share the rooms
 */
public record RedisSettings(String uri, boolean cluster, Duration deadline, String prefix, int replicas) {

    public RedisSettings {
        if (deadline.isNegative() || deadline.isZero()) {
            throw new IllegalArgumentException("redis.deadline: " + deadline + " (expected: more than 0)");
        }
        if (replicas < 1) {
            throw new IllegalArgumentException("instance.replicas: " + replicas + " (expected: at least 1)");
        }
    }

    @Override
    public String toString() {
        return "redis"; // the URI may hold a password
    }
}
