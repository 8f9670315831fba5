package dev.postern.core.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the Redis of a process, section {@code redis} of the configuration; for rate limits, rooms and the spend ledger. The Redis
 * client decides which URIs are valid, so the reader of the configuration checks them with it.
 */
public record RedisSettings(
        @Key(
                defaultValue = "redis://127.0.0.1:6379",
                description = "`redis://[user:password@]host:port[/database]`, or `rediss://` for TLS.",
                secret = true)
        String uri,

        @Key(defaultValue = "null", description = "File with the URI, instead of `uri`, for URIs with a password.")
        @Nullable
        String uriFile,

        @Key(defaultValue = "false", description = "Whether the address is a node of a Redis Cluster.")
        boolean cluster,

        @Key(
                defaultValue = "100ms",
                description = "Maximum wait for a rate limit or room; then Redis counts as unavailable.")
        Duration deadline) {

    public RedisSettings {
        Checks.of().between("deadline", deadline, "1ms", "10s").done();
    }

    /** Returns the settings of one server or Cluster, with the default deadline. */
    public static RedisSettings of(String uri, boolean cluster) {
        return new RedisSettings(uri, null, cluster, Duration.ofMillis(100));
    }

    /** Returns a copy with another URI, which is no longer in a file. */
    public RedisSettings with(String other) {
        return new RedisSettings(other, null, cluster, deadline);
    }

    /** Returns a copy with another deadline. */
    public RedisSettings with(Duration other) {
        return new RedisSettings(uri, uriFile, cluster, other);
    }

    @Override
    public String toString() {
        return "redis"; // the URI may hold a password
    }
}
