package dev.postern.app.replica;

import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RedisExtension;
import dev.postern.core.testing.TestOrigin;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.SoftAssertions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tests two gateway processes that share a room and lose Redis for longer than an absence, an idle time and a pass: an outage counts neither
 * as silence nor as absence.
 */
@Tag("faults")
@Tag("long")
class RoomOutageIT {

    private static final Logger LOG = LoggerFactory.getLogger(RoomOutageIT.class);
    private static final int ACTIVE = 3;
    private static final int PEOPLE = 30;
    private static final long PASS_MILLIS = 4_000;

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    @TempDir
    private Path folder;

    private final Map<String, long[]> sessions = new HashMap<>();
    private final TestOrigin origin = new TestOrigin();
    private final RoomClients clients = new RoomClients(PASS_MILLIS, 1_000, 3_000);

    @AfterEach
    void close() throws InterruptedException {
        clients.disperse();
        origin.close();
    }

    private String yaml() throws IOException {
        return """
                instance: {namespace: outage, replicas: 2}
                secrets: {ring-file: "%s"}
                listeners:
                  - {name: web, address: "127.0.0.1:{port}", congestion-control: reno}
                admin: {address: "127.0.0.1:{admin}"}
                lifecycle: {drain-delay: 0s, drain-timeout: 5s}
                overload: {loop-lag: {shed-above: 0}}
                redis: {uri: "redis://%s", deadline: 500ms}
                rate-limits:
                  - name: site
                    rate: 1/h
                    burst: 0
                    store: redis
                    fair-queue: {active-sessions: %d, pass: %dms, idle: 1s, absence: 3s}
                upstreams:
                  - {name: app, endpoints: ["%s"], congestion-control: reno}
                routes:
                  - {upstream: app, token: off, rate-limit: site}
                """.formatted(Replicas.ring(folder), REDIS.address(), ACTIVE, PASS_MILLIS, origin.address());
    }

    private static boolean served(GatewayProcess gateway) {
        try (RawClient client = new RawClient(gateway.port())) {
            return client.get("/base").status() == 200;
        }
    }

    /** Returns the maximum number of sessions between their first and last request at the origin, at any time. */
    private synchronized int peak() {
        List<long[]> changes = new ArrayList<>();
        sessions.values().forEach(span -> {
            changes.add(new long[] {span[0], 1});
            changes.add(new long[] {span[1], -1});
        });
        changes.sort((a, b) -> a[0] != b[0] ? Long.compare(a[0], b[0]) : Long.compare(b[1], a[1]));
        int current = 0;
        int peak = 0;
        for (long[] change : changes) {
            current += (int) change[1];
            peak = Math.max(peak, current);
        }
        return peak;
    }

    private synchronized void note(String session) {
        long now = System.nanoTime();
        sessions.computeIfAbsent(session, first -> new long[] {now, now})[1] = now;
    }

    @Test
    void keepsOrderPassesAndLimit() throws Exception {
        origin.behave((request, socket) -> {
            note(request.line());
            TestOrigin.Behaviour.ok("served").response(request, socket);
        });
        try (GatewayProcess one = new GatewayProcess(folder, "one", yaml()).awaitReady();
                GatewayProcess two = new GatewayProcess(folder, "two", yaml()).awaitReady()) {
            // One request uses up the rate, one on each gateway gets a pass: both have the state of the room.
            Awaitility.await().until(() -> served(one) && served(two) && served(one));
            for (int i = 0; i < PEOPLE; i++) {
                clients.arrive((i % 2 == 0 ? one : two).port());
            }
            awaitServed(ACTIVE);
            REDIS.server().freeze();
            TimeUnit.SECONDS.sleep(5); // an outage of that length, whatever happens during it
            REDIS.server().thaw();
            awaitServed(3 * ACTIVE);
            REDIS.server().kill();
            TimeUnit.SECONDS.sleep(8);
            REDIS.server().start();
            Awaitility.await().atMost(2, TimeUnit.MINUTES).until(clients::allLeft);
        }
        int peak = peak();
        LOG.info(
                "tau {}, overtakers {}, absent {}, {} of {} requests of live passes, peak {} of {}, order {}",
                clients.tau(),
                clients.overtakers(),
                clients.absent(),
                clients.kept(),
                clients.livePassRequests(),
                peak,
                ACTIVE,
                clients.served());
        SoftAssertions.assertSoftly(all -> {
            all.assertThat(clients.served()).hasSize(PEOPLE - clients.absent()).hasSizeGreaterThan(PEOPLE / 2);
            all.assertThat(clients.tau()).as("order").isGreaterThanOrEqualTo(0.9);
            all.assertThat(clients.overtakers())
                    .as("no ticket loses its position")
                    .isLessThan(2 * ACTIVE);
            all.assertThat((double) clients.kept() / clients.livePassRequests())
                    .as("requests with live passes that were served")
                    .isGreaterThanOrEqualTo(0.95);
            all.assertThat(peak).as("concurrent sessions").isLessThanOrEqualTo(ACTIVE);
        });
    }

    private void awaitServed(int people) {
        Awaitility.await()
                .atMost(1, TimeUnit.MINUTES)
                .until(() -> clients.served().size() >= people);
    }
}
