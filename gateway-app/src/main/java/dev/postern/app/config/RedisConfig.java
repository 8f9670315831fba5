package dev.postern.app.config;

import dev.postern.app.config.type.Checks;
import dev.postern.app.config.type.ConfigDuration;
import dev.postern.app.config.type.Key;
import dev.postern.app.config.type.RedisAddress;
import org.jspecify.annotations.Nullable;

/** The Redis that rate limits, rooms and spent tokens may live in. */
public record RedisConfig(
        @Key(
                or = "redis://127.0.0.1:6379",
                says = "`redis://[user:password@]host:port[/database]`, or `rediss://` for TLS.",
                secret = true)
        String uri,

        @Key(or = "null", says = "File that holds the URI instead, for URIs with a password.") @Nullable
        String uriFile,

        @Key(or = "false", says = "Whether that address is a node of a cluster.")
        boolean cluster,

        @Key(or = "100ms", says = "Longest wait for a decision.")
        ConfigDuration deadline) {

    public RedisConfig {
        Checks.of()
                .parses("uri", "(hidden)", () -> RedisAddress.of(uri))
                .between("deadline", deadline, "1ms", "10s")
                .done();
    }
}
