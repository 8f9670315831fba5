package dev.postern.ratelimit.redis;

import dev.postern.core.config.RedisSettings;
import dev.postern.core.dns.NameServers;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the store in Redis.
 *
 * @param prefix name of the instance, part of every key
 * @param replicas maximum number of nodes that share the rooms
 * @param nameServers for the name of the Redis; null for those of the system
 */
public record RedisStoreSettings(
        RedisSettings redis,
        String prefix,
        int replicas,
        @Nullable NameServers nameServers) {

    public RedisStoreSettings {
        if (replicas < 1) {
            throw new IllegalArgumentException("instance.replicas: " + replicas + " (expected: at least 1)");
        }
    }

    /** Creates settings of a store that asks the name servers of the system. */
    public RedisStoreSettings(RedisSettings redis, String prefix, int replicas) {
        this(redis, prefix, replicas, null);
    }
}
