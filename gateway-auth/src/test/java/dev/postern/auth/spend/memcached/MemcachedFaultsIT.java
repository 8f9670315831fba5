package dev.postern.auth.spend.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.SpendLedgers;
import dev.postern.auth.spend.LedgerEnvironment;
import dev.postern.auth.spend.LedgerSettings.Client;
import dev.postern.auth.spend.Loops;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.auth.spend.Traffic;
import dev.postern.core.testing.MemcachedExtension;
import dev.postern.core.testing.ServerProcess;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Two gateways on one memcached that is killed, frozen, cut off and restarted empty under load. */
@Tag("faults")
class MemcachedFaultsIT {

    @RegisterExtension
    static final MemcachedExtension MEMCACHED = new MemcachedExtension();

    @RegisterExtension
    static final Loops LOOPS = new Loops();

    private static final Logger LOG = LoggerFactory.getLogger(MemcachedFaultsIT.class);

    /** Longer than the default, since eight builds may share this machine; what is counted doesn't depend on it. */
    private static final Duration DEADLINE = Duration.ofMillis(300);

    private SpendLedger one;
    private SpendLedger other;
    private TcpProxy proxy;
    private Traffic traffic;

    @BeforeEach
    void begin() {
        proxy = new TcpProxy(server());
        one = open(MEMCACHED.address());
        other = open(MEMCACHED.address());
        traffic = new Traffic(LOOPS, one, other);
        awaitPassing("start");
    }

    @AfterEach
    void end() {
        traffic.close();
        one.close();
        other.close();
        proxy.close();
    }

    @Test
    void acceptsNothingTwiceWhenTheServerRestartsEmpty() {
        byte[] before = one.epoch();
        for (int i = 0; i < 3; i++) {
            server().restartEmpty();
            awaitPassing("restart empty");
        }

        assertThat(one.epoch()).isNotEqualTo(before).isEqualTo(other.epoch());
        assertKept();
    }

    @Test
    void acceptsNothingTwiceWhenTheServerIsKilledAndComesBackLater() {
        server().kill();
        awaitUnknown(500);

        server().start();

        awaitPassing("kill and start");
        assertKept();
    }

    @Test
    void acceptsNothingTwiceWhenTheServerFreezes() {
        byte[] before = one.epoch();
        for (int i = 0; i < 2; i++) {
            server().freeze();
            awaitUnknown(500);
            server().thaw();
            awaitPassing("freeze and thaw");
        }

        assertThat(one.epoch()).isEqualTo(before).isEqualTo(other.epoch());
        assertKept();
    }

    @Test
    void acceptsNothingTwiceWhenTheServerFreezesAndIsThenRestartedEmpty() {
        byte[] before = one.epoch();
        server().freeze();
        awaitUnknown(2_000);

        server().restartEmpty();

        awaitPassing("freeze and restart empty");
        assertThat(one.epoch()).isNotEqualTo(before).isEqualTo(other.epoch());
        assertKept();
    }

    @Test
    void changesNothingWhenOnlyTheConnectionBreaks() {
        byte[] before = one.epoch();
        try (SpendLedger third = open(proxy.address());
                Traffic more = new Traffic(LOOPS, third)) {
            // It knows the server by another name, but the mark is the server's.
            byte[] itsEpoch = third.epoch();
            awaitPassing(more, "start over the proxy");
            proxy.cut();
            awaitPassing(more, "cut");

            assertThat(third.epoch()).isEqualTo(itsEpoch).isEqualTo(before);
            more.stop();
            assertResponded(more);
        }
        assertKept();
    }

    /** Nothing twice, all answered, none much later than the deadline. */
    private void assertKept() {
        traffic.stop();
        assertResponded(traffic);
        LOG.info("{} spends, {} accepted, {} unknown", traffic.asked(), traffic.accepted(), traffic.unknown());
    }

    private static void assertResponded(Traffic of) {
        assertThat(of.thrown()).isEmpty();
        Awaitility.await().untilAsserted(() -> assertThat(of.responded()).isEqualTo(of.asked()));
        assertThat(of.doubles()).isEmpty();
        assertThat(of.accepted()).isGreaterThan(100);
        assertThat(of.late()).isZero();
    }

    private void awaitPassing(String after) {
        awaitPassing(traffic, after);
    }

    private static void awaitPassing(Traffic of, String after) {
        long start = System.nanoTime();
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(of::passes);
        LOG.info("99 of 100 pass {} ms after {}", (System.nanoTime() - start) / 1_000_000, after);
    }

    private void awaitUnknown(int count) {
        int before = traffic.unknown();
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> traffic.unknown() - before >= count);
    }

    private static ServerProcess server() {
        return MEMCACHED.server();
    }

    /** Who talks to the servers in this suite. */
    protected Client client() {
        return Client.SPYMEMCACHED;
    }

    private SpendLedger open(String address) {
        return SpendLedgers.open(
                Patient.of(client(), DEADLINE, address),
                new LedgerEnvironment("test", new SimpleMeterRegistry(), InstantSource.system(), LOOPS.all()));
    }
}
