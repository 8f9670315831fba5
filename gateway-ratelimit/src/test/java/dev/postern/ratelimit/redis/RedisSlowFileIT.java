package dev.postern.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.config.RedisSettings;
import dev.postern.core.rate.Gcra;
import dev.postern.core.testing.BlockingFile;
import dev.postern.core.testing.RedisExtension;
import dev.postern.core.testing.TestRedis;
import dev.postern.ratelimit.queue.AdmissionDecision;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests a store whose file with the URI blocks its reader: no event loop reads it, neither of the gateway nor of the client. */
class RedisSlowFileIT {

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    @TempDir
    private Path folder;

    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

    @AfterEach
    void stop() {
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
    }

    private AdmissionDecision limit(RedisRoomStore store) {
        CompletableFuture<AdmissionDecision> response = new CompletableFuture<>();
        EventLoop loop = loops.next();
        loop.execute(() -> store.limit("key", new Gcra(1, 1_000_000), loop, response::complete));
        return response.orTimeout(60, TimeUnit.SECONDS).join();
    }

    @Test
    void noEventLoopReadsTheFile() {
        String uri = "redis://" + REDIS.address();
        BlockingFile file = BlockingFile.in(folder);
        RedisSettings redis = TestRedis.of(uri).with(uri, file.path().toString());
        try (RedisRoomStore store = StoreNode.of(loops, redis).store()) {
            Awaitility.await().until(() -> !BlockingFile.readers().isEmpty());
            assertThat(limit(store).kind()).as("decided by this node").isEqualTo(AdmissionDecision.Kind.BASE);

            assertThat(file.serve(uri, store::healthy)).isNotEmpty().allMatch(name -> name.startsWith("postern-rooms"));
        }
    }
}
