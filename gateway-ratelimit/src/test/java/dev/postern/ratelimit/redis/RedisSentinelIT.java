package dev.postern.ratelimit.redis;

import dev.postern.core.config.HostPort;
import dev.postern.core.config.RedisSettings;
import dev.postern.core.testing.RedisClusterExtension;
import dev.postern.core.testing.RedisExtension;
import dev.postern.core.testing.RedisPair;
import dev.postern.core.testing.ServerProcess;
import dev.postern.core.testing.TestRedis;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests two nodes that ask a Sentinel for the master, which is lost and replaced by its replica. */
@Tag("faults")
class RedisSentinelIT extends RedisFaults {

    @RegisterExtension
    static final RedisExtension ONE = new RedisExtension();

    @RegisterExtension
    static final RedisExtension OTHER = new RedisExtension();

    @TempDir
    static Path folder;

    private final RedisPair pair = RedisPair.of(ONE, OTHER).replicating();
    private final ServerProcess sentinel = sentinel();

    private static ServerProcess sentinel() {
        int port = ServerProcess.freePort();
        try {
            Path file = Files.writeString(folder.resolve("sentinel.conf"), """
                    port %d
                    bind 127.0.0.1
                    dir %s
                    sentinel monitor main 127.0.0.1 %d 1
                    sentinel down-after-milliseconds main 3000
                    sentinel failover-timeout main 5000
                    """.formatted(
                            port, folder, ONE.server().port()));
            ServerProcess process = new ServerProcess(RedisExtension.program(), port, file.toString(), "--sentinel");
            process.start();
            RedisClusterExtension.await(
                    process,
                    "sentinel replicas main",
                    Integer.toString(OTHER.server().port()));
            return process;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    protected StoreNode open() {
        RedisSettings.Sentinel those = new RedisSettings.Sentinel(
                "main", List.of(HostPort.of("127.0.0.1:1"), HostPort.of(sentinel.address())));
        return StoreNode.of(loops, TestRedis.of("redis://127.0.0.1:1", Map.of("sentinel", those)));
    }

    @AfterEach
    void reset() {
        sentinel.close();
        if (!ONE.server().started()) {
            ONE.server().start();
        }
        pair.close();
    }

    @Test
    void asksForTheNewMaster() {
        ONE.server().kill();
        RedisClusterExtension.await(OTHER.server(), "role", "master");
        expectRecovery();

        ONE.server().start();
        RedisClusterExtension.await(ONE.server(), "role", "slave");
        expectRecovery();
    }
}
