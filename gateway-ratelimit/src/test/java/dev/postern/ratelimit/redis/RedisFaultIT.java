package dev.postern.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.pace.Gcra;
import dev.postern.core.testing.RedisExtension;
import dev.postern.ratelimit.memory.MemoryRooms;
import dev.postern.ratelimit.queue.Decision.Kind;
import dev.postern.ratelimit.queue.RoomRules;
import dev.postern.ratelimit.store.PassMirror;
import dev.postern.ratelimit.store.RoomKey;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two nodes, one Redis, a crowd that never stops asking; then Redis freezes, dies, or forgets everything. */
@Tag("faults")
class RedisFaultIT {

    private static final int ACTIVE = 5;
    private static final long SECOND = 1_000_000;
    private static final RoomKey ROOM = new RoomKey(
            "site",
            "site",
            new RoomRules(ACTIVE, 8 * SECOND, 6 * SECOND, 5 * SECOND, 1000, new Gcra(3600 * SECOND, 0)));

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private final List<Node> nodes = new ArrayList<>();
    private Crowd crowd = new Crowd(ROOM, 0);

    @BeforeEach
    void startTwoNodes() {
        for (int i = 0; i < 2; i++) {
            nodes.add(Node.open(loops, "redis://" + REDIS.address()));
        }
        nodes.forEach(node -> Awaitility.await().until(node.store()::healthy));
        crowd = new Crowd(ROOM, 40);
        crowd.start(nodes, loops);
        Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> crowd.admissions() >= ACTIVE);
    }

    @AfterEach
    void stop() {
        crowd.stop();
        nodes.forEach(node -> node.store().close());
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    @Test
    void holdsBoundWhileRedisFreezes() {
        REDIS.server().freeze();
        expectService(Duration.ofSeconds(3));
        REDIS.server().thaw();
        expectRecovery();
    }

    @Test
    void holdsBoundWhileRedisIsKilledAndComesBackEmpty() {
        REDIS.server().kill();
        expectService(Duration.ofSeconds(3));
        REDIS.server().start();
        expectRecovery();
    }

    @Test
    void holdsBoundWhenRedisForgetsEverything() {
        REDIS.server().restartEmpty();
        expectRecovery();
        REDIS.server().restartEmpty();
        expectRecovery();
    }

    /** Live passes pass, everybody is answered, nobody new gets in. */
    private void expectService(Duration outage) {
        long end = System.nanoTime() + outage.toNanos();
        long before = crowd.servedFromPasses();
        Awaitility.await().atMost(outage.plusSeconds(5)).until(() -> System.nanoTime() > end);
        assertThat(crowd.servedFromPasses()).isGreaterThan(before);
    }

    private void expectRecovery() {
        long before = crowd.admissions();
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> crowd.admissions() >= before + 2 * ACTIVE);
        assertThat(crowd.peak()).as("sessions served at once").isLessThanOrEqualTo(ACTIVE);
        assertThat(crowd.slowestMillis()).as("slowest answer").isLessThan(1000);
        assertThat(crowd.unanswered()).isLessThan(100);
        assertThat(crowd.kinds()).contains(Kind.WAITING, Kind.ADMITTED);
    }

    /** A replica: its own connection, its own memory of passes. */
    record Node(RedisRooms store, PassMirror mirror) {

        static Node open(EventLoopGroup loops, String uri) {
            PassMirror mirror = new PassMirror();
            RedisSettings settings = new RedisSettings(uri, Duration.ofMillis(100), "fault", 2);
            RedisRooms store = new RedisRooms(
                    settings,
                    loops,
                    InstantSource.system(),
                    new SimpleMeterRegistry(),
                    mirror,
                    new MemoryRooms(loops, InstantSource.system()));
            return new Node(store, mirror);
        }
    }
}
