package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.FaultLoad;
import dev.postern.core.testing.FaultyOrigin;
import dev.postern.core.testing.FaultyOrigin.Mode;
import dev.postern.core.testing.Http2Origin;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestPool;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Generates load on two servers that fail: servers of HTTP/1.1 that close, truncate, stall and are killed, and servers of HTTP/2 with few
 * streams and small windows that refuse, send GOAWAY, reset, stall and drop connections.
 */
@Tag("faults")
@ExtendWith(LeakExtension.class)
class UpstreamFaultsIT {

    private static final Logger LOG = LoggerFactory.getLogger(UpstreamFaultsIT.class);
    private static final int CONNECTIONS = 6;

    private final FaultLoad load = new FaultLoad();

    private static CoreGateway start(Setup setup, Duration patience) {
        return new CoreGateway(
                setup.loops(2).firstByte(patience).idle(patience).pool(TestPool.of(CONNECTIONS, 1024, 100)));
    }

    @AfterEach
    void close() {
        load.close();
    }

    @Test
    @Timeout(120)
    void noGetFailsWhenServersCloseIdleConnections() throws Exception {
        try (FaultyOrigin one = new FaultyOrigin(1);
                FaultyOrigin two = new FaultyOrigin(1_000_000);
                CoreGateway gateway = start(Setup.of(one.address(), two.address()), Duration.ofSeconds(30))) {
            one.mode(Mode.CLOSES_UNUSED);
            two.mode(Mode.CLOSES_UNUSED);
            load.run(gateway.port(), "body", 100, () -> {});
            LOG.info("closing: {}", load.outcomes());
            assertThat(load.wrong()).isEmpty();
            assertThat(load.outcomes()).doesNotContainKey("cut off");
            assertThat(load.outcomes().keySet().stream().filter(o -> o.startsWith("GET")))
                    .containsExactly("GET 200");
            assertNoPostTwice(one.posts(), two.posts());
            awaitIdlePools(gateway);
        }
    }

    @Test
    @Timeout(120)
    void noPostIsSentTwice() throws Exception {
        try (FaultyOrigin one = new FaultyOrigin(1);
                FaultyOrigin two = new FaultyOrigin(1_000_000);
                CoreGateway gateway = start(Setup.of(one.address(), two.address()), Duration.ofMillis(500))) {
            one.mode(Mode.BROKEN);
            two.mode(Mode.BROKEN);
            SplittableRandom lots = new SplittableRandom(7);
            load.run(gateway.port(), "body", 100, () -> {
                FaultyOrigin victim = lots.nextBoolean() ? one : two;
                victim.kill();
                TimeUnit.MILLISECONDS.sleep(lots.nextInt(300));
                victim.start();
                TimeUnit.MILLISECONDS.sleep(lots.nextInt(300));
            });
            assertBrokenButNoPostTwice(one.posts(), two.posts());
            one.mode(Mode.WELL);
            two.mode(Mode.WELL);
            awaitRecovery(gateway);
        }
    }

    @Test
    @Timeout(120)
    void noGetFailsWhenServersRefuseAndSendGoaway() throws Exception {
        try (Http2Origin one = new Http2Origin();
                Http2Origin two = new Http2Origin();
                CoreGateway gateway =
                        start(Setup.of(one.address(), two.address()).toHttp2(null), Duration.ofSeconds(10))) {
            one.refuses(true);
            two.refuses(true);
            SplittableRandom lots = new SplittableRandom(3);
            // Requests without bodies: a refused one is sent again, whatever its method.
            load.run(gateway.port(), "", 20, () -> {
                (lots.nextBoolean() ? one : two).goaway();
                TimeUnit.MILLISECONDS.sleep(150);
            });
            LOG.info("leaving: {}", load.outcomes());
            assertThat(load.wrong()).isEmpty();
            assertThat(load.outcomes()).containsOnlyKeys("GET 200", "POST 200");
            assertNoPostTwice(one.posts(), two.posts());
            awaitIdlePools(gateway);
        }
    }

    @Test
    @Timeout(120)
    void noRequestIsExecutedTwice() throws Exception {
        try (Http2Origin one = new Http2Origin();
                Http2Origin two = new Http2Origin();
                CoreGateway gateway =
                        start(Setup.of(one.address(), two.address()).toHttp2(null), Duration.ofMillis(500))) {
            for (Http2Origin origin : List.of(one, two)) {
                origin.refuses(true);
                origin.breaks(true);
            }
            SplittableRandom lots = new SplittableRandom(7);
            load.run(gateway.port(), "body", 20, () -> {
                Http2Origin victim = lots.nextBoolean() ? one : two;
                if (lots.nextBoolean()) {
                    victim.goaway();
                } else {
                    victim.drop();
                }
                TimeUnit.MILLISECONDS.sleep(lots.nextInt(200));
            });
            assertBrokenButNoPostTwice(one.posts(), two.posts());
            one.breaks(false);
            two.breaks(false);
            awaitRecovery(gateway);
        }
    }

    private void assertBrokenButNoPostTwice(Map<String, AtomicInteger> one, Map<String, AtomicInteger> two) {
        LOG.info("broken: {}", load.outcomes());
        assertThat(load.wrong()).isEmpty();
        assertThat(load.outcomes()).containsKeys("GET 200", "POST 200");
        assertNoPostTwice(one, two);
    }

    private static void assertNoPostTwice(Map<String, AtomicInteger> one, Map<String, AtomicInteger> two) {
        assertThat(one.values()).allMatch(times -> times.get() == 1);
        assertThat(two.values()).allMatch(times -> times.get() == 1);
        assertThat(one.keySet()).doesNotContainAnyElementsOf(two.keySet());
    }

    private static void awaitRecovery(CoreGateway gateway) {
        await().until(() -> {
            try (RawClient client = new RawClient(gateway.port())) {
                return client.get("/well").status() == 200;
            }
        });
        awaitIdlePools(gateway);
    }

    private static void awaitIdlePools(CoreGateway gateway) {
        await().untilAsserted(() -> {
            assertThat(gateway.gauge("postern.upstream.connections", "state", "open"))
                    .isEqualTo(gateway.upstream().idle())
                    .isLessThanOrEqualTo(CONNECTIONS);
            assertThat(gateway.gauge("postern.upstream.connections", "state", "pending"))
                    .isZero();
        });
    }
}
