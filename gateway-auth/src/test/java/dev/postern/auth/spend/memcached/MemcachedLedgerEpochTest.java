package dev.postern.auth.spend.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.LedgerSettings.Client;
import dev.postern.auth.spend.LedgerSettings.WhenForgotten;
import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.store.EpochState;
import dev.postern.core.testing.KeyDefaults;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the effect of the epoch and of the number of copies on the servers that decide. */
class MemcachedLedgerEpochTest {

    private static final Instant NOW = Instant.parse("2026-11-20T10:00:00Z");
    private static final List<String> TWO = List.of("127.0.0.1:11211", "127.0.0.2:11211");

    private final MockTicker ticker = Ticker.newMockTicker();
    private final MemcachedFixture fixture = new MemcachedFixture(2, ticker);
    private final Map<String, FakeMemcachedConnection> connections = new HashMap<>();

    @AfterEach
    void close() {
        fixture.close();
    }

    @ParameterizedTest
    @CsvSource({"1, false", "2, true"})
    void leavesAServerOutOnlyWhenAnotherHasACopy(int copies, boolean leftOut) {
        MemcachedLedger ledger = open(copies, WhenForgotten.ROLL);
        connection(1).connection().marker(null);

        ledger.servers().maintain(0);
        ledger.servers().maintain(ServerAvailability.UNAVAILABLE_NANOS);

        assertThat(ledger.state().view().leftOut()).containsExactly(false, leftOut);
    }

    @ParameterizedTest
    @EnumSource(
            value = WhenForgotten.class,
            names = {"REFUSE", "ACCEPT"})
    void sendsATokenThatHasAnEpochWhenChallengesHaveNone(WhenForgotten whenForgotten) {
        MemcachedLedger ledger = open(2, whenForgotten);
        Redemption earlier = new Redemption(fixture.token().key(), NOW.plusSeconds(600), new byte[] {1});

        ledger.spend(earlier, fixture.channel.eventLoop(), fixture.responses::add);

        assertThat(fixture.responses).as("waits for a server").isEmpty();
        int first = ledger.servers().owners(earlier.key(), 2)[0];
        assertThat(connection(first).spends).hasSize(1);
    }

    /** Opens a ledger whose servers are verified. */
    private MemcachedLedger open(int copies, WhenForgotten whenForgotten) {
        LedgerSettings defaults =
                MemcachedTestSettings.of(MemcachedTestSettings.servers(Client.NETTY, TWO, copies, 1, List.of()));
        LedgerSettings settings = KeyDefaults.with(defaults, Map.of("whenForgotten", whenForgotten));
        EpochState state = new EpochState(2, whenForgotten, () -> NOW);
        MemcachedLedger ledger = new MemcachedLedger(
                settings,
                fixture.resources(state),
                fixture.encoding,
                () -> NOW,
                new FakeMemcachedConnections(connections));
        ledger.servers().maintain(ticker.nanoTime());
        for (int server = 0; server < 2; server++) {
            state.observed(server, MemcachedFixture.MARKER);
            connection(server).ticker = ticker;
            connection(server).connection().marker(MemcachedFixture.MARKER);
        }
        return ledger;
    }

    private FakeMemcachedConnection connection(int server) {
        return Objects.requireNonNull(connections.get("127.0.0." + (server + 1)));
    }
}
