package dev.postern.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.rate.Gcra;
import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import dev.postern.ratelimit.queue.RoomRules;
import dev.postern.ratelimit.store.RoomKey;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Tests two nodes, one store and sessions that never pause: invariants that hold during every fault of the store. */
abstract class RedisFaults {

    static final RoomKey ROOM = new RoomKey(
            "site", "site", new RoomRules(5, 4_000_000, 3_000_000, 5_000_000, 1000, new Gcra(3_600_000_000L, 0)));

    private static final int ACTIVE = ROOM.rules().active();

    protected final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private final List<StoreNode> nodes = new ArrayList<>();
    private SessionSimulation sessions = new SessionSimulation(ROOM, 0);

    protected abstract StoreNode open();

    @BeforeEach
    void startTwoNodes() {
        nodes.add(open());
        nodes.add(open());
        nodes.forEach(node -> Awaitility.await().until(node.store()::healthy));
        sessions = new SessionSimulation(ROOM, 40);
        sessions.start(nodes, loops);
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> sessions.admissions() >= ACTIVE);
    }

    @AfterEach
    void stop() {
        sessions.stop();
        nodes.forEach(node -> node.store().close());
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    /** Expects that live passes pass, that each request gets a response, and that no new client is admitted. */
    protected void expectService(Duration outage) {
        long end = System.nanoTime() + outage.toNanos();
        long before = sessions.servedFromPasses();
        Awaitility.await().atMost(outage.plusSeconds(60)).until(() -> System.nanoTime() > end);
        assertThat(sessions.servedFromPasses()).isGreaterThan(before);
    }

    protected void expectRecovery() {
        long before = sessions.admissions();
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> sessions.admissions() >= before + 2L * ACTIVE);
        assertThat(sessions.peak()).as("sessions served at once").isLessThanOrEqualTo(ACTIVE);
        // A delay of the machine is not a delay of the store.
        assertThat(sessions.slowestMillis() - sessions.latestMillis())
                .as("slowest response")
                .isLessThan(1000);
        assertThat(sessions.pending()).isLessThan(100);
        assertThat(sessions.kinds()).contains(Kind.WAITING, Kind.ADMITTED);
    }
}
