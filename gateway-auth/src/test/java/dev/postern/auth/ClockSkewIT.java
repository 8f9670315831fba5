package dev.postern.auth;

import static dev.postern.auth.testing.TestExchange.REVERSE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.LedgerEnvironment;
import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.SpendEventLoops;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.testing.TestExchange;
import dev.postern.auth.testing.TestSettings;
import dev.postern.auth.testing.TokenMint;
import dev.postern.core.config.HostPort;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.http.FieldName;
import dev.postern.core.route.Route;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.testing.ManualClock;
import dev.postern.core.testing.MemcachedExtension;
import dev.postern.core.testing.StageChannel;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tests two gateways with one ring and one memcached, whose clocks differ by 20 s: each accepts the tokens for the other's challenges, once.
 */
class ClockSkewIT {

    @RegisterExtension
    static final MemcachedExtension MEMCACHED = new MemcachedExtension();

    @RegisterExtension
    static final SpendEventLoops LOOPS = new SpendEventLoops();

    private static final Duration SKEW = Duration.ofSeconds(20);
    private static final Duration STEP = Duration.ofSeconds(7);
    private static final Route ROUTE = TestExchange.route("*/", Route.Token.REQUIRED, null);
    private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");

    private final KeyRing ring = KeyRing.random();
    private final GatewayNode slow = new GatewayNode(START);
    private final GatewayNode fast = new GatewayNode(START.plus(SKEW));

    @BeforeEach
    void awaitLedgers() {
        Awaitility.await()
                .until(() ->
                        slow.ledger.health().healthy() && fast.ledger.health().healthy());
    }

    @AfterEach
    void close() {
        slow.close();
        fast.close();
    }

    @Test
    void refusesNothingAndAcceptsNothingTwice() {
        Instant end = START.plus(Duration.ofMinutes(20));
        for (int step = 0; slow.clock.instant().isBefore(end); step++) {
            GatewayNode asking = step % 2 == 0 ? slow : fast;
            GatewayNode other = step % 2 == 0 ? fast : slow;
            String token = asking.token();

            assertThat(other.spend(token)).as("step %d", step).isEqualTo(SpendResult.FRESH);
            assertThat(asking.spend(token)).as("step %d", step).isEqualTo(SpendResult.SPENT);
            assertThat(other.spend(token)).as("step %d", step).isEqualTo(SpendResult.SPENT);
            slow.clock.advance(STEP);
            fast.clock.advance(STEP);
        }
    }

    /** Gateway with its own clock. */
    private final class GatewayNode implements AutoCloseable {

        private final ManualClock clock;
        private final SpendLedger ledger;
        private final Auth auth;
        private final EmbeddedChannel channel;

        GatewayNode(Instant start) {
            clock = new ManualClock(start);
            LedgerSettings settings = KeyDefaults.of(
                    LedgerSettings.class,
                    Map.of(
                            "deadline",
                            Duration.ofSeconds(5),
                            "store",
                            LedgerSettings.Store.MEMCACHED,
                            "memcached",
                            KeyDefaults.of(
                                    LedgerSettings.Memcached.class,
                                    Map.of("servers", List.of(HostPort.of(MEMCACHED.address()))))));
            ledger = SpendLedgers.open(
                    settings,
                    new LedgerEnvironment(
                            "skew", new SimpleMeterRegistry(), clock, Ticker.systemTicker(), LOOPS.all()));
            auth = Auth.open(
                    new TestSettings()
                            .of(TestSettings.issuerWithKeys(
                                    "issuer.example", TokenMint.shared().publicKey())),
                    TestSettings.environment(ring, new SimpleMeterRegistry(), clock, ledger::epoch));
            channel = StageChannel.of(auth.decoding(), auth.verification());
        }

        String token() {
            TestExchange refused = send();
            return TokenMint.shared()
                    .response(refused.responded(FieldName.WWW_AUTHENTICATE).get(0));
        }

        SpendResult spend(String token) {
            TestExchange exchange = send("authorization", token);
            @Nullable Redemption redemption = exchange.exchange().get(Redemption.KEY);
            assertThat(redemption).as("response with %d", exchange.status()).isNotNull();
            return LOOPS.spend(ledger, Objects.requireNonNull(redemption));
        }

        private TestExchange send(String... fields) {
            TestExchange exchange = TestExchange.get(REVERSE, ROUTE, channel.eventLoop(), fields);
            channel.writeInbound(exchange.exchange());
            channel.releaseInbound();
            return exchange;
        }

        @Override
        public void close() {
            channel.finishAndReleaseAll();
            auth.close();
            ledger.close();
        }
    }
}
