package dev.postern.auth.spend.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.SpendLedgers;
import dev.postern.auth.spend.LedgerEnvironment;
import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.LedgerSettings.Client;
import dev.postern.auth.spend.Loops;
import dev.postern.auth.spend.PendingSpend;
import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.auth.spend.SpendLedgerContract;
import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.Traffic;
import dev.postern.core.testing.MemcachedExtension;
import dev.postern.core.testing.ServerProcess;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two of three servers remember each spend, and one of the three goes away. */
@Tag("faults")
class CopiesIT extends SpendLedgerContract {

    @RegisterExtension
    static final MemcachedExtension FIRST = new MemcachedExtension();

    @RegisterExtension
    static final MemcachedExtension SECOND = new MemcachedExtension();

    @RegisterExtension
    static final MemcachedExtension THIRD = new MemcachedExtension();

    private static final AtomicLong SEEDS = new AtomicLong();

    @Override
    protected SpendLedger open(MeterRegistry meters, InstantSource source) {
        return open(Duration.ofSeconds(5), meters, source);
    }

    private SpendLedger open(Duration deadline, MeterRegistry meters, InstantSource source) {
        SpendLedger opened =
                SpendLedgers.open(settings(deadline), new LedgerEnvironment("test", meters, source, LOOPS.all()));
        Awaitility.await()
                .until(() -> opened.health().stores().values().stream()
                                .filter(state -> state.startsWith("verified"))
                                .count()
                        >= 2);
        return opened;
    }

    /** Who talks to the servers in this suite. */
    protected Client client() {
        return Client.SPYMEMCACHED;
    }

    private LedgerSettings settings(Duration deadline) {
        return Patient.of(
                deadline,
                Patient.servers(
                        client(), List.of(FIRST.address(), SECOND.address(), THIRD.address()), 2, 1, List.of()));
    }

    @AfterEach
    void startAll() {
        for (MemcachedExtension each : List.of(FIRST, SECOND, THIRD)) {
            if (!each.server().started()) {
                each.server().start();
            }
        }
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
        // On both servers.
        Awaitility.await().untilAsserted(() -> assertThat(events("given-back")).isEqualTo(2 * count));
    }

    @Override
    @Test
    protected void isHealthy() {
        assertThat(ledger.health().healthy()).isTrue();
        assertThat(ledger.health().stores()).hasSize(3);
    }

    @Test
    void everySpendIsOnTwoServers() {
        for (int i = 0; i < 30; i++) {
            Redemption token = tokens.issuedBy(ledger);
            assertThat(LOOPS.spend(ledger, token)).isEqualTo(SpendResult.FRESH);
            long holding = List.of(FIRST, SECOND, THIRD).stream()
                    .filter(each -> MemcachedText.holds(each.server(), "test", token.key()))
                    .count();
            assertThat(holding).isEqualTo(2);
        }
    }

    @Test
    void hasOneWinnerOverTwoGateways() {
        try (SpendLedger other = open(new SimpleMeterRegistry(), clock())) {
            assertThat(other.epoch()).isEqualTo(ledger.epoch());
            for (int round = 0; round < 20; round++) {
                Redemption token = tokens.issuedBy(ledger);
                List<CompletableFuture<PendingSpend>> callers = new ArrayList<>();
                for (int i = 0; i < 64; i++) {
                    callers.add(LOOPS.begin(i % 2 == 0 ? ledger : other, token));
                }

                assertThat(callers.stream().map(c -> Loops.await(c).result()))
                        .filteredOn(SpendResult.FRESH::equals)
                        .hasSize(1);
            }
        }
    }

    @Test
    void goesOnWithoutAServerAndForgetsNothingThatWasSpent() {
        byte[] all = ledger.epoch();
        List<Redemption> spent = spend(30);

        SECOND.server().kill();
        Awaitility.await().untilAsserted(() -> assertThat(ledger.epoch()).isNotEqualTo(all));
        List<Redemption> alone = spend(30);
        nothingPassesTwice(spent, alone);

        SECOND.server().start();
        byte[] without = ledger.epoch();
        Awaitility.await().untilAsserted(() -> assertThat(ledger.epoch()).isNotEqualTo(without));
        nothingPassesTwice(spent, alone, spend(30));
        assertThat(ledger.epoch()).as("it came back empty").isNotEqualTo(all);
    }

    @Test
    void aFrozenServerComesBackWithTheSameChallenges() {
        byte[] all = ledger.epoch();
        List<Redemption> spent = spend(20);
        List<Redemption> alone;
        THIRD.server().freeze();
        try {
            Awaitility.await().untilAsserted(() -> assertThat(ledger.epoch()).isNotEqualTo(all));
            alone = spend(20);
        } finally {
            THIRD.server().thaw();
        }
        Awaitility.await().untilAsserted(() -> assertThat(ledger.epoch()).isEqualTo(all));
        nothingPassesTwice(spent, alone);
        spend(20);
    }

    @Test
    void aGatewayThatStartsWhileAServerIsAwayAgreesWithTheOthers() {
        Awaitility.await().until(() -> MemcachedText.holdsRegister(FIRST.server(), "test"));
        byte[] all = ledger.epoch();
        SECOND.server().freeze();
        try (SpendLedger late = open(new SimpleMeterRegistry(), clock())) {
            Awaitility.await()
                    .untilAsserted(() ->
                            assertThat(late.epoch()).isEqualTo(ledger.epoch()).isNotEqualTo(all));
            for (int i = 0; i < 10; i++) {
                Redemption token = tokens.issuedBy(late);
                assertThat(LOOPS.spend(ledger, token)).isEqualTo(SpendResult.FRESH);
                assertThat(LOOPS.spend(late, token)).isEqualTo(SpendResult.SPENT);
            }
        } finally {
            SECOND.server().thaw();
        }
    }

    @Test
    void acceptsNothingTwiceWhileServersComeAndGo() {
        Duration deadline = Duration.ofMillis(300);
        try (SpendLedger one = open(deadline, new SimpleMeterRegistry(), clock());
                SpendLedger other = open(deadline, new SimpleMeterRegistry(), clock());
                Traffic traffic = new Traffic(LOOPS, one, other)) {
            awaitPassing(traffic);
            for (ServerProcess server : List.of(FIRST.server(), THIRD.server())) {
                server.kill();
                int before = traffic.unknown();
                Awaitility.await().until(() -> traffic.unknown() - before >= 20);
                awaitPassing(traffic);
                server.start();
                awaitPassing(traffic);
            }
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

    private List<Redemption> spend(int count) {
        List<Redemption> spent = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Redemption token = tokens.issuedBy(ledger);
            assertThat(LOOPS.spend(ledger, token)).isEqualTo(SpendResult.FRESH);
            spent.add(token);
        }
        return spent;
    }

    @SafeVarargs
    private void nothingPassesTwice(List<Redemption>... spent) {
        for (List<Redemption> tokens : spent) {
            tokens.forEach(token -> assertThat(LOOPS.spend(ledger, token)).isNotEqualTo(SpendResult.FRESH));
        }
    }
}
