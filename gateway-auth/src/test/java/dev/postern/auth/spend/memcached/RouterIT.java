package dev.postern.auth.spend.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.SpendLedgers;
import dev.postern.auth.spend.LedgerEnvironment;
import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.LedgerSettings.Client;
import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.auth.spend.SpendLedgerContract;
import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.Traffic;
import dev.postern.core.testing.MemcachedExtension;
import dev.postern.core.testing.ServerProcess;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The ledger through a proxying router (twemproxy), with the two servers behind it in {@code stats-servers}. */
@Tag("faults")
class RouterIT extends SpendLedgerContract {

    @RegisterExtension
    static final MemcachedExtension FIRST = new MemcachedExtension();

    @RegisterExtension
    static final MemcachedExtension SECOND = new MemcachedExtension();

    private static final AtomicLong SEEDS = new AtomicLong();

    @TempDir
    static Path folder;

    private static ServerProcess router;

    @BeforeAll
    static void startRouter() throws IOException {
        int port = ServerProcess.freePort();
        Path configuration = Files.writeString(
                folder.resolve("nutcracker.yml"), """
                pool:
                  listen: 127.0.0.1:%d
                  hash: fnv1a_64
                  distribution: ketama
                  auto_eject_hosts: false
                  timeout: 400
                  servers:
                    - %s:1
                    - %s:1
                """.formatted(port, FIRST.address(), SECOND.address()));
        router = ServerProcess.nutcracker(port, configuration);
        router.start();
    }

    @AfterAll
    static void stopRouter() {
        router.close();
    }

    @Override
    protected SpendLedger open(MeterRegistry meters, InstantSource source) {
        return open(Duration.ofSeconds(10), meters, source);
    }

    /** Who talks to the servers in this suite. */
    protected Client client() {
        return Client.SPYMEMCACHED;
    }

    private SpendLedger open(Duration deadline, MeterRegistry meters, InstantSource source) {
        List<String> behind = List.of(FIRST.address(), SECOND.address());
        LedgerSettings settings =
                Patient.of(deadline, Patient.servers(client(), List.of(router.address()), 1, 1, behind));
        SpendLedger opened = SpendLedgers.open(settings, new LedgerEnvironment("test", meters, source, LOOPS.all()));
        Awaitility.await().until(() -> opened.health().healthy());
        return opened;
    }

    @Override
    protected InstantSource clock() {
        return InstantSource.system();
    }

    @Override
    protected long seed() {
        return SEEDS.incrementAndGet();
    }

    @Override
    protected void awaitGivenBack(int count) {
        Awaitility.await().untilAsserted(() -> assertThat(events("given-back")).isEqualTo(count));
    }

    @Override
    @Test
    protected void isHealthy() {
        assertThat(ledger.health().healthy()).isTrue();
        assertThat(ledger.health().stores()).containsKeys(router.address(), FIRST.address(), SECOND.address());
    }

    @Test
    void spreadsTokensOverTheServersBehindIt() {
        int first = 0;
        for (int i = 0; i < 40; i++) {
            Redemption token = tokens.issuedBy(ledger);
            assertThat(LOOPS.spend(ledger, token)).isEqualTo(SpendResult.FRESH);
            first += MemcachedText.holds(FIRST.server(), "test", token.key()) ? 1 : 0;
        }
        assertThat(first).isBetween(1, 39);
    }

    @Test
    void noticesThatAServerBehindItForgot() {
        byte[] before = ledger.epoch();
        Redemption spent = tokens.issuedBy(ledger);
        assertThat(LOOPS.spend(ledger, spent)).isEqualTo(SpendResult.FRESH);

        SECOND.server().restartEmpty();

        Awaitility.await().untilAsserted(() -> assertThat(ledger.epoch()).isNotEqualTo(before));
        assertThat(LOOPS.spend(ledger, spent)).isNotEqualTo(SpendResult.FRESH);
        Awaitility.await().until(() -> LOOPS.spend(ledger, tokens.issuedBy(ledger)) == SpendResult.FRESH);
    }

    @Test
    void acceptsNothingTwiceWhileServersBehindItRestartEmpty() {
        Duration deadline = Duration.ofMillis(300);
        try (SpendLedger one = open(deadline, new SimpleMeterRegistry(), clock());
                SpendLedger other = open(deadline, new SimpleMeterRegistry(), clock());
                Traffic traffic = new Traffic(LOOPS, one, other)) {
            awaitPassing(traffic);
            for (ServerProcess server : List.of(FIRST.server(), SECOND.server(), FIRST.server())) {
                server.restartEmpty();
                awaitPassing(traffic);
            }
            router.kill();
            router.start();
            awaitPassing(traffic);
            traffic.stop();
            Awaitility.await()
                    .untilAsserted(() -> assertThat(traffic.responded()).isEqualTo(traffic.asked()));
            assertThat(traffic.thrown()).isEmpty();
            assertThat(traffic.doubles()).isEmpty();
            assertThat(traffic.accepted()).isGreaterThan(100);
        }
    }

    private static void awaitPassing(Traffic traffic) {
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(traffic::passes);
    }
}
