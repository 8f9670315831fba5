package dev.postern.ratelimit.redis;

import dev.postern.core.testing.FrozenRelay;
import dev.postern.core.testing.RedisClusterExtension;
import dev.postern.core.testing.RedisExtension;
import dev.postern.core.testing.ServerProcess;
import java.nio.file.Path;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests two nodes whose Redis loads its data for a long time, until their name points to another server. */
@Tag("faults")
class RedisLoadingIT extends RedisFaults {

    private static final int KEYS = 100_000;

    @RegisterExtension
    static final RedisExtension OTHER = new RedisExtension();

    @TempDir
    private static Path folder;

    private final int port = ServerProcess.freePort();
    private final ServerProcess full = RedisExtension.process(port, "--dir", folder.toString());
    private final ServerProcess slow = RedisExtension.process(
            port,
            "--dir",
            folder.toString(),
            "--key-load-delay",
            "1000",
            "--loading-process-events-interval-bytes",
            "1024");
    private final FrozenRelay relay = new FrozenRelay("127.0.0.1:" + port);

    @Override
    protected StoreNode open() {
        if (!full.started()) {
            full.start();
        }
        return StoreNode.single(loops, relay.address());
    }

    @AfterEach
    void end() {
        relay.close();
        full.close();
        slow.close();
    }

    @Test
    void leavesAServerThatIsLoading() {
        RedisExtension.cli(full, "eval", "for i = 1, " + KEYS + " do redis.call('SET', 'junk:' .. i, i) end", "0");
        RedisExtension.cli(full, "save");
        full.kill();
        slow.start();
        RedisClusterExtension.await(slow, "info persistence", "loading:1");
        Awaitility.await().until(() -> states().contains("LOADING: the server is loading its data"));

        relay.repoint(OTHER.address());
        expectRecovery();
    }
}
