package dev.postern.app.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.MemcachedExtension;
import dev.postern.core.testing.RedisExtension;
import dev.postern.core.testing.TestOrigin;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tests the rolling update of docker/kubernetes with processes: two gateways with one ledger and one Redis behind a load balancer, under
 * visits with tokens. Each is replaced in turn: the new one is ready first, then the old one gets SIGTERM.
 */
@Tag("faults")
@Tag("long")
class TokenRollingRestartIT {

    private static final Logger LOG = LoggerFactory.getLogger(TokenRollingRestartIT.class);
    private static final int CLIENTS = 6;
    private static final int VISITS_BETWEEN = 200;

    @RegisterExtension
    static final MemcachedExtension MEMCACHED = new MemcachedExtension();

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    @TempDir
    private Path folder;

    private final TestOrigin origin = new TestOrigin();
    private final Deque<GatewayProcess> replicas = new ArrayDeque<>();
    private int started;

    @AfterEach
    void stop() {
        replicas.forEach(GatewayProcess::close);
        origin.close();
    }

    private GatewayProcess replica(Path ring) throws IOException {
        String ledger = "{store: memcached, deadline: 5s, memcached: {servers: [\"" + MEMCACHED.address() + "\"]}}";
        String yaml = Replicas.yaml(3, ring, origin.address(), ledger)
                        .replace("drain-delay: 0s, drain-timeout: 5s", "drain-delay: 3s, drain-timeout: 10s")
                        .replace("token: required}", "token: required, rate-limit: all}")
                + "redis: {uri: \"redis://" + REDIS.address() + "\", deadline: 5s}\n"
                + "rate-limits:\n  - {name: all, rate: 100000/s, burst: 100000, per: route, store: redis}\n";
        GatewayProcess replica = new GatewayProcess("replica-" + started++, yaml, folder).awaitReady();
        replicas.addLast(replica);
        return replica;
    }

    @Test
    void failsNoRequestAndAcceptsNoTokenTwice() throws Exception {
        Path ring = Replicas.ring(folder);
        try (HaproxyBalancer balancer = new HaproxyBalancer(folder)) {
            balancer.add(replica(ring));
            balancer.add(replica(ring));
            TokenVisits visits = new TokenVisits(balancer.port(), CLIENTS);
            try (visits) {
                awaitMore(visits);
                for (int i = 0; i < 2; i++) {
                    balancer.add(replica(ring));
                    GatewayProcess old = replicas.removeFirst();
                    old.terminate();
                    assertThat(old.exitValue()).as(old.log()).isZero();
                    awaitMore(visits);
                }
            }
            LOG.info("{} tokens accepted, {} offered again", visits.accepted(), visits.replayed());
            assertThat(visits.failures()).isEmpty();
            assertThat(visits.acceptedTwice()).isZero();
            assertThat(origin.received()).hasSize((int) visits.accepted());
        }
    }

    private static void awaitMore(TokenVisits visits) {
        long before = visits.accepted();
        Awaitility.await()
                .atMost(60, TimeUnit.SECONDS)
                .until(() -> visits.accepted() >= before + VISITS_BETWEEN
                        || !visits.failures().isEmpty());
    }
}
