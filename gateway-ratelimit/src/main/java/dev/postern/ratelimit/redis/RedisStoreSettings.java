package dev.postern.ratelimit.redis;

import dev.postern.core.config.RedisSettings;

/**
 * Settings of the store in Redis.
 *
 * @param prefix name of the instance, part of every key
 * @param replicas maximum number of nodes that share the rooms
 */
public record RedisStoreSettings(RedisSettings redis, String prefix, int replicas) {

    public RedisStoreSettings {
        if (replicas < 1) {
            throw new IllegalArgumentException("instance.replicas: " + replicas + " (expected: at least 1)");
        }
    }
}
