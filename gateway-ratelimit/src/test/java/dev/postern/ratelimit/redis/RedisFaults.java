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

/** Two nodes, one store, a crowd that never stops asking: what must hold whatever becomes of the store. */
abstract class RedisFaults {

    static final RoomKey ROOM = new RoomKey(
            "site", "site", new RoomRules(5, 4_000_000, 3_000_000, 5_000_000, 1000, new Gcra(3_600_000_000L, 0)));

    private static final int ACTIVE = ROOM.rules().active();

    protected final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private final List<Node> nodes = new ArrayList<>();
    private Crowd crowd = new Crowd(ROOM, 0);

    protected abstract Node open();

    @BeforeEach
    void startTwoNodes() {
        nodes.add(open());
        nodes.add(open());
        nodes.forEach(node -> Awaitility.await().until(node.store()::healthy));
        crowd = new Crowd(ROOM, 40);
        crowd.start(nodes, loops);
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> crowd.admissions() >= ACTIVE);
    }

    @AfterEach
    void stop() {
        crowd.stop();
        nodes.forEach(node -> node.store().close());
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    /** Live passes pass, everybody is answered, nobody new gets in. */
    protected void expectService(Duration outage) {
        long end = System.nanoTime() + outage.toNanos();
        long before = crowd.servedFromPasses();
        Awaitility.await().atMost(outage.plusSeconds(60)).until(() -> System.nanoTime() > end);
        assertThat(crowd.servedFromPasses()).isGreaterThan(before);
    }

    protected void expectRecovery() {
        long before = crowd.admissions();
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> crowd.admissions() >= before + 2L * ACTIVE);
        assertThat(crowd.peak()).as("sessions served at once").isLessThanOrEqualTo(ACTIVE);
        // What a busy machine makes everybody wait is not the store's.
        assertThat(crowd.slowestMillis() - crowd.latestMillis())
                .as("slowest response")
                .isLessThan(1000);
        assertThat(crowd.unanswered()).isLessThan(100);
        assertThat(crowd.kinds()).contains(Kind.WAITING, Kind.ADMITTED);
    }
}
