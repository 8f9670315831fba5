package dev.postern.auth.spend.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.LedgerSettings.Client;
import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.SharedLedgerContract;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.SpendTraffic;
import dev.postern.core.testing.MemcachedExtension;
import dev.postern.core.testing.ServerProcess;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests three servers, two of which store each spend, while one of the three is unavailable. */
@Tag("faults")
class ReplicatedSpendsIT extends SharedLedgerContract {

    @RegisterExtension
    static final MemcachedExtension FIRST = new MemcachedExtension();

    @RegisterExtension
    static final MemcachedExtension SECOND = new MemcachedExtension();

    @RegisterExtension
    static final MemcachedExtension THIRD = new MemcachedExtension();

    /** Returns the client of this suite. */
    protected Client client() {
        return Client.SPYMEMCACHED;
    }

    @Override
    protected LedgerSettings settings(Duration deadline) {
        return MemcachedTestSettings.of(
                deadline,
                MemcachedTestSettings.servers(
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
    protected int copies() {
        return 2;
    }

    @Override
    @Test
    protected void isHealthy() {
        assertThat(ledger.health().healthy()).isTrue();
        assertThat(ledger.health().stores()).hasSize(3);
    }

    @Test
    void storesEverySpendOnTwoServers() {
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
    void continuesWithoutAServerAndKeepsAllSpends() {
        byte[] all = ledger.epoch();
        List<Redemption> spent = spend(30);

        SECOND.server().kill();
        Awaitility.await().untilAsserted(() -> assertThat(ledger.epoch()).isNotEqualTo(all));
        List<Redemption> alone = spend(30);
        assertAllSpent(spent, alone);

        SECOND.server().start();
        byte[] without = ledger.epoch();
        Awaitility.await().untilAsserted(() -> assertThat(ledger.epoch()).isNotEqualTo(without));
        assertAllSpent(spent, alone, spend(30));
        assertThat(ledger.epoch()).as("it restarted empty").isNotEqualTo(all);
    }

    @Test
    void challengesStayValidWhenAServerFreezes() {
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
        assertAllSpent(spent, alone);
        spend(20);
    }

    @Test
    void aGatewayThatStartsDuringAnOutageAgreesWithTheOthers() {
        Awaitility.await().until(() -> MemcachedText.holdsRegister(FIRST.server(), "test"));
        byte[] all = ledger.epoch();
        SECOND.server().freeze();
        try (SpendLedger late = open("test", Duration.ofSeconds(5), new SimpleMeterRegistry())) {
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
    void acceptsNothingTwiceWhileServersRestart() {
        try (SpendLedger one = open(SpendTraffic.DEADLINE);
                SpendLedger other = open(SpendTraffic.DEADLINE);
                SpendTraffic traffic = new SpendTraffic(LOOPS, one, other)) {
            traffic.awaitPassing("start");
            for (ServerProcess server : List.of(FIRST.server(), THIRD.server())) {
                server.kill();
                traffic.awaitUnknown(20);
                traffic.awaitPassing("kill");
                server.start();
                traffic.awaitPassing("start of the killed one");
            }
            traffic.assertKept();
        }
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
    private void assertAllSpent(List<Redemption>... spent) {
        for (List<Redemption> tokens : spent) {
            tokens.forEach(token -> assertThat(LOOPS.spend(ledger, token)).isNotEqualTo(SpendResult.FRESH));
        }
    }
}
