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
    private static final int SESSIONS = 40;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    protected final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private final List<StoreNode> nodes = new ArrayList<>();
    private SessionSimulation sessions = new SessionSimulation(ROOM, 0);

    protected abstract StoreNode open();

    @BeforeEach
    void startTwoNodes() {
        nodes.add(open());
        nodes.add(open());
        nodes.forEach(node -> Awaitility.await().until(node.store()::healthy));
        sessions = new SessionSimulation(ROOM, SESSIONS);
        sessions.start(nodes, loops);
        Awaitility.await().until(() -> sessions.admissions() >= ACTIVE);
        // A node that never heard from the room may be the first at an empty Redis; this is the case that docs/adr/0026
        // does not cover.
        nodes.forEach(
                node -> Awaitility.await().until(() -> node.store().known(ROOM).epoch() != 0));
    }

    /** Waits until a session has just got its pass, which then lasts for a while. */
    protected void awaitFreshPass() {
        long before = sessions.admissions();
        Awaitility.await().until(() -> sessions.admissions() > before);
    }

    @AfterEach
    void stop() {
        sessions.stop();
        try {
            Awaitility.await()
                    .untilAsserted(() -> assertThat(sessions.pending())
                            .as("requests without a response")
                            .isZero());
        } finally {
            nodes.forEach(node -> node.store().close());
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }

    /** Lets an outage last; expects that live passes pass meanwhile, and that each session gets responses. */
    protected void expectService(Duration outage) {
        long end = System.nanoTime() + outage.toNanos();
        long before = sessions.servedFromPasses();
        long responded = sessions.responded();
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> System.nanoTime() - end > 0
                        && sessions.servedFromPasses() > before
                        && sessions.responded() - responded > 2 * SESSIONS);
    }

    /** Returns what the nodes say of their Redis. */
    protected String states() {
        return nodes.stream()
                .map(node -> node.store().stores().toString())
                .toList()
                .toString();
    }

    /** Returns the number of requests with a response of the store. */
    protected long requests() {
        return sessions.responded();
    }

    /** Returns the number of requests that the store did not decide. */
    protected long unknown() {
        return sessions.unknown();
    }

    protected void expectRecovery() {
        long before = sessions.admissions();
        Awaitility.await().atMost(PATIENCE).until(() -> sessions.admissions() >= before + 2L * ACTIVE);
        assertThat(sessions.peak()).as("sessions served at once").isLessThanOrEqualTo(ACTIVE);
        assertThat(sessions.kinds()).contains(Kind.WAITING, Kind.ADMITTED);
    }
}
