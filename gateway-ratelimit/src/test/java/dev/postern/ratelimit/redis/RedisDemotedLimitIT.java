package dev.postern.ratelimit.redis;

import dev.postern.core.rate.Gcra;
import dev.postern.core.testing.RedisExtension;
import dev.postern.core.testing.RedisPair;
import dev.postern.ratelimit.queue.AdmissionDecision;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests limits without rooms on a demoted Redis, which still responds to the calls of a limit that is used up, since they only read. */
@Tag("faults")
class RedisDemotedLimitIT {

    private static final Gcra ONCE = new Gcra(3_600_000_000L, 0);

    @RegisterExtension
    static final RedisExtension ONE = new RedisExtension();

    @RegisterExtension
    static final RedisExtension OTHER = new RedisExtension();

    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final RedisPair pair = RedisPair.of(ONE, OTHER);
    private final StoreNode node = StoreNode.single(loops, pair.relay().address());
    private int number;

    @AfterEach
    void stop() {
        node.store().close();
        pair.close();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private AdmissionDecision ask(String key) {
        CompletableFuture<AdmissionDecision> response = new CompletableFuture<>();
        EventLoop loop = loops.next();
        loop.execute(() -> node.store().limit(key, ONCE, loop, response::complete));
        return response.orTimeout(60, TimeUnit.SECONDS).join();
    }

    @Test
    void leavesADemotedServerThatRespondsToUsedUpLimits() {
        Awaitility.await().until(() -> node.store().healthy());
        Awaitility.await().until(() -> {
            ask("used");
            return ONE.cli("keys", "*used*").contains("used");
        });
        pair.replicating().demote();

        Awaitility.await().pollInterval(Duration.ofMillis(50)).until(() -> {
            // Three of four calls only read: no window of the circuit breaker has many failures.
            for (int i = 0; i < 3; i++) {
                ask("used");
            }
            ask("new" + number++);
            return OTHER.cli("keys", "*new*").contains("new");
        });
        Awaitility.await().until(() -> node.store().stores().containsValue("connected"));
    }
}
