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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests the ledger through a proxying router (twemproxy), with the two servers behind it in {@code stats-servers}. */
@Tag("faults")
class RouterIT extends SharedLedgerContract {

    @RegisterExtension
    static final MemcachedExtension FIRST = new MemcachedExtension();

    @RegisterExtension
    static final MemcachedExtension SECOND = new MemcachedExtension();

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

    /** Returns the client of this suite. */
    protected Client client() {
        return Client.SPYMEMCACHED;
    }

    @Override
    protected LedgerSettings settings(Duration deadline) {
        List<String> statsServers = List.of(FIRST.address(), SECOND.address());
        return MemcachedTestSettings.of(
                deadline, MemcachedTestSettings.servers(client(), List.of(router.address()), 1, 1, statsServers));
    }

    @Override
    @Test
    protected void isHealthy() {
        assertThat(ledger.health().healthy()).isTrue();
        assertThat(ledger.health().stores()).containsKeys(router.address(), FIRST.address(), SECOND.address());
    }

    @Test
    void distributesTokensOverTheServersBehindIt() {
        int first = 0;
        for (int i = 0; i < 40; i++) {
            Redemption token = tokens.issuedBy(ledger);
            assertThat(LOOPS.spend(ledger, token)).isEqualTo(SpendResult.FRESH);
            first += MemcachedText.holds(FIRST.server(), "test", token.key()) ? 1 : 0;
        }
        assertThat(first).isBetween(1, 39);
    }

    @Test
    void detectsThatAServerBehindItLostItsData() {
        byte[] oldEpoch = ledger.epoch();
        Redemption spent = tokens.issuedBy(ledger);
        assertThat(LOOPS.spend(ledger, spent)).isEqualTo(SpendResult.FRESH);

        SECOND.server().restartEmpty();

        Awaitility.await().untilAsserted(() -> assertThat(ledger.epoch()).isNotEqualTo(oldEpoch));
        assertThat(LOOPS.spend(ledger, spent)).isNotEqualTo(SpendResult.FRESH);
        Awaitility.await().until(() -> LOOPS.spend(ledger, tokens.issuedBy(ledger)) == SpendResult.FRESH);
    }

    @Test
    void acceptsNothingTwiceWhileServersBehindItRestartEmpty() {
        try (SpendLedger one = open(SpendTraffic.DEADLINE);
                SpendLedger other = open(SpendTraffic.DEADLINE);
                SpendTraffic traffic = new SpendTraffic(LOOPS, one, other)) {
            traffic.awaitPassing("start");
            for (ServerProcess server : List.of(FIRST.server(), SECOND.server(), FIRST.server())) {
                server.restartEmpty();
                traffic.awaitPassing("restart empty");
            }
            router.kill();
            router.start();
            traffic.awaitPassing("restart of the router");
            traffic.assertKept();
        }
    }
}
