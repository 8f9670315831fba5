package dev.postern.ratelimit.redis;

import java.time.Duration;

/**
 * How to reach Redis.
 *
 * @param uri {@code redis://[user:password@]host:port[/database]} or {@code rediss://}
 * @param cluster whether that is a server of a Redis Cluster
 * @param deadline after which a call counts as unanswered
 * @param prefix of every key: names the instance
 * @param replicas how many nodes share the rooms at most
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
