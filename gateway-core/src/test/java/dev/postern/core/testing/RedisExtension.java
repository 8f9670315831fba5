package dev.postern.core.testing;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Runs a Redis without persistence. */
public final class RedisExtension extends ServerExtension {

    private @Nullable Client client;

    public RedisExtension() {
        super(new ServerProcess(
                "redis-server",
                ServerProcess.freePort(),
                "--bind",
                "127.0.0.1",
                "--port",
                "{port}",
                "--save",
                "",
                "--appendonly",
                "no"));
    }

    /** Returns a connection, opened by the first call and closed after the last test of the class. */
    public StatefulRedisConnection<String, String> connection() {
        Client current = client;
        if (current == null) {
            RedisClient redis = RedisClient.create("redis://" + address());
            current = new Client(redis, redis.connect());
            client = current;
        }
        return current.connection;
    }

    @Override
    public void afterAll(ExtensionContext context) {
        Client current = client;
        if (current != null) {
            current.redis.shutdown();
            client = null;
        }
        super.afterAll(context);
    }

    private record Client(RedisClient redis, StatefulRedisConnection<String, String> connection) {}
}
