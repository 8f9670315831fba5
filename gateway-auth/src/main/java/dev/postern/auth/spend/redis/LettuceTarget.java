package dev.postern.auth.spend.redis;

import dev.postern.core.config.RedisSettings;
import dev.postern.core.redis.RedisTarget;
import dev.postern.core.redis.RedisUri;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider.ImmediateRedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;

/** Target as Lettuce takes it. Lettuce asks for login and certificates on its event loops, where no file is read. */
record LettuceTarget(RedisURI uri, SslOptions ssl) {

    static LettuceTarget of(RedisTarget target) {
        RedisURI direct = RedisURI.create(target.uri());
        RedisSettings.Sentinel sentinel = target.sentinel();
        RedisURI uri = sentinel == null ? direct : sentinels(sentinel, direct);
        uri.setCredentialsProvider((ImmediateRedisCredentialsProvider) () -> {
            RedisUri login = target.login();
            return RedisCredentials.just(login.user(), login.password());
        });
        SslOptions.Builder ssl = SslOptions.builder().jdkSslProvider().handshakeTimeout(RedisTarget.HANDSHAKE);
        return new LettuceTarget(uri, ssl.sslContext(target::applyCertificates).build());
    }

    /** Returns the URI of the Sentinels; not from a text, since Java parses none with several of which one is an IPv6 address. */
    private static RedisURI sentinels(RedisSettings.Sentinel sentinel, RedisURI master) {
        RedisURI.Builder builder = RedisURI.builder().withSentinelMasterId(sentinel.master());
        sentinel.nodes().forEach(node -> builder.withSentinel(node.host(), node.port()));
        if (master.getClientName() != null) {
            builder.withClientName(master.getClientName());
        }
        return builder.withSsl(master)
                .withDatabase(master.getDatabase())
                .withTimeout(master.getTimeout())
                .build();
    }
}
