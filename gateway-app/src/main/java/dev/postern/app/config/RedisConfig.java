package dev.postern.app.config;

import dev.postern.app.config.type.RedisAddress;
import dev.postern.core.config.Checks;
import dev.postern.core.config.Key;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Redis for rate limits, rooms and the spend ledger. */
public record RedisConfig(
        @Key(
                or = "redis://127.0.0.1:6379",
                says = "`redis://[user:password@]host:port[/database]`, or `rediss://` for TLS.",
                secret = true)
        String uri,

        @Key(or = "null", says = "File with the URI, instead of `uri`, for URIs with a password.") @Nullable
        String uriFile,

        @Key(or = "false", says = "Whether the address is a node of a Redis Cluster.")
        boolean cluster,

        @Key(or = "100ms", says = "Maximum wait for a rate limit or room; then Redis counts as unavailable.")
        Duration deadline) {

    public RedisConfig {
        Checks.of()
                .parses("uri", "(hidden)", () -> RedisAddress.of(uri))
                .between("deadline", deadline, "1ms", "10s")
                .done();
    }
}
